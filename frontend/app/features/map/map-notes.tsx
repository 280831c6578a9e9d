import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { mapMessages } from "./messages.ts";

interface MapNotesProps {
  /** The browser can't draw the moving map. */
  lost: boolean;
  /** No home is found. */
  nothing: boolean;
  failed: boolean;
  /** Where only a part of the map is searched. */
  onEverywhere: (() => void) | undefined;
  onRetry(): void;
}

/** What the map has to say of itself, over its foot. */
export function MapNotes({ lost, nothing, failed, onEverywhere, onRetry }: MapNotesProps) {
  const t = useMessages(mapMessages);
  return (
    <>
      {lost ? <Note>{t.lost}</Note> : null}
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

/** Below it the map stays in use. */
function Note({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-3 bottom-3 z-30 mx-auto flex w-fit max-w-sm flex-wrap items-center justify-center gap-x-3 rounded-card border border-line bg-surface px-5 py-3 text-center text-sm raised">
      {children}
    </div>
  );
}
