import type { Ref } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { mapMessages } from "./messages.ts";

interface MapActionsProps {
  /** The button that draws and clears. It gets the focus back after drawing. */
  ref: Ref<HTMLButtonElement>;
  hasArea: boolean;
  onDraw(): void;
  onClear(): void;
  /** Defined only if the map was moved without a search for what it shows now. */
  onSearchHere: (() => void) | undefined;
}

/** Buttons to draw or clear an area, and to search in what the map shows. */
export function MapActions({ ref, hasArea, onDraw, onClear, onSearchHere }: MapActionsProps) {
  const t = useMessages(mapMessages);
  return (
    <div className="absolute top-3 left-3 z-20 flex flex-col items-start gap-2">
      <button
        ref={ref}
        type="button"
        className="raised min-h-11 rounded-full border border-line bg-surface px-4 text-sm font-medium hover:bg-sunk"
        onClick={hasArea ? onClear : onDraw}
      >
        {hasArea ? t.clear : t.draw}
      </button>
      {onSearchHere ? (
        <Button className="raised text-sm" onClick={onSearchHere}>
          {t.searchHere}
        </Button>
      ) : null}
    </div>
  );
}
