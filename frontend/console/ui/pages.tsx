import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { uiMessages } from "./messages.ts";

interface PagesProps {
  /** The list's own path. */
  path: string;
  /** The shown page has what comes before this id; null for the newest page. */
  before: string | null;
  next: number | null;
}

/** Navigation through a list that is sorted newest first. Each page has its own address. */
export function Pages({ path, before, next }: PagesProps) {
  const t = useMessages(uiMessages);
  if (before === null && next === null) return null;
  return (
    <nav aria-label={t.pages} className="mt-4 flex flex-wrap gap-2">
      {before === null ? null : (
        <Link to={path} className={buttonStyle.outline}>
          <Icon name="back" className="size-4.5" />
          {t.newest}
        </Link>
      )}
      {next === null ? null : (
        <Link
          to={`${path}?${new URLSearchParams({ before: String(next) })}`}
          className={buttonStyle.outline}
        >
          {t.older}
          <Icon name="forward" className="size-4.5" />
        </Link>
      )}
    </nav>
  );
}
