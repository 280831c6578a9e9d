import type { ReactNode } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { focusPart } from "#app/lib/browser/focus-part.ts";
import { enquiryPath } from "#app/lib/enquiry/enquiry.ts";
import { homeMessages } from "#app/lib/enquiry/messages.ts";
import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOptionalAnswer } from "#app/lib/query/api-query.ts";
import { placePath } from "#app/lib/search/list-path.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { ContactButtons } from "#app/ui/contact-buttons.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Badges, hasBadges } from "../card/badges.tsx";
import { useSimilarTitle } from "../card/similar-homes.tsx";
import { detailMessages } from "../detail-messages.ts";
import { editorialTextQuery } from "../editorial-text.ts";
import { nounOf } from "../noun.ts";
import { Price } from "../price/price.tsx";
import { PriceNote } from "../price/price-note.tsx";
import { Reduction } from "../price/reduction.tsx";
import { enquiryMessages } from "./enquiry-messages.ts";

/** The element id of the panel. */
const PANEL_ID = "ask";

interface PriceHeadProps {
  property: PropertyDetail;
  /** Whether to show the ordinary state "for sale" too. */
  always?: boolean;
}

/** The sale's status, the asking price, and a note on taxes and costs. */
export function PriceHead({ property, always = false }: PriceHeadProps) {
  return (
    <>
      {always || hasBadges(property) ? (
        <div className="mb-3 flex flex-wrap gap-1.5">
          <Badges property={property} ground="card" always={always} />
        </div>
      ) : null}
      <Price
        price={property.price}
        previousPrice={property.previousPrice}
        className="text-3xl leading-tight"
      />
      <Reduction
        price={property.price}
        previousPrice={property.previousPrice}
        reducedAt={property.reducedAt}
      />
      {property.status === "sold" ? null : (
        <p className="mt-2 text-sm text-muted">
          <PriceNote property={property} />
        </p>
      )}
    </>
  );
}

interface ContactOptionsProps {
  property: PropertyDetail;
  /** The enquiry form. */
  form: ReactNode;
}

interface EnquiryPanelProps extends ContactOptionsProps {
  /** Whether the visitor has started to fill in the form. */
  isWritten: boolean;
  onWrite: () => void;
  /** Whether the home was withdrawn while the page was open. */
  isWithdrawn: boolean;
}

/**
 * The price and the ways to contact us, beside the text on large screens and below it on small ones. Render it
 * with a key for each home: otherwise text written about one home would be sent about the next, and the next
 * one's price would be marked as changed.
 */
export function EnquiryPanel({
  property,
  form,
  isWritten,
  onWrite,
  isWithdrawn,
}: EnquiryPanelProps) {
  const d = useMessages(detailMessages);
  // When the status changes while the page is open, the new texts arrive a moment later.
  const texts = useOptionalAnswer(editorialTextQuery(useLocale(), property))?.panel;
  const isSold = property.status === "sold";
  return (
    <aside id={PANEL_ID} className="enquiry-panel">
      <p role="status">
        {isWithdrawn ? <span className="notice mb-4 block font-semibold">{d.gone}</span> : null}
      </p>
      <PriceHead property={property} always />
      <hr className="my-5 border-line print:hidden" />
      <div className="print:hidden" onInput={onWrite}>
        {texts?.title ? <h2 className="text-xl">{texts.title}</h2> : null}
        {texts?.text ? <p className="mt-1.5 text-muted">{texts.text}</p> : null}
        {isSold ? <Sold property={property} /> : null}
        {/* If the home is sold while the visitor is writing, the form stays. */}
        {isSold && !isWritten ? null : <ContactOptions property={property} form={form} />}
      </div>
    </aside>
  );
}

function ContactOptions({ property, form }: ContactOptionsProps) {
  const { settings } = useSite();
  const t = useMessages(enquiryMessages);
  const { line } = useMessages(homeMessages);
  const { ref, title, status } = property;
  return (
    <div className="mt-4">
      {status === "for_sale" ? (
        <Link to={enquiryPath("viewing", ref)} className={`${buttonStyle.primary} w-full`}>
          {t.viewing}
        </Link>
      ) : null}
      {status === "for_sale" || status === "sold" ? (
        <h3 className="mt-6 mb-3 text-lg">{t.orAsk}</h3>
      ) : null}
      {form}
      <div className="mt-5 flex flex-col gap-2.5">
        <ContactButtons
          whatsapp={settings.whatsapp}
          phone={settings.phones[0]}
          line={line(ref, title)}
        />
        <Link to={enquiryPath("callback", ref)} className="text-link self-start py-2">
          {t.callback}
        </Link>
      </div>
    </div>
  );
}

/** Replaces the contact options of a sold home with links to similar homes. */
function Sold({ property: { kind, newBuild, location, similar } }: { property: PropertyDetail }) {
  const t = useMessages(enquiryMessages);
  const title = useSimilarTitle({
    homes: similar,
    noun: nounOf(kind),
    newBuild,
    place: location.name,
  });
  return (
    <div className="mt-5 flex flex-col gap-2.5">
      {similar.length > 0 ? (
        // biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page, and works without a script
        <a href="#similar" onClick={focusPart} className={buttonStyle.primary}>
          {title}
        </a>
      ) : null}
      <Link to={placePath(location.slug)} className={buttonStyle.outline}>
        {t.soldList(location.name)}
      </Link>
    </div>
  );
}

/** A bar at the bottom of small screens: the price, a link to the panel, and quick contact links. */
export function EnquiryBar({ property }: { property: PropertyDetail }) {
  const { settings } = useSite();
  const t = useMessages(enquiryMessages);
  const { line } = useMessages(homeMessages);
  const [phone] = settings.phones;
  const { ref, title, status } = property;
  if (status === "sold") return null;
  return (
    <div className="sticky bottom-0 z-30 border-t border-line bg-canvas/85 backdrop-blur-md lg:hidden print:hidden">
      <div className="page-width flex flex-wrap items-center justify-between gap-x-3 py-2.5 short:py-1">
        <Price
          price={property.price}
          previousPrice={property.previousPrice}
          className="text-lg leading-tight"
        />
        <div className="flex gap-2">
          <a href={`#${PANEL_ID}`} onClick={focusPart} className={buttonStyle.primary}>
            {t.enquire}
          </a>
          {settings.whatsapp ? (
            <a
              href={whatsappHref(settings.whatsapp, line(ref, title))}
              rel="noopener noreferrer"
              className={`${buttonStyle.outline} px-3`}
            >
              <Icon name="whatsapp" />
              <span className="sr-only">{t.whatsapp}</span>
            </a>
          ) : null}
          {phone ? (
            <a
              href={telephoneHref(phone)}
              className={`${buttonStyle.outline} px-3 max-[22.4em]:hidden`}
            >
              <Icon name="phone" />
              <span className="sr-only">{t.call}</span>
            </a>
          ) : null}
        </div>
      </div>
    </div>
  );
}
