import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Merged } from "#console/lib/api/types.ts";
import { Alert } from "./failure.tsx";
import { uiMessages } from "./messages.ts";
import { QueryState } from "./query-state.tsx";

interface MergedStateProps<Entry> {
  of: UseQueryResult<Merged<Entry>>;
  children: (entries: readonly Entry[]) => ReactNode;
}

/** Renders a query's merged list once it has arrived, and says whose entries it lacks. */
export function MergedState<Entry>({ of, children }: MergedStateProps<Entry>) {
  return (
    <QueryState of={of}>
      {({ entries, missing }) => (
        <>
          <Missing processes={missing} />
          {children(entries)}
        </>
      )}
    </QueryState>
  );
}

/** Says which processes did not answer, each with the reason. */
export function Missing({ processes }: { processes: readonly string[] }) {
  const t = useMessages(uiMessages);
  if (processes.length === 0) return null;
  return (
    <div className="mb-4">
      <Alert text={t.incomplete} details={processes} />
    </div>
  );
}
