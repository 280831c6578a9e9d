import { Link } from "./link.tsx";

export interface Crumb {
  label: string;
  to: string;
}

/** Links to the ancestors of the current page; the page itself is not among them. */
export function Breadcrumbs({ label, crumbs }: { label: string; crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label={label}>
      <ol className="breadcrumbs">
        {crumbs.map(({ label: name, to }) => (
          <li key={to}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
