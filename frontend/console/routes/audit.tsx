import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { AuditList } from "#console/features/audit/audit-list.tsx";
import { auditMessages } from "#console/features/audit/messages.ts";
import { auditQuery, LIST_LIMITS } from "#console/lib/api/queries.ts";
import { Page } from "#console/ui/page.tsx";
import { Pages } from "#console/ui/pages.tsx";
import { QueryState } from "#console/ui/query-state.tsx";

export function Component() {
  const t = useMessages(auditMessages);
  const [search] = useSearchParams();
  const before = search.get("before");
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="mt-6">
        <QueryState of={useQuery(auditQuery(before))}>
          {({ items, next }) => (
            <>
              <AuditList items={items} empty={before === null ? t.empty : t.emptyBefore} />
              <p className="mt-3 text-sm text-muted">{t.perPage(String(LIST_LIMITS.audit))}</p>
              <Pages path="/audit" before={before} next={next} />
            </>
          )}
        </QueryState>
      </div>
    </Page>
  );
}
