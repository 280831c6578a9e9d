import { useMessages } from "#app/lib/i18n/messages.ts";
import { LIST_LIMITS } from "#console/lib/api/queries.ts";
import type { Parked } from "#console/lib/api/types.ts";
import { DataTable } from "#console/ui/data-table.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { parkedMessages } from "./messages.ts";
import { ReasonList } from "./reason-list.tsx";
import { reasonsOf } from "./reasons.ts";

/** Items that are on the site without one of their files. Nothing can be done about it in the console. */
export function LeftOut({ items }: { items: Parked["leftOut"] }) {
  const t = useMessages(parkedMessages);
  return (
    <Part title={t.leftOut} lead={t.leftOutLead}>
      <DataTable
        caption={t.leftOut}
        rows={items}
        keyOf={({ collection, key }) => `${collection}/${key}`}
        columns={[
          {
            head: t.item,
            kind: "title",
            cell: ({ collection, key }) => `${collection}/${key}`,
          },
          {
            head: t.pictures,
            kind: "wide",
            cell: ({ pictures }) => (
              <ReasonList reasons={reasonsOf({ violations: pictures, differences: [] })} />
            ),
          },
          { head: t.since, cell: ({ since }) => <Moment at={since} /> },
        ]}
        max={LIST_LIMITS.parked}
        empty={t.leftOutNone}
      />
    </Part>
  );
}

/** Versions that the log can't take. */
export function Refused({ versions }: { versions: Parked["refused"] }) {
  const t = useMessages(parkedMessages);
  return (
    <Part title={t.refused} lead={t.refusedLead}>
      <DataTable
        caption={t.refused}
        rows={versions}
        keyOf={({ collection, key, version }) => `${collection}/${key}/${version}`}
        columns={[
          {
            head: t.item,
            kind: "title",
            cell: ({ collection, key }) => `${collection}/${key}`,
          },
          { head: t.version, kind: "figure", cell: ({ version }) => version },
          { head: t.why, kind: "wide", cell: ({ reason }) => <ServiceText>{reason}</ServiceText> },
          { head: t.since, cell: ({ since }) => <Moment at={since} /> },
        ]}
        max={LIST_LIMITS.parked}
        empty={t.refusedNone}
      />
    </Part>
  );
}
