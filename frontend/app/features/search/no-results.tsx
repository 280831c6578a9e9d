import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Link } from "#app/ui/link.tsx";
import { searchMessages } from "./messages.ts";
import { EVERYTHING, searchPath } from "./search-params.ts";

export function NoResults() {
  const t = useMessages(searchMessages);
  return (
    <div className="flex flex-col items-center rounded-card bg-sunk px-6 py-20 text-center">
      <span aria-hidden="true" className="size-16 rounded-full bg-sun" />
      <h2 className="mt-6 text-heading">{t.nothing}</h2>
      <p className="mt-2 max-w-[48ch] text-muted">{t.nothingText}</p>
      <Link to={searchPath(EVERYTHING)} className={`${buttonStyle.outline} mt-6`}>
        {t.clear}
      </Link>
    </div>
  );
}
