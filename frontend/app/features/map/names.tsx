import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Spot } from "#app/lib/map/projection.ts";
import type { Camera, Size } from "./camera.ts";
import { roomyLabels } from "./labels.ts";
import { mapMessages } from "./messages.ts";
import { placed } from "./placing.ts";

/** Where the sea has its name: off Torrox, below what is written ashore. */
const OFFSHORE = { lat: 36.69, lng: -3.9 };

interface NamesProps {
  readonly camera: Camera;
  readonly size: Size;
  /** What names give way to. */
  readonly markers: readonly Spot[];
}

/** The names on the drawn ground, those that have room. */
export function Names({ camera, size, markers }: NamesProps) {
  const t = useMessages(mapMessages);
  return (
    <div
      data-layer=""
      aria-hidden="true"
      className="absolute top-0 left-0 text-xs whitespace-nowrap text-ink *:absolute *:top-0 *:left-0"
    >
      <span
        style={placed(OFFSHORE)}
        className="font-display text-lg tracking-wide text-sea/80 italic"
      >
        {t.sea}
      </span>
      {roomyLabels(camera, size, markers).map(({ name, town, below, ...spot }) =>
        town ? (
          <span key={name} style={placed(spot)} className="font-semibold">
            <i className="absolute top-1/2 left-1/2 size-1.5 -translate-1/2 rounded-full bg-ink" />
            <span className="relative block" style={{ top: below }}>
              {name}
            </span>
          </span>
        ) : (
          <span key={name} style={placed(spot)} className="text-muted">
            <span className="relative block" style={{ top: below }}>
              {name}
            </span>
          </span>
        ),
      )}
    </div>
  );
}
