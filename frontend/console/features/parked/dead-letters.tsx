import { useMessages } from "#app/lib/i18n/messages.ts";
import { deadLettersQuery, LIST_LIMITS, projectionsState } from "#console/lib/api/queries.ts";
import type { DeadLetter, Dropped, Replayed } from "#console/lib/api/types.ts";
import { formatPosition } from "#console/lib/format/position.ts";
import { showJson } from "#console/lib/format/value.ts";
import { ChoosableTable } from "#console/ui/choosable-table.tsx";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import type { Column } from "#console/ui/data-table.tsx";
import { Part } from "#console/ui/page.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { TraceLink } from "#console/ui/trace-link.tsx";
import { parkedMessages } from "./messages.ts";
import { ReasonList } from "./reason-list.tsx";
import { Tried } from "./tried.tsx";

/** The messages of the log that the read models could not apply. */
export function DeadLetters({ letters }: { letters: readonly DeadLetter[] }) {
  const t = useMessages(parkedMessages);
  // A subject may have a newer dead letter by now: the last listed sequence bounds what the action applies to.
  const upTo = Math.max(0, ...letters.map(({ sequence }) => sequence));
  const columns: Column<DeadLetter>[] = [
    {
      head: t.subject,
      kind: "title",
      cell: ({ subject, sequence, version }) => (
        <>
          <span className="block">{subject}</span>
          <span className="block text-sm font-normal text-muted">
            {version === null ? "" : `${t.version} ${version}, `}
            {t.position(formatPosition(sequence))}
          </span>
        </>
      ),
    },
    { head: t.why, kind: "wide", cell: (letter) => <Why of={letter} /> },
    { head: t.lastTried, cell: ({ at, tries }) => <Tried at={at} tries={tries} /> },
    { head: t.trace, cell: ({ traceId, subject }) => <TraceLink id={traceId} of={subject} /> },
  ];
  return (
    <Part title={t.letters} lead={t.lettersLead}>
      <ChoosableTable
        caption={t.letters}
        rows={letters}
        keyOf={({ subject }) => subject}
        nameOf={({ subject }) => subject}
        columns={columns}
        max={LIST_LIMITS.deadLetters}
        empty={t.lettersNone}
        actions={(chosen, common) => {
          const acting = {
            ...common,
            body: { subjects: chosen.map(({ subject }) => subject), upTo },
            changes: [...deadLettersQuery.queryKey, ...projectionsState.queryKey],
          };
          return (
            <>
              <ConfirmAction<Replayed>
                {...acting}
                label={t.replay}
                title={t.replayTitle(chosen.length)}
                what={t.replayWhat}
                path="/api/projections/dead-letters/replay"
                done={({ replayed }) => t.replayed(replayed, chosen.length)}
              />
              <ConfirmAction<Dropped>
                {...acting}
                label={t.drop}
                title={t.letterDropTitle(chosen.length)}
                what={t.letterDropWhat}
                path="/api/projections/dead-letters/drop"
                done={({ dropped }) => t.letterDropped(dropped)}
              />
            </>
          );
        }}
      />
    </Part>
  );
}

function Why({ of: { error, differences } }: { of: DeadLetter }) {
  return (
    <div className="grid gap-3">
      <p>
        <ServiceText>{error}</ServiceText>
      </p>
      {differences?.length ? (
        <ReasonList
          reasons={differences.map(({ field, message, shown: live }) => ({
            field,
            rule: "",
            now: showJson(message),
            lastGood: live === null ? null : showJson(live),
          }))}
        />
      ) : null}
    </div>
  );
}
