import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { deliveriesQuery } from "#console/lib/api/queries.ts";
import { DataTable } from "#console/ui/data-table.tsx";
import { FactList } from "#console/ui/fact-list.tsx";
import { Part } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";
import { deliveryMessages } from "./messages.ts";

/** Enquiries received, and jobs delivered, by kind. */
export function LastDay() {
  const t = useMessages(deliveryMessages);
  const locale = useLocale();
  const figure = (value: number) => formatNumber(locale, value);
  return (
    <Part title={t.day}>
      <QueryState of={useQuery(deliveriesQuery)}>
        {({ enquiries, jobs }) => (
          <div className="grid gap-4">
            <Card className="p-5 sm:p-6">
              <FactList
                facts={[
                  [t.enquiriesHour, figure(enquiries.lastHour)],
                  [t.enquiriesDay, figure(enquiries.lastDay)],
                ]}
              />
            </Card>
            <DataTable
              caption={t.kinds}
              rows={jobs}
              keyOf={({ kind }) => kind}
              columns={[
                { head: t.kind, kind: "title", cell: ({ kind }) => t.kindOf(kind) },
                { head: t.done, kind: "figure", cell: ({ done }) => figure(done) },
                { head: t.waiting, kind: "figure", cell: ({ waiting }) => figure(waiting) },
                { head: t.failed, kind: "figure", cell: ({ failed }) => figure(failed) },
              ]}
              empty={t.kindsNone}
            />
          </div>
        )}
      </QueryState>
    </Part>
  );
}
