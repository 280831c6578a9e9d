import { useQuery } from "@tanstack/react-query";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { LIST_LIMITS, slowCallsQuery, slowRendersQuery } from "#console/lib/api/queries.ts";
import type { SlowCall, SlowRender } from "#console/lib/api/types.ts";
import { formatDuration } from "#console/lib/format/duration.ts";
import { type Column, DataTable } from "#console/ui/data-table.tsx";
import { MergedState } from "#console/ui/merged-state.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { TraceLink } from "#console/ui/trace-link.tsx";
import { visitorMessages } from "./messages.ts";

/** The columns that both tables share: duration, time and trace. */
function useTimes<Row extends { milliseconds: number; at: string; traceId: string | null }>(
  nameOf: (row: Row) => string,
): Column<Row>[] {
  const t = useMessages(visitorMessages);
  const locale = useLocale();
  return [
    {
      head: t.time,
      kind: "figure",
      cell: ({ milliseconds }) => formatDuration(locale, milliseconds),
    },
    { head: t.at, cell: ({ at }) => <Moment at={at} /> },
    { head: t.trace, cell: (row) => <TraceLink id={row.traceId} of={nameOf(row)} /> },
  ];
}

export function SlowRenders() {
  const t = useMessages(visitorMessages);
  const times = useTimes<SlowRender>(({ path }) => path);
  return (
    <Part title={t.renders} lead={t.rendersLead}>
      <MergedState of={useQuery(slowRendersQuery)}>
        {(renders) => (
          <DataTable
            caption={t.renders}
            rows={renders}
            keyOf={({ path, at }) => `${path} ${at}`}
            columns={[{ head: t.path, kind: "title", cell: ({ path }) => path }, ...times]}
            max={LIST_LIMITS.slow}
            empty={t.rendersNone}
          />
        )}
      </MergedState>
    </Part>
  );
}

export function SlowCalls() {
  const t = useMessages(visitorMessages);
  const times = useTimes<SlowCall>(({ call }) => call);
  return (
    <Part title={t.slow} lead={t.slowLead}>
      <MergedState of={useQuery(slowCallsQuery)}>
        {(calls) => (
          <DataTable
            caption={t.slow}
            rows={calls}
            keyOf={({ call, query, at }) => `${call} ${query} ${at}`}
            columns={[
              { head: t.call, kind: "title", cell: ({ call }) => call },
              {
                head: t.query,
                kind: "wide",
                cell: ({ query }) => (query ? <code className="code">{query}</code> : "–"),
              },
              ...times,
            ]}
            max={LIST_LIMITS.slow}
            empty={t.slowNone}
          />
        )}
      </MergedState>
    </Part>
  );
}
