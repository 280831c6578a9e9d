import { Link } from "#app/ui/link.tsx";
import { docParts, docPath } from "./doc-tree.ts";
import type { DocLink } from "./queries.ts";

/** The parts of the documentation side by side, each with its pages. */
export function GuideParts({ links }: { links: readonly DocLink[] }) {
  return (
    <ul className="grid gap-x-12 gap-y-10 md:grid-cols-3">
      {docParts(links).map(({ part, pages }) => (
        <li key={part.slug} className="border-t border-line-strong pt-4">
          <h3 className="text-xl">
            <Link to={docPath(part.slug)} className="entry-link">
              {part.title}
            </Link>
          </h3>
          <ul className="mt-2">
            {pages.map(({ slug, title }) => (
              <li key={slug}>
                <Link to={docPath(slug)} className="entry-link">
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
