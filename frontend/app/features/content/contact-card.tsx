import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { ContactButtons } from "#app/ui/contact-buttons.tsx";
import { Link } from "#app/ui/link.tsx";
import { contentMessages } from "./messages.ts";

/** A literal, so that articles don't load the code of the forms. */
const VALUATION = "/enquiry?kind=valuation";

/**
 * The call to action after a long text: a contact form, or a valuation after a text for sellers. The contact buttons
 * are in the same order as beside a home.
 */
export function ContactCard({ selling = false }: { selling?: boolean }) {
  const { settings } = useSite();
  const t = useMessages(contentMessages);
  return (
    <Card className="mt-14 max-w-[41rem] p-6">
      <p className="font-display text-xl">{selling ? t.worthTitle : t.contactTitle}</p>
      <p className="mt-2 text-muted">{selling ? t.worthText : t.enquiryText}</p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        <Link to={selling ? VALUATION : "/contact-us"} className={buttonStyle.primary}>
          {selling ? t.worthButton : t.contactButton}
        </Link>
        <ContactButtons whatsapp={settings.whatsapp} phone={settings.phones[0]} />
      </div>
    </Card>
  );
}
