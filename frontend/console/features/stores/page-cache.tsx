import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { siteState } from "#console/lib/api/queries.ts";
import type { Purged, SiteState } from "#console/lib/api/types.ts";
import { ConfirmAction } from "#console/ui/confirm-action.tsx";
import { type Fact, FactList } from "#console/ui/fact-list.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { Part } from "#console/ui/page.tsx";
import { QueryState } from "#console/ui/query-state.tsx";
import { State } from "#console/ui/state.tsx";
import { storeMessages } from "./messages.ts";
import { ratioOf } from "./progress-of.ts";
import { areTags, parseTags } from "./tags.ts";
import { useFigures } from "./use-figures.ts";

const CHANGES = siteState.queryKey;

/** The site's page cache, and the actions that purge it. */
export function PageCache() {
  const t = useMessages(storeMessages);
  const { figure } = useFigures();
  return (
    <Part title={t.pages} lead={t.pagesLead}>
      <QueryState of={useQuery(siteState)}>
        {(state) => (
          <Card className="grid gap-6 p-5 sm:p-6">
            <CacheFacts state={state} />
            <div className="flex flex-wrap gap-2 empty:hidden">
              <PurgeByTag />
              <ConfirmAction<Purged>
                label={t.purgeAll}
                title={t.purgeAllTitle}
                what={t.purgeAllWhat}
                path="/api/site/purge"
                body={{ everything: true }}
                changes={CHANGES}
                done={({ purged }) => t.purgedNow(purged, figure(purged))}
              />
            </div>
          </Card>
        )}
      </QueryState>
    </Part>
  );
}

/** The figures that the site reports. */
function CacheFacts({ state: { cache, purge, renders, pictures, feed } }: { state: SiteState }) {
  const t = useMessages(storeMessages);
  const { figure, bytes, percent, position } = useFigures();
  const atWork = (of: { running: number; waiting: number }) =>
    t.atWork(figure(of.running), figure(of.waiting));
  const pageCount =
    cache.current === undefined
      ? figure(cache.pages)
      : t.ofThem(figure(cache.current), figure(cache.pages - cache.current));
  const facts: Fact[] = [
    [t.pagesKept, pageCount],
    [t.used, `${bytes(cache.bytes)} / ${bytes(cache.limitBytes)}`],
    [t.hitRatio, percent(ratioOf(cache.hits, cache.misses))],
    [t.stale, figure(cache.stale)],
    [t.purged, <Moment key="" at={purge.last} />],
    [t.purgedTo, position(purge.sequence)],
    [t.renders, atWork(renders)],
    [t.pictures, atWork(pictures)],
    [t.picturesKept, `${bytes(pictures.cachedBytes)} / ${bytes(pictures.limitBytes)}`],
    [
      t.feed,
      <State key="" tone={feed.connected ? "well" : "wrong"}>
        {feed.connected ? t.connected : t.disconnected}
      </State>,
    ],
  ];
  return <FactList facts={facts} />;
}

function PurgeByTag() {
  const t = useMessages(storeMessages);
  const { figure } = useFigures();
  const [isInvalid, setInvalid] = useState(false);
  const tags = (answers: FormData) => parseTags(String(answers.get("tags") ?? ""));
  return (
    <ConfirmAction<Purged>
      label={t.purge}
      title={t.purgeTitle}
      what={t.purgeWhat}
      path="/api/site/purge"
      check={(answers) => {
        const isValid = areTags(tags(answers));
        setInvalid(!isValid);
        return isValid;
      }}
      body={(answers: FormData) => ({ tags: tags(answers) })}
      changes={CHANGES}
      done={({ purged }) => t.purgedNow(purged, figure(purged))}
    >
      <TextArea
        name="tags"
        label={t.tags}
        hint={t.tagsHint}
        rows={3}
        maxLength={20_000}
        required
        error={isInvalid ? t.tagsWrong : undefined}
        autoCapitalize="none"
        spellCheck={false}
      />
    </ConfirmAction>
  );
}
