import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { deliveriesQuery, jobsQuery, LIST_LIMITS } from "#console/lib/api/queries.ts";
import type { Job, Jobs, Retried } from "#console/lib/api/types.ts";
import { ChoosableTable } from "#console/ui/choosable-table.tsx";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import type { Column } from "#console/ui/data-table.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State, type Tone } from "#console/ui/state.tsx";
import { deliveryMessages } from "./messages.ts";

/** Delivery jobs that wait, have failed or were refused. */
export function JobList() {
  const t = useMessages(deliveryMessages);
  return (
    <Part title={t.jobs} lead={t.jobsLead}>
      <QueryState of={useQuery(jobsQuery)}>{(jobs) => <UnfinishedJobs jobs={jobs} />}</QueryState>
    </Part>
  );
}

function UnfinishedJobs({ jobs: { waiting, failed, items } }: { jobs: Jobs }) {
  const t = useMessages(deliveryMessages);
  const locale = useLocale();
  const known: Record<string, { tone: Tone; words: ReactNode }> = {
    failed: { tone: "wrong", words: t.hasFailed },
    due: { tone: "unknown", words: t.waiting },
    refused: { tone: "resting", words: t.refused },
    bounced: { tone: "resting", words: t.bounced },
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
        const { tone, words } = known[state] ?? {
          tone: "wrong",
          words: <ServiceText>{state}</ServiceText>,
        };
        return <State tone={tone}>{words}</State>;
      },
    },
    { head: t.tries, kind: "figure", cell: ({ tries }) => formatNumber(locale, tries) },
    { head: t.nextTry, cell: ({ nextTry }) => (nextTry ? <Moment at={nextTry} /> : t.none) },
    { head: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      head: t.failure,
      cell: ({ failure }) => (failure ? <ServiceText>{failure}</ServiceText> : "–"),
    },
  ];
  return (
    <>
      <p className="mb-3 text-muted">
        {t.counts(formatNumber(locale, waiting), formatNumber(locale, failed))}
      </p>
      <ChoosableTable
        caption={t.jobs}
        rows={items}
        keyOf={({ id }) => id}
        nameOf={({ id, kind }) => `${id} · ${t.kindOf(kind)}`}
        columns={columns}
        max={LIST_LIMITS.jobs}
        empty={t.jobsNone}
        actions={(chosen, common) => (
          <ConfirmAction<Retried>
            {...common}
            label={t.retry}
            title={t.retryTitle(chosen.length)}
            what={t.retryWhat}
            path="/api/command/jobs/retry"
            body={{ ids: chosen.map(({ id }) => id) }}
            changes={[...jobsQuery.queryKey, ...deliveriesQuery.queryKey]}
            done={({ retried }) => t.retried(retried)}
          />
        )}
      />
    </>
  );
}
