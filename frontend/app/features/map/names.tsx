import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Camera, Size } from "./camera.ts";
import { roomyLabels } from "./labels.ts";
import { mapMessages } from "./messages.ts";
import { placed } from "./placing.ts";

/** Where the sea has its name: off Torrox, below what is written ashore. */
const OFFSHORE = { lat: 36.66, lng: -3.93 };

/** The names on the drawn ground, those that have room. */
export function Names({ camera, size }: { camera: Camera; size: Size }) {
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
      {roomyLabels(camera, size).map(({ name, town, ashore, ...spot }) =>
        town ? (
          <span key={name} style={placed(spot)} className="font-semibold">
            <i className="absolute top-1/2 left-1/2 size-1.5 -translate-1/2 rounded-full bg-ink" />
            <span className={`relative block ${ashore ? "top-3.5" : "-top-3.5"}`}>{name}</span>
          </span>
        ) : (
          <span key={name} style={placed(spot)} className="text-muted">
            {name}
          </span>
        ),
      )}
    </div>
  );
}
