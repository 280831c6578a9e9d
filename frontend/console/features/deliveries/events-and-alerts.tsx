import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { deliveriesQuery } from "#console/lib/api/queries.ts";
import { formatPosition } from "#console/lib/format/position.ts";
import { FactList } from "#console/ui/fact-list.tsx";
import { Duration } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";
import { deliveryMessages } from "./messages.ts";

/** Visitor events that wait for the stream, and how far the log is matched with the saved searches. */
export function EventsAndAlerts() {
  const t = useMessages(deliveryMessages);
  const locale = useLocale();
  return (
    <Part title={t.stream} lead={t.streamLead}>
      <QueryState of={useQuery(deliveriesQuery)}>
        {({ events, alerts }) => (
          <Card className="p-5 sm:p-6">
            <FactList
              facts={[
                [t.eventsWaiting, formatNumber(locale, events.waiting)],
                [t.eventsOldest, <Duration key="" seconds={events.oldestSeconds} />],
                [t.savedSearches, formatNumber(locale, alerts.savedSearches)],
                [t.matchedTo, formatPosition(alerts.sequence)],
                [t.isFilled, alerts.isFilled ? t.yes : t.notYet],
              ]}
            />
          </Card>
        )}
      </QueryState>
    </Part>
  );
}
