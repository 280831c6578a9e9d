import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { deliveriesQuery } from "#console/lib/api/queries.ts";
import { formatPosition } from "#console/lib/format/position.ts";
import { Answer } from "#console/ui/answer.tsx";
import { Facts } from "#console/ui/facts.tsx";
import { Lasting } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { deliveryMessages } from "./messages.ts";

/** What stands between what visitors do and the mails of it. */
export function EventsAndAlerts() {
  const t = useMessages(deliveryMessages);
  const locale = useLocale();
  return (
    <Part title={t.stream} lead={t.streamLead}>
      <Answer of={useQuery(deliveriesQuery)}>
        {({ events, alerts }) => (
          <Card className="p-5 sm:p-6">
            <Facts
              facts={[
                [t.eventsWaiting, formatNumber(locale, events.waiting)],
                [t.eventsOldest, <Lasting key="" seconds={events.oldestSeconds} />],
                [t.savedSearches, formatNumber(locale, alerts.savedSearches)],
                [t.matchedTo, formatPosition(alerts.sequence)],
                [t.isFilled, alerts.isFilled ? t.yes : t.notYet],
              ]}
            />
          </Card>
        )}
      </Answer>
    </Part>
  );
}
