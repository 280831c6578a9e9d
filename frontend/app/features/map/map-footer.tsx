import { useMessages } from "#app/lib/i18n/messages.ts";
import { mapMessages } from "./messages.ts";

interface MapFooterProps {
  readonly asIMove: boolean;
  /** Undefined while the map can't be moved. */
  readonly onAsIMove: ((asIMove: boolean) => void) | undefined;
  /** The number of homes in the result that have no position. */
  readonly unplaced: number;
  readonly attribution: string;
}

/**
 * The line below the map: the search-as-I-move option, the number of homes without a position, and the
 * attribution.
 */
export function MapFooter({ asIMove, onAsIMove, unplaced, attribution }: MapFooterProps) {
  const t = useMessages(mapMessages);
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 border-t border-line px-4 text-sm">
      <label
        className={`flex min-h-11 cursor-pointer items-center gap-2.5 noscript:hidden ${onAsIMove ? "" : "invisible"}`}
      >
        <input
          type="checkbox"
          checked={asIMove}
          onChange={({ target }) => onAsIMove?.(target.checked)}
          className="tick"
        />
        {t.asIMove}
      </label>
      {unplaced > 0 ? <p className="py-1 text-muted">{t.unplaced(unplaced)}</p> : null}
      <small className="py-1 text-xs text-muted">{attribution}</small>
    </div>
  );
}
