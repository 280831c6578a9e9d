import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { mapMessages } from "./messages.ts";
import type { MapFault } from "./use-live-map.ts";

interface MapNotesProps {
  fault: MapFault | undefined;
  /** No home was found. */
  nothing: boolean;
  failed: boolean;
  /** Defined only if the search is limited to a part of the map. */
  onEverywhere: (() => void) | undefined;
  onRetry(): void;
}

/** The notes about the map's state, at its bottom edge. */
export function MapNotes({ fault, nothing, failed, onEverywhere, onRetry }: MapNotesProps) {
  const t = useMessages(mapMessages);
  return (
    <>
      {fault ? (
        <Note>
          {t[fault]}
          {fault === "unloaded" ? (
            // A new document, since browsers remember that a script could not be loaded.
            <button type="button" className="text-link" onClick={() => location.reload()}>
              {t.again}
            </button>
          ) : null}
        </Note>
      ) : null}
      {nothing ? (
        <Note>
          {t.nothing}
          {onEverywhere ? (
            <button type="button" className="text-link min-h-9 font-medium" onClick={onEverywhere}>
              {t.everywhere}
            </button>
          ) : null}
        </Note>
      ) : null}
      {failed ? (
        <Note>
          {t.failed}
          <button type="button" className="text-link" onClick={onRetry}>
            {t.again}
          </button>
        </Note>
      ) : null}
    </>
  );
}

/** A note over the map. The map stays usable around it. */
function Note({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-3 bottom-3 z-30 mx-auto flex w-fit max-w-sm flex-wrap items-center justify-center gap-x-3 rounded-card border border-line bg-surface px-5 py-3 text-center text-sm raised">
      {children}
    </div>
  );
}
