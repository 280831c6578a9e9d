import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Camera, Size } from "./camera.ts";
import { roomyLabels } from "./labels.ts";
import type { Cluster, Pin } from "./map-query.ts";
import { mapMessages } from "./messages.ts";
import { placed } from "./placing.ts";

interface NamesProps {
  readonly camera: Camera;
  readonly size: Size;
  /** What names give way to. */
  readonly markers: readonly (Cluster | Pin)[];
}

/** The names on the drawn ground, those that have room. */
export function Names({ camera, size, markers }: NamesProps) {
  const t = useMessages(mapMessages);
  const { labels, offshore } = roomyLabels(camera, size, markers, t.sea);
  return (
    <div
      data-layer=""
      aria-hidden="true"
      className="absolute top-0 left-0 text-xs whitespace-nowrap text-ink *:absolute *:top-0 *:left-0"
    >
      {offshore ? (
        <span
          style={placed(offshore)}
          className="font-display text-lg tracking-wide text-sea/80 italic"
        >
          {t.sea}
        </span>
      ) : null}
      {labels.map(({ name, town, below, ...spot }) =>
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
