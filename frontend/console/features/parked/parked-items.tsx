import { useMessages } from "#app/lib/i18n/messages.ts";
import { LIST_LIMITS, parkedQuery } from "#console/lib/api/queries.ts";
import type { ParkedItem, Retried } from "#console/lib/api/types.ts";
import { ChoosableTable } from "#console/ui/choosable-table.tsx";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import type { Column } from "#console/ui/data-table.tsx";
import { Part } from "#console/ui/page.tsx";
import { TraceLink } from "#console/ui/trace-link.tsx";
import { AllDifferences } from "./all-differences.tsx";
import { parkedMessages } from "./messages.ts";
import { ReasonList } from "./reason-list.tsx";
import { reasonsOf } from "./reasons.ts";
import { Tried } from "./tried.tsx";

const nameOf = ({ collection, key }: Pick<ParkedItem, "collection" | "key">) =>
  `${collection}/${key}`;

/** Items that can't be recorded. An operator can have them read again; they leave the list once corrected. */
export function ParkedItems({ items }: { items: readonly ParkedItem[] }) {
  const t = useMessages(parkedMessages);
  const columns: Column<ParkedItem>[] = [
    {
      head: t.item,
      kind: "title",
      cell: ({ collection, key }) => (
        <>
          <span className="block">{key}</span>
          <span className="block text-sm font-normal text-muted">{collection}</span>
        </>
      ),
    },
    {
      head: t.why,
      kind: "wide",
      cell: (item) => (
        <>
          <ReasonList reasons={reasonsOf(item)} />
          <AllDifferences of={item} />
        </>
      ),
    },
    {
      head: t.since,
      cell: ({ firstAt, tries, nextTry }) => <Tried at={firstAt} tries={tries} nextTry={nextTry} />,
    },
    { head: t.trace, cell: (item) => <TraceLink id={item.traceId} of={nameOf(item)} /> },
  ];
  return (
    <Part title={t.items} lead={t.itemsLead}>
      <ChoosableTable
        caption={t.items}
        rows={items}
        keyOf={nameOf}
        nameOf={nameOf}
        columns={columns}
        max={LIST_LIMITS.parked}
        empty={t.itemsNone}
        actions={(chosen, common) => (
          <ConfirmAction<Retried>
            {...common}
            label={t.retry}
            title={t.retryTitle(chosen.length)}
            what={t.retryWhat}
            path="/api/sync/parked/retry"
            body={{ items: chosen.map(({ collection, key }) => ({ collection, key })), hints: [] }}
            changes={parkedQuery.queryKey}
            done={({ retried }) => t.retried(retried)}
          />
        )}
      />
    </Part>
  );
}
