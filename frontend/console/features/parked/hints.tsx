import { useMessages } from "#app/lib/i18n/messages.ts";
import { LIST_LIMITS, parkedQuery } from "#console/lib/api/queries.ts";
import type { Dropped, Retried, UnresolvedHint } from "#console/lib/api/types.ts";
import { ChoosableTable } from "#console/ui/choosable-table.tsx";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import type { Column } from "#console/ui/data-table.tsx";
import { Part } from "#console/ui/page.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { parkedMessages } from "./messages.ts";
import { Tried } from "./tried.tsx";

/** The maximum number of a hint's keys that are named. */
const MAX_KEYS = 5;

/** Hints that can't be resolved. */
export function Hints({ hints }: { hints: readonly UnresolvedHint[] }) {
  const t = useMessages(parkedMessages);
  const columns: Column<UnresolvedHint>[] = [
    {
      head: t.hint,
      kind: "title",
      cell: ({ id, collection, keys }) => (
        <>
          <span className="block">{collection}</span>
          <span className="block text-sm font-normal text-muted">
            {id} · {keysOf(keys) || t.allOfIt}
          </span>
        </>
      ),
    },
    { head: t.why, kind: "wide", cell: ({ failure }) => <ServiceText>{failure}</ServiceText> },
    {
      head: t.since,
      cell: ({ receivedAt, tries, nextTry }) => (
        <Tried at={receivedAt} tries={tries} nextTry={nextTry} />
      ),
    },
  ];
  return (
    <Part title={t.hints} lead={t.hintsLead}>
      <ChoosableTable
        caption={t.hints}
        rows={hints}
        keyOf={({ id }) => String(id)}
        nameOf={({ id, collection, keys }) => `${id} · ${collection}: ${keysOf(keys) || t.allOfIt}`}
        columns={columns}
        max={LIST_LIMITS.parked}
        empty={t.hintsNone}
        actions={(chosen, common) => {
          const ids = chosen.map(({ id }) => id);
          return (
            <>
              <ConfirmAction<Retried>
                {...common}
                label={t.hintRetry}
                title={t.hintRetryTitle(chosen.length)}
                what={t.hintRetryWhat}
                path="/api/sync/parked/retry"
                body={{ items: [], hints: ids }}
                changes={parkedQuery.queryKey}
                done={({ retried }) => t.retried(retried)}
              />
              <ConfirmAction<Dropped>
                {...common}
                label={t.drop}
                title={t.dropTitle(chosen.length)}
                what={t.dropWhat}
                path="/api/sync/parked/drop"
                body={{ hints: ids }}
                changes={parkedQuery.queryKey}
                done={({ dropped }) => t.dropped(dropped)}
              />
            </>
          );
        }}
      />
    </Part>
  );
}

function keysOf(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_KEYS).join(", ");
  return keys.length > MAX_KEYS ? `${named}, … (${keys.length})` : named;
}
