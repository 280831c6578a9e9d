import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { DeadLetters } from "#console/features/parked/dead-letters.tsx";
import { Hints } from "#console/features/parked/hints.tsx";
import { parkedMessages } from "#console/features/parked/messages.ts";
import { LeftOut, Refused } from "#console/features/parked/others.tsx";
import { ParkedItems } from "#console/features/parked/parked-items.tsx";
import { deadLettersQuery, parkedQuery } from "#console/lib/api/queries.ts";
import { Page } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";

export function Component() {
  const t = useMessages(parkedMessages);
  const parked = useQuery(parkedQuery);
  const letters = useQuery(deadLettersQuery);
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="mt-6">
        <QueryState of={parked}>
          {({ items, hints }) => (
            <>
              <ParkedItems items={items} />
              <Hints hints={hints} />
            </>
          )}
        </QueryState>
      </div>
      <div className="mt-10">
        <QueryState of={letters}>{(list) => <DeadLetters letters={list} />}</QueryState>
      </div>
      {parked.data ? (
        <>
          <LeftOut items={parked.data.leftOut} />
          <Refused versions={parked.data.refused} />
        </>
      ) : null}
    </Page>
  );
}
