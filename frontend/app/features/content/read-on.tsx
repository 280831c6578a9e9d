import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { docPath } from "./doc-tree.ts";
import { contentMessages } from "./messages.ts";
import type { DocLink } from "./queries.ts";

/** Links to documentation pages that go deeper into a guide's subject. */
export function ReadOn({ docs }: { docs: readonly DocLink[] }) {
  const t = useMessages(contentMessages);
  if (docs.length === 0) return null;
  return (
    <section aria-labelledby="read-on" className="page-width py-14 lg:py-20">
      <h2 id="read-on" className="text-heading">
        {t.readOn}
      </h2>
      <DocLinks docs={docs} className="mt-6" />
    </section>
  );
}

export function DocLinks({
  docs,
  className = "",
}: {
  docs: readonly DocLink[];
  className?: string;
}) {
  return (
    <ul className={`grid gap-x-12 sm:grid-cols-2 ${className}`}>
      {docs.map(({ slug, title }) => (
        <li key={slug} className="border-t border-line sm:last:odd:col-span-2">
          <Link
            to={docPath(slug)}
            className="group flex min-h-14 items-center justify-between gap-4 py-3 font-medium"
          >
            <span className="decoration-sun-strong decoration-2 underline-offset-4 group-hover:underline">
              {title}
            </span>
            <Icon name="arrow" className="size-4.5 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
