import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { detailMessages } from "../detail-messages.ts";

/** The agency's address and the page's URL, shown only in print. */
export function Letterhead({ url }: { url: string }) {
  const { settings } = useSite();
  const d = useMessages(detailMessages);
  return (
    <div className="mb-3 hidden items-end justify-between gap-6 border-b border-line pb-2 print:flex">
      <p className="font-display text-2xl">{settings.companyName}</p>
      <p className="text-right text-xs text-muted">
        {[settings.street, settings.town, ...settings.phones, settings.emails[0]]
          .filter(Boolean)
          .join(" · ")}
        <br />
        {`${d.printedFrom} ${url}`}
      </p>
    </div>
  );
}
