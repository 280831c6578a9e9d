import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Overview } from "#console/lib/api/types.ts";
import { DataTable } from "#console/ui/data-table.tsx";
import { Duration } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { ServiceText } from "#console/ui/service-text.tsx";
import { State } from "#console/ui/state.tsx";
import { storeMessages } from "./messages.ts";
import { storeNames } from "./names-messages.ts";
import { useFigures } from "./use-figures.ts";

/** Every queue, cache and breaker of every role. */
export function Everywhere({ of }: { of: Pick<Overview, "queues" | "caches" | "breakers"> }) {
  const t = useMessages(storeMessages);
  const { figure, bytes, percent } = useFigures();
  return (
    <div className="grid items-start gap-x-12 lg:grid-cols-2">
      <Part title={t.queues}>
        <DataTable
          caption={t.queues}
          rows={of.queues}
          keyOf={({ name }) => name}
          columns={[
            { head: t.queue, kind: "title", cell: ({ name }) => <Name of={name} /> },
            { head: t.depth, kind: "figure", cell: ({ depth }) => figure(depth) },
            {
              head: t.oldest,
              kind: "figure",
              cell: ({ oldestSeconds }) => <Duration seconds={oldestSeconds} />,
            },
          ]}
          empty={t.queuesNone}
        />
      </Part>
      <div>
        <Part title={t.caches}>
          <DataTable
            caption={t.caches}
            rows={of.caches}
            keyOf={({ name }) => name}
            columns={[
              { head: t.cache, kind: "title", cell: ({ name }) => <Name of={name} /> },
              { head: t.used, kind: "figure", cell: ({ used }) => bytes(used) },
              { head: t.limit, kind: "figure", cell: ({ limit }) => bytes(limit) },
              { head: t.hitRatio, kind: "figure", cell: ({ hitRatio }) => percent(hitRatio) },
            ]}
            empty={t.cachesNone}
          />
        </Part>
        <Part title={t.breakers}>
          <DataTable
            caption={t.breakers}
            rows={of.breakers}
            keyOf={({ name }) => name}
            columns={[
              { head: t.breakerName, kind: "title", cell: ({ name }) => <Name of={name} /> },
              {
                head: t.state,
                cell: ({ open }) => (
                  <State tone={open ? "wrong" : "well"}>{open ? t.open : t.closed}</State>
                ),
              },
              {
                head: t.reason,
                cell: ({ reason }) => (reason ? <ServiceText>{reason}</ServiceText> : "–"),
              },
            ]}
            empty={t.breakersNone}
          />
        </Part>
      </div>
    </div>
  );
}

/** The service's name for a queue, cache or breaker; translated if it is a known one. */
function Name({ of }: { of: string }) {
  const words: Readonly<Record<string, string>> = useMessages(storeNames);
  return words[of] ?? <ServiceText>{of}</ServiceText>;
}
