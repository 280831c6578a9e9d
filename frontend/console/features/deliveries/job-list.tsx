import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { deliveriesQuery, jobsQuery, MOST } from "#console/lib/api/queries.ts";
import type { Job, Jobs } from "#console/lib/api/types.ts";
import { useMayAct } from "#console/lib/session.ts";
import { Act } from "#console/ui/act.tsx";
import { Answer } from "#console/ui/answer.tsx";
import { ChoiceBar, ChooseBox, useChoice } from "#console/ui/choice.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { type Column, Rows } from "#console/ui/rows.tsx";
import { State, type Well } from "#console/ui/state.tsx";
import { Told } from "#console/ui/told.tsx";
import { deliveryMessages } from "./messages.ts";

/** What is still to be delivered, or can't be. */
export function JobList() {
  const t = useMessages(deliveryMessages);
  return (
    <Part title={t.jobs} lead={t.jobsLead}>
      <Answer of={useQuery(jobsQuery)}>{(jobs) => <Unfinished jobs={jobs} />}</Answer>
    </Part>
  );
}

function Unfinished({ jobs: { waiting, failed, items } }: { jobs: Jobs }) {
  const t = useMessages(deliveryMessages);
  const locale = useLocale();
  const mayAct = useMayAct();
  const choice = useChoice(items.map(({ id }) => String(id)));
  const chosen = items.filter(({ id }) => choice.chosen.has(String(id)));
  const nameOf = ({ id, kind }: Job) => `${id} · ${t.kindOf(kind)}`;
  const known: Record<string, { is: Well; words: ReactNode }> = {
    failed: { is: "wrong", words: t.failed },
    due: { is: "unknown", words: t.waiting },
    refused: { is: "resting", words: t.refused },
    bounced: { is: "resting", words: t.bounced },
  };
  const columns: Column<Job>[] = [
    {
      head: t.job,
      kind: "title",
      cell: ({ id, kind }) => (
        <>
          <span className="block">{t.kindOf(kind)}</span>
          <span className="block text-sm font-normal text-muted">{id}</span>
        </>
      ),
    },
    {
      head: t.state,
      cell: ({ state }) => {
        const { is, words } = known[state] ?? { is: "wrong", words: <Told>{state}</Told> };
        return <State is={is}>{words}</State>;
      },
    },
    { head: t.tries, kind: "figure", cell: ({ tries }) => formatNumber(locale, tries) },
    { head: t.nextTry, cell: ({ nextTry }) => (nextTry ? <Moment at={nextTry} /> : t.none) },
    { head: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      head: t.failure,
      cell: ({ failure }) => (failure ? <Told>{failure}</Told> : "–"),
    },
  ];
  return (
    <>
      <p className="mb-3 text-muted">
        {t.counts(formatNumber(locale, waiting), formatNumber(locale, failed))}
      </p>
      {mayAct && items.length > 0 ? (
        <ChoiceBar of={choice}>
          <Act<{ retried: number }>
            label={t.retry}
            disabled={chosen.length === 0}
            title={t.retryTitle(chosen.length)}
            what={t.retryWhat}
            ids={chosen.map(nameOf)}
            path="/api/command/jobs/retry"
            body={{ ids: chosen.map(({ id }) => id) }}
            changes={[...jobsQuery.queryKey, ...deliveriesQuery.queryKey]}
            done={({ retried }) => t.retried(retried)}
            onDone={() => choice.set(new Set())}
          />
        </ChoiceBar>
      ) : null}
      <Rows
        caption={t.jobs}
        rows={items}
        keyOf={({ id }) => String(id)}
        columns={columns}
        most={MOST.jobs}
        empty={t.jobsNone}
        choose={
          mayAct
            ? (job) => <ChooseBox of={choice} row={String(job.id)} name={nameOf(job)} />
            : undefined
        }
      />
    </>
  );
}
