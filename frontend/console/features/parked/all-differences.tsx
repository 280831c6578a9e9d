import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { comparisonQuery } from "#console/lib/api/queries.ts";
import type { ParkedComparison, ParkedItem } from "#console/lib/api/types.ts";
import { QueryState } from "#console/ui/query-state.tsx";
import { parkedMessages } from "./messages.ts";
import { ReasonList } from "./reason-list.tsx";
import { differencesOf } from "./reasons.ts";

/** Every field of a parked item that differs from its last good version. Requested when it is opened. */
export function AllDifferences({ of }: { of: Pick<ParkedItem, "collection" | "key"> }) {
  const t = useMessages(parkedMessages);
  const [isOpen, setOpen] = useState(false);
  const comparison = useQuery({ ...comparisonQuery(of), enabled: isOpen });
  return (
    <details className="group mt-2" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium">
        <Icon name="chevron" className="size-4 text-muted group-open:rotate-180" />
        {t.allDifferences}
      </summary>
      {isOpen ? (
        <QueryState of={comparison}>{(body) => <Differences of={body} />}</QueryState>
      ) : null}
    </details>
  );
}

function Differences({ of }: { of: ParkedComparison }) {
  const t = useMessages(parkedMessages);
  const { fields, more: omittedCount, whole: isComplete, personal } = of;
  return (
    <div className="grid gap-3">
      {personal ? <p className="text-sm text-muted">{t.personal}</p> : null}
      {fields.length > 0 ? <ReasonList reasons={differencesOf(of)} /> : null}
      {fields.length === 0 && isComplete ? <p className="text-sm">{t.noDifference}</p> : null}
      {omittedCount > 0 ? <p className="text-sm text-muted">{t.omitted(omittedCount)}</p> : null}
      {isComplete ? null : <p className="text-sm text-muted">{t.onlyBroken}</p>}
    </div>
  );
}
