import { useMessages } from "#app/lib/i18n/messages.ts";
import { mapMessages } from "./messages.ts";

interface FootProps {
  readonly asIMove: boolean;
  /** Nothing while the map can't be moved. */
  readonly onAsIMove: ((asIMove: boolean) => void) | undefined;
  /** Homes that are found and have no place. */
  readonly unplaced: number;
  readonly attribution: string;
}

/** Below the map. */
export function Foot({ asIMove, onAsIMove, unplaced, attribution }: FootProps) {
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
