import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Replica } from "#console/lib/api/types.ts";
import { DataTable } from "#console/ui/data-table.tsx";
import { Part } from "#console/ui/page.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { storeMessages } from "./messages.ts";
import { useFigures } from "./use-figures.ts";

/** The search index of each query node, and its position. */
export function SearchIndexes({ of }: { of: readonly Replica[] }) {
  const t = useMessages(storeMessages);
  const { figure, bytes, position } = useFigures();
  return (
    <Part title={t.index} lead={t.indexLead}>
      <DataTable
        caption={t.index}
        rows={of}
        keyOf={({ instance }) => instance}
        columns={[
          {
            head: t.node,
            kind: "title",
            cell: ({ instance, listeners }) => (
              <>
                <ServiceText>{instance}</ServiceText>
                <span className="block text-sm font-normal text-muted">
                  {t.listeners(figure(listeners))}
                </span>
              </>
            ),
          },
          {
            head: t.documents,
            kind: "figure",
            cell: (node) => (
              <span>
                {figure(node.documents)}
                <span className="block text-sm text-muted">
                  {t.inSegments(node.segments, figure(node.segments))} · {bytes(node.bytes)}
                </span>
              </span>
            ),
          },
          { head: t.indexPosition, kind: "figure", cell: ({ sequence }) => position(sequence) },
          {
            head: t.modelsPosition,
            kind: "figure",
            cell: ({ readModels }) => position(readModels),
          },
        ]}
        empty={t.indexNone}
      />
    </Part>
  );
}
