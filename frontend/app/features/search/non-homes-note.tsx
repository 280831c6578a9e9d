import { useMessages } from "#app/lib/i18n/messages.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";

interface NonHomesNoteProps {
  search: Search;
  homes: number;
  /** The number of properties that are not homes. */
  others: number;
}

/** States that garages, land and premises are listed after the homes, and links to a list of them alone. */
export function NonHomesNote({ search, homes, others }: NonHomesNoteProps) {
  const t = useMessages(searchMessages);
  if (!homes || !others) return null;
  return (
    <p className="text-muted">
      <span>{t.homesThen(homes)}</span>{" "}
      <Link
        to={searchPath({ ...search, propertyType: ["Commercial"], page: 1 })}
        preventScrollReset
        state={{ chip: 0 }}
        className="text-link font-medium"
      >
        {t.others(others)}
      </Link>
    </p>
  );
}
