import { useMessages } from "#app/lib/i18n/messages.ts";
import { EventsAndAlerts } from "#console/features/deliveries/events-and-alerts.tsx";
import { JobList } from "#console/features/deliveries/job-list.tsx";
import { LastDay } from "#console/features/deliveries/last-day.tsx";
import { deliveryMessages } from "#console/features/deliveries/messages.ts";
import { Page } from "#console/ui/page.tsx";

export function Component() {
  const t = useMessages(deliveryMessages);
  return (
    <Page title={t.title} lead={t.lead}>
      <LastDay />
      <EventsAndAlerts />
      <JobList />
    </Page>
  );
}
