import { Fragment } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AuditLine } from "#console/lib/api/types.ts";
import { type Column, DataTable } from "#console/ui/data-table.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { auditMessages } from "./messages.ts";
import { readOutcome } from "./outcome.ts";

/** One page of the audit trail. */
export function AuditList({ items, empty }: { items: readonly AuditLine[]; empty: string }) {
  const t = useMessages(auditMessages);
  const columns: Column<AuditLine>[] = [
    { head: t.action, kind: "title", cell: ({ action }) => <Action name={action} /> },
    {
      head: t.target,
      kind: "wide",
      cell: ({ target }) => (target ? <code className="code">{target}</code> : "–"),
    },
    {
      head: t.outcome,
      cell: ({ outcome }) => <OutcomeCell line={outcome} />,
    },
    {
      head: t.who,
      cell: ({ operator, at, address }) => (
        <span>
          {operator}
          <span className="block text-sm text-muted">
            <Moment at={at} />
          </span>
          {address ? <span className="block text-sm text-muted">{address}</span> : null}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      caption={t.list}
      rows={items}
      keyOf={({ id }) => String(id)}
      columns={columns}
      empty={empty}
    />
  );
}

/** The name of an action. In a narrow column it breaks after a slash, never within a word. */
function Action({ name }: { name: string }) {
  const [first, ...rest] = name.split("/");
  return (
    <ServiceText>
      {first}
      {rest.map((part) => (
        <Fragment key={part}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </ServiceText>
  );
}

const ENDS = ["begun", "done", "refused", "failed"] as const;

function OutcomeCell({ line }: { line: string }) {
  const t = useMessages(auditMessages);
  const { tone, end, status, why } = readOutcome(line);
  const known = ENDS.find((each) => each === end);
  return (
    <span>
      <State tone={tone}>{known ? t[known] : <ServiceText>{end}</ServiceText>}</State>
      {status ? <span className="text-sm text-muted"> {status}</span> : null}
      {why ? (
        <span className="mt-1 block text-sm text-muted">
          <ServiceText>{why}</ServiceText>
        </span>
      ) : null}
    </span>
  );
}
