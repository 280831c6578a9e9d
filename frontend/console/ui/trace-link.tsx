import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { useOverview } from "#console/lib/live/connection.ts";
import { traceAddress } from "#console/lib/trace.ts";
import { uiMessages } from "./messages.ts";

/** A link to a trace; a dash without a viewer or a trace. */
export function TraceLink({ id, of }: { id: string | null | undefined; of: string }) {
  const t = useMessages(uiMessages);
  const address = traceAddress(useOverview().overview?.traceUrl, id);
  if (!address) return <span className="text-muted">{t.none}</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      className="text-link -my-1 inline-flex items-center gap-1 py-1 whitespace-nowrap"
    >
      {t.trace}
      <span className="sr-only">
        {of}, {t.newTab}
      </span>
      <Icon name="arrow" className="size-4 -rotate-45" />
    </a>
  );
}
