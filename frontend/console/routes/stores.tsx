import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Everywhere } from "#console/features/stores/everywhere.tsx";
import { Log } from "#console/features/stores/log.tsx";
import { storeMessages } from "#console/features/stores/messages.ts";
import { PageCache } from "#console/features/stores/page-cache.tsx";
import { ReadModels } from "#console/features/stores/read-models.tsx";
import { SearchIndexes } from "#console/features/stores/search-indexes.tsx";
import { overviewQuery } from "#console/lib/api/queries.ts";
import { Page } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";

export function Component() {
  const t = useMessages(storeMessages);
  const overview = useQuery(overviewQuery);
  return (
    <Page title={t.title} lead={t.lead}>
      <Log />
      <ReadModels />
      <QueryState of={overview}>{({ indexes }) => <SearchIndexes of={indexes} />}</QueryState>
      <PageCache />
      <QueryState of={overview}>{(of) => <Everywhere of={of} />}</QueryState>
    </Page>
  );
}
