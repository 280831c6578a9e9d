import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { publishMessages } from "#console/features/publishes/messages.ts";
import { PublishList } from "#console/features/publishes/publish-list.tsx";
import { LIST_LIMITS, publishesQuery } from "#console/lib/api/queries.ts";
import { Page } from "#console/ui/page.tsx";
import { Pages } from "#console/ui/pages.tsx";
import { QueryState } from "#console/ui/query-state.tsx";

export function Component() {
  const t = useMessages(publishMessages);
  const [search] = useSearchParams();
  const before = search.get("before");
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="mt-6">
        <QueryState of={useQuery(publishesQuery(before))}>
          {({ items, next }) => (
            <>
              <PublishList items={items} empty={before === null ? t.empty : t.emptyBefore} />
              <p className="mt-3 text-sm text-muted">{t.perPage(String(LIST_LIMITS.publishes))}</p>
              <Pages path="/publishes" before={before} next={next} />
            </>
          )}
        </QueryState>
      </div>
    </Page>
  );
}
