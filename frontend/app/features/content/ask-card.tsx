import { enquiryPath } from "#app/lib/enquiry/enquiry.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Link } from "#app/ui/link.tsx";
import { contentMessages } from "./messages.ts";

/** After a long text: someone to ask; after one for sellers, what their home is worth. */
export function AskCard({ selling = false }: { selling?: boolean }) {
  const t = useMessages(contentMessages);
  return (
    <Card className="mt-14 flex max-w-[41rem] flex-wrap items-center justify-between gap-x-8 gap-y-4 p-6">
      <div className="max-w-[36ch]">
        <p className="font-display text-xl">{selling ? t.worthTitle : t.askTitle}</p>
        <p className="mt-2 text-muted">{selling ? t.worthText : t.enquiryText}</p>
      </div>
      <Link to={selling ? enquiryPath("valuation") : "/contact-us"} className={buttonStyle.primary}>
        {selling ? t.worthButton : t.askButton}
      </Link>
    </Card>
  );
}
