import { useMessages } from "#app/lib/i18n/messages.ts";
import { mapMessages } from "./messages.ts";

interface FootProps {
  readonly asIMove: boolean;
  onAsIMove(asIMove: boolean): void;
  /** Homes that are found and have no place. */
  readonly unplaced: number;
  readonly attribution: string;
  /** What one can do while drawing stands here then (`panelRef`), and little else. */
  readonly drawing: boolean;
  panelRef(panel: HTMLDivElement | null): void;
}

/** Below the map. */
export function Foot({ asIMove, onAsIMove, unplaced, attribution, drawing, panelRef }: FootProps) {
  const t = useMessages(mapMessages);
  return (
    <div
      ref={panelRef}
      className="flex flex-wrap items-center justify-between gap-x-6 border-t border-line px-4 text-sm"
    >
      <label hidden={drawing} className="flex min-h-11 cursor-pointer items-center gap-2.5">
        <input
          type="checkbox"
          checked={asIMove}
          onChange={({ target }) => onAsIMove(target.checked)}
          className="tick"
        />
        {t.asIMove}
      </label>
      {unplaced > 0 && !drawing ? <p className="py-1 text-muted">{t.unplaced(unplaced)}</p> : null}
      <small className="py-1 text-xs text-muted">{attribution}</small>
    </div>
  );
}
