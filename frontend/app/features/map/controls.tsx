import { useMessages } from "#app/lib/i18n/messages.ts";
import { Drawing } from "#app/ui/icon.tsx";
import { mapMessages } from "./messages.ts";
import type { Motion } from "./motion.ts";

const SIGNS = {
  plus: "M12 6v12M6 12h12",
  minus: "M6 12h12",
  whole: "M4 9V4h5m6 0h5v5m0 6v5h-5m-6 0H4v-5",
} as const;

interface ControlsProps {
  readonly motion: Motion;
  onWhole(): void;
}

/** Nearer, farther, and all there is. */
export function Controls({ motion, onWhole }: ControlsProps) {
  const t = useMessages(mapMessages);
  const buttons = [
    ["plus", t.zoomIn, () => motion.zoomBy(1)],
    ["minus", t.zoomOut, () => motion.zoomBy(-1)],
    ["whole", t.whole, onWhole],
  ] as const;
  return (
    <div
      data-still=""
      className="absolute top-3 right-3 z-40 flex flex-col overflow-clip rounded-2xl border border-line bg-surface shadow-[0_2px_8px_var(--shadow)]"
    >
      {buttons.map(([sign, name, act]) => (
        <button
          key={sign}
          type="button"
          aria-label={name}
          title={name}
          onClick={act}
          className="grid size-11 place-items-center border-line not-first:border-t hover:bg-sunk focus-visible:outline-offset-[-4px]"
        >
          <Drawing path={SIGNS[sign]} />
        </button>
      ))}
    </div>
  );
}
