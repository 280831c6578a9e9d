import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { emptySearchesQuery, LIST_LIMITS } from "#console/lib/api/queries.ts";
import { DataTable } from "#console/ui/data-table.tsx";
import { MergedState } from "#console/ui/merged-state.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { visitorMessages } from "./messages.ts";

/** Searches without results: the catalogue lacks the thing, or has another word for it. */
export function EmptySearches() {
  const t = useMessages(visitorMessages);
  const locale = useLocale();
  return (
    <Part title={t.empty} lead={t.emptyLead}>
      <MergedState of={useQuery(emptySearchesQuery)}>
        {(searches) => (
          <DataTable
            caption={t.empty}
            rows={searches}
            keyOf={({ query, locale: language }) => `${language} ${query}`}
            columns={[
              { head: t.search, kind: "title", cell: ({ query }) => query },
              { head: t.language, cell: ({ locale: language }) => language },
              { head: t.count, kind: "figure", cell: ({ count }) => formatNumber(locale, count) },
              { head: t.last, cell: ({ lastAt }) => <Moment at={lastAt} /> },
            ]}
            max={LIST_LIMITS.emptySearches}
            empty={t.emptyNone}
          />
        )}
      </MergedState>
    </Part>
  );
}
