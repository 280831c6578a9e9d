import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FlowPicture } from "#console/features/flow/flow-picture.tsx";
import { flowMessages } from "#console/features/flow/messages.ts";
import { PassedLately } from "#console/features/flow/passed.tsx";
import { Roles } from "#console/features/flow/roles.tsx";
import { overviewQuery } from "#console/lib/api/queries.ts";
import { Answer } from "#console/ui/answer.tsx";
import { Page } from "#console/ui/page.tsx";

export function Component() {
  const t = useMessages(flowMessages);
  return (
    <Page title={t.title} lead={t.lead}>
      <Answer of={useQuery(overviewQuery)}>
        {(overview) => (
          <>
            <FlowPicture overview={overview} />
            <PassedLately history={overview.history} />
            <Roles roles={overview.roles} />
          </>
        )}
      </Answer>
    </Page>
  );
}
