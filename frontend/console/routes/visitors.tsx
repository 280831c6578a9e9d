import { useMessages } from "#app/lib/i18n/messages.ts";
import { EmptySearches } from "#console/features/visitors/empty-searches.tsx";
import { visitorMessages } from "#console/features/visitors/messages.ts";
import { NotFound } from "#console/features/visitors/not-found.tsx";
import { SlowCalls, SlowRenders } from "#console/features/visitors/slow.tsx";
import { Page } from "#console/ui/page.tsx";

export function Component() {
  const t = useMessages(visitorMessages);
  return (
    <Page title={t.title} lead={t.lead}>
      <NotFound />
      <EmptySearches />
      <SlowRenders />
      <SlowCalls />
    </Page>
  );
}
