import { useMessages } from "#app/lib/i18n/messages.ts";
import { deadLettersQuery, MOST, projectionsState } from "#console/lib/api/queries.ts";
import type { DeadLetter } from "#console/lib/api/types.ts";
import { formatPosition } from "#console/lib/format/position.ts";
import { showJson } from "#console/lib/format/value.ts";
import { useMayAct } from "#console/lib/session.ts";
import { Act } from "#console/ui/act.tsx";
import { ChoiceBar, ChooseBox, useChoice } from "#console/ui/choice.tsx";
import { Part } from "#console/ui/page.tsx";
import { type Column, Rows } from "#console/ui/rows.tsx";
import { Told } from "#console/ui/told.tsx";
import { TraceLink } from "#console/ui/trace-link.tsx";
import { parkedMessages } from "./messages.ts";
import { ReasonList } from "./reason-list.tsx";
import { Tried } from "./tried.tsx";

/** Messages of the log that the read models could not apply. */
export function DeadLetters({ letters }: { letters: readonly DeadLetter[] }) {
  const t = useMessages(parkedMessages);
  const mayAct = useMayAct();
  const choice = useChoice(letters.map(({ subject }) => subject));
  const subjects = letters
    .map(({ subject }) => subject)
    .filter((subject) => choice.chosen.has(subject));
  // Of a subject there may be another by now: the last of those that are shown says which is meant.
  const upTo = Math.max(0, ...letters.map(({ sequence }) => sequence));
  const acting = {
    disabled: subjects.length === 0,
    ids: subjects,
    body: { subjects, upTo },
    changes: [...deadLettersQuery.queryKey, ...projectionsState.queryKey],
    onDone: () => choice.set(new Set()),
  };
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
    { head: t.since, cell: ({ at, tries }) => <Tried since={at} tries={tries} /> },
    { head: t.trace, cell: ({ traceId, subject }) => <TraceLink id={traceId} of={subject} /> },
  ];
  return (
    <Part title={t.letters} lead={t.lettersLead}>
      {mayAct && letters.length > 0 ? (
        <ChoiceBar of={choice}>
          <Act<{ replayed: number }>
            {...acting}
            label={t.replay}
            title={t.replayTitle(subjects.length)}
            what={t.replayWhat}
            path="/api/projections/dead-letters/replay"
            done={({ replayed }) => t.replayed(replayed)}
          />
          <Act<{ dropped: number }>
            {...acting}
            label={t.drop}
            title={t.letterDropTitle(subjects.length)}
            what={t.letterDropWhat}
            path="/api/projections/dead-letters/drop"
            done={({ dropped }) => t.letterDropped(dropped)}
          />
        </ChoiceBar>
      ) : null}
      <Rows
        caption={t.letters}
        rows={letters}
        keyOf={({ subject }) => subject}
        columns={columns}
        most={MOST.deadLetters}
        empty={t.lettersNone}
        choose={
          mayAct
            ? ({ subject }) => <ChooseBox of={choice} row={subject} name={subject} />
            : undefined
        }
      />
    </Part>
  );
}

function Why({ of: { error, differences } }: { of: DeadLetter }) {
  return (
    <div className="grid gap-3">
      <p>
        <Told>{error}</Told>
      </p>
      {differences?.length ? (
        <ReasonList
          reasons={differences.map(({ field, message, shown }) => ({
            field,
            rule: "",
            now: showJson(message),
            lastGood: shown === null ? null : showJson(shown),
          }))}
        />
      ) : null}
    </div>
  );
}
