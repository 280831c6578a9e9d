import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { LiveMap } from "./engine.ts";
import { mapMessages } from "./messages.ts";
import { BY_VISITOR } from "./use-live-map.ts";

interface ControlsProps {
  readonly map: LiveMap;
  onShowAll(): void;
}

/** Buttons to zoom in, to zoom out and to show all homes. */
export function Controls({ map, onShowAll }: ControlsProps) {
  const t = useMessages(mapMessages);
  const buttons = [
    ["plus", t.zoomIn, () => map.zoomIn({}, BY_VISITOR)],
    ["minus", t.zoomOut, () => map.zoomOut({}, BY_VISITOR)],
    ["area", t.showAll, onShowAll],
  ] as const;
  return (
    <div className="absolute top-3 right-3 z-20 flex flex-col overflow-clip rounded-2xl border border-line bg-surface raised">
      {buttons.map(([icon, name, act]) => (
        <button
          key={icon}
          type="button"
          aria-label={name}
          title={name}
          onClick={act}
          className="grid size-11 place-items-center border-line not-first:border-t hover:bg-sunk focus-visible:outline-offset-[-4px]"
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
