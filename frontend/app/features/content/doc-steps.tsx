import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { docNeighbours, docPath } from "./doc-tree.ts";
import { contentMessages } from "./messages.ts";
import type { DocLink } from "./queries.ts";

const card =
  "group flex h-full flex-col gap-1 rounded-card border border-line bg-surface px-6 py-5 transition-colors hover:border-line-strong";
const label = "flex items-center gap-2 text-sm text-muted";

/** The pages before and after this one. */
export function DocSteps({ links, slug }: { links: readonly DocLink[]; slug: string }) {
  const t = useMessages(contentMessages);
  const { before, after } = docNeighbours(links, slug);
  return (
    <nav aria-label={t.readOn} className="mt-14 grid max-w-[41rem] gap-4 sm:grid-cols-2">
      {before ? (
        <Link to={docPath(before.slug)} rel="prev" className={card}>
          <span className={label}>
            <Icon name="arrow" className="size-4 rotate-180" />
            {t.before}
          </span>
          <span className="font-medium">{before.title}</span>
        </Link>
      ) : null}
      {after ? (
        <Link
          to={docPath(after.slug)}
          rel="next"
          className={`${card} sm:col-start-2 sm:items-end sm:text-right`}
        >
          <span className={label}>
            {t.after}
            <Icon name="arrow" className="size-4" />
          </span>
          <span className="font-medium">{after.title}</span>
        </Link>
      ) : null}
    </nav>
  );
}
