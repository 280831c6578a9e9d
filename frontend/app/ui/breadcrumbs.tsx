import { Link } from "./link.tsx";

export interface Crumb {
  label: string;
  to: string;
}

/** The way up from here; the page itself is not among them. */
export function Breadcrumbs({ label, crumbs }: { label: string; crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        {crumbs.map(({ label: name, to }) => (
          <li
            key={to}
            className="flex items-center gap-2 after:content-['/'] last:after:content-none"
          >
            <Link to={to} className="inline-block py-1 hover:text-ink hover:underline">
              {name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
