import type { PropertyDetail } from "#app/lib/api/types.ts";
import { telephoneHref, whatsappHref } from "#app/lib/format/format.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Badges } from "./badges.tsx";
import { propertyMessages } from "./messages.ts";
import { Price } from "./price.tsx";

/** The price and the ways to reach us, beside the text on large screens. */
export function AskPanel({ property }: { property: PropertyDetail }) {
  const { settings } = useSite();
  const t = useMessages(propertyMessages);
  const line = t.askLine(property.ref, property.title);
  const [phone] = settings.phones;
  const [email] = settings.emails;
  return (
    <aside className="rounded-card border border-line bg-surface p-6">
      <div className="flex flex-wrap gap-1.5">
        <Badges property={property} ground="card" always />
      </div>
      <Price
        price={property.price}
        previousPrice={property.previousPrice}
        className="mt-3 text-3xl leading-tight"
      />
      <p className="mt-2 text-sm text-muted">{t.priceNote}</p>
      <hr className="my-5 border-line" />
      <h2 className="text-xl">{t.askTitle}</h2>
      <p className="mt-1.5 text-muted">{property.status === "sold" ? t.askAboutGone : t.askText}</p>
      <div className="mt-5 flex flex-col gap-2.5">
        {settings.whatsapp ? (
          <a href={whatsappHref(settings.whatsapp, line)} className={buttonStyle.primary}>
            <Icon name="whatsapp" />
            {t.whatsapp}
          </a>
        ) : null}
        {phone ? (
          <a href={telephoneHref(phone)} className={buttonStyle.outline}>
            <Icon name="phone" />
            {phone}
          </a>
        ) : null}
        {email ? (
          <a
            href={`mailto:${email}?subject=${encodeURIComponent(property.ref)}&body=${encodeURIComponent(line)}`}
            className={buttonStyle.outline}
          >
            <Icon name="mail" />
            {t.mail}
          </a>
        ) : null}
      </div>
    </aside>
  );
}

/** The same at the foot of small screens. */
export function AskBar({ property }: { property: PropertyDetail }) {
  const { settings } = useSite();
  const t = useMessages(propertyMessages);
  const [phone] = settings.phones;
  return (
    <div className="sticky bottom-0 z-30 border-t border-line bg-canvas/95 backdrop-blur-md lg:hidden">
      <div className="page-width flex items-center justify-between gap-3 py-2.5">
        <Price
          price={property.price}
          previousPrice={property.previousPrice}
          className="text-lg leading-tight"
        />
        <div className="flex gap-2">
          {phone ? (
            <a href={telephoneHref(phone)} className={`${buttonStyle.outline} px-3`}>
              <Icon name="phone" />
              <span className="sr-only">{t.call}</span>
            </a>
          ) : null}
          {settings.whatsapp ? (
            <a
              href={whatsappHref(settings.whatsapp, t.askLine(property.ref, property.title))}
              className={buttonStyle.primary}
            >
              {t.whatsapp}
            </a>
          ) : null}
        </div>
      </div>
    </div>
  );
}
