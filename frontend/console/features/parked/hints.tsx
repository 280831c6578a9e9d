import { useMessages } from "#app/lib/i18n/messages.ts";
import { MOST, parkedQuery } from "#console/lib/api/queries.ts";
import type { UnresolvedHint } from "#console/lib/api/types.ts";
import { useMayAct } from "#console/lib/session.ts";
import { Act } from "#console/ui/act.tsx";
import { ChoiceBar, ChooseBox, useChoice } from "#console/ui/choice.tsx";
import { Part } from "#console/ui/page.tsx";
import { type Column, Rows } from "#console/ui/rows.tsx";
import { Told } from "#console/ui/told.tsx";
import { parkedMessages } from "./messages.ts";
import { Tried } from "./tried.tsx";

/** As many keys of a hint are named. */
const MOST_KEYS = 5;

/** Hints that can't be resolved. */
export function Hints({ hints }: { hints: readonly UnresolvedHint[] }) {
  const t = useMessages(parkedMessages);
  const mayAct = useMayAct();
  const choice = useChoice(hints.map(({ id }) => String(id)));
  const chosen = hints.filter(({ id }) => choice.chosen.has(String(id)));
  const nameOf = ({ id, collection, keys }: UnresolvedHint) =>
    `${id} · ${collection}: ${keysOf(keys) || t.allOfIt}`;
  const acting = {
    disabled: chosen.length === 0,
    ids: chosen.map(nameOf),
    changes: parkedQuery.queryKey,
    onDone: () => choice.set(new Set()),
  };
  const ids = chosen.map(({ id }) => id);
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
    { head: t.why, kind: "wide", cell: ({ failure }) => <Told>{failure}</Told> },
    {
      head: t.since,
      cell: ({ receivedAt, tries, nextTry }) => (
        <Tried since={receivedAt} tries={tries} nextTry={nextTry} />
      ),
    },
  ];
  return (
    <Part title={t.hints} lead={t.hintsLead}>
      {mayAct && hints.length > 0 ? (
        <ChoiceBar of={choice}>
          <Act<{ retried: number }>
            {...acting}
            label={t.hintRetry}
            title={t.hintRetryTitle(chosen.length)}
            what={t.hintRetryWhat}
            path="/api/sync/parked/retry"
            body={{ items: [], hints: ids }}
            done={({ retried }) => t.retried(retried)}
          />
          <Act<{ dropped: number }>
            {...acting}
            label={t.drop}
            title={t.dropTitle(chosen.length)}
            what={t.dropWhat}
            path="/api/sync/parked/drop"
            body={{ hints: ids }}
            done={({ dropped }) => t.dropped(dropped)}
          />
        </ChoiceBar>
      ) : null}
      <Rows
        caption={t.hints}
        rows={hints}
        keyOf={({ id }) => String(id)}
        columns={columns}
        most={MOST.parked}
        empty={t.hintsNone}
        choose={
          mayAct
            ? (hint) => <ChooseBox of={choice} row={String(hint.id)} name={nameOf(hint)} />
            : undefined
        }
      />
    </Part>
  );
}

function keysOf(keys: readonly string[]): string {
  const named = keys.slice(0, MOST_KEYS).join(", ");
  return keys.length > MOST_KEYS ? `${named}, … (${keys.length})` : named;
}
