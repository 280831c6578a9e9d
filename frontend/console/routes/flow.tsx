import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FlowPicture } from "#console/features/flow/flow-picture.tsx";
import { flowMessages } from "#console/features/flow/messages.ts";
import { PassedLately } from "#console/features/flow/passed.tsx";
import { Roles } from "#console/features/flow/roles.tsx";
import { overviewQuery } from "#console/lib/api/queries.ts";
import { Page } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";

export function Component() {
  const t = useMessages(flowMessages);
  return (
    <Page title={t.title} lead={t.lead}>
      <QueryState of={useQuery(overviewQuery)}>
        {(overview) => (
          <>
            <FlowPicture overview={overview} />
            <PassedLately history={overview.history} />
            <Roles roles={overview.roles} />
          </>
        )}
      </QueryState>
    </Page>
  );
}
