import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Link } from "#app/ui/link.tsx";
import { contentMessages } from "./messages.ts";

/** After a long text: someone to ask. */
export function AskCard() {
  const t = useMessages(contentMessages);
  return (
    <Card className="mt-14 flex max-w-[41rem] flex-wrap items-center justify-between gap-x-8 gap-y-4 p-6">
      <div className="max-w-[36ch]">
        <p className="font-display text-xl">{t.askTitle}</p>
        <p className="mt-2 text-muted">{t.enquiryText}</p>
      </div>
      <Link to="/contact-us" className={buttonStyle.primary}>
        {t.askButton}
      </Link>
    </Card>
  );
}
