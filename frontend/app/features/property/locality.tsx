import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { onSketch, openStreetMapHref, roughly, SKETCH, seaPath, TOWNS } from "./coast.ts";
import { detailMessages } from "./detail-messages.ts";

/** Roughly where the home is: a sketch of the coast, and a link to a real map. */
export function Locality({ property }: { property: PropertyDetail }) {
  const d = useMessages(detailMessages);
  const { coordinates, location } = property;
  if (!coordinates) return null;
  const { lat, lng } = roughly(coordinates);
  const spot = onSketch(coordinates);
  return (
    <section aria-labelledby="where" className="print:hidden">
      <h2 id="where" className="text-heading">
        {d.where}
      </h2>
      <p className="mt-2 max-w-[60ch] text-muted">{d.whereText(location.name)}</p>
      <div className="mt-5 overflow-hidden rounded-card border border-line bg-surface">
        {spot ? <Sketch x={spot.x} y={spot.y} sea={d.sea} /> : null}
        <p className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3.5">
          <span className="flex items-center gap-2">
            <Icon name="pin" className="size-4.5 text-muted" />
            {location.name}
            <span className="text-sm text-muted tabular-nums">
              {lat.toFixed(2)}, {lng.toFixed(2)}
            </span>
          </span>
          <a
            href={openStreetMapHref(coordinates)}
            rel="noopener noreferrer"
            className="text-link py-1"
          >
            {d.openMap}
          </a>
        </p>
      </div>
    </section>
  );
}

function Sketch({ x, y, sea }: { x: number; y: number; sea: string }) {
  const { width, height } = SKETCH;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className="block h-auto w-full bg-sun-wash font-sans"
    >
      <path
        d={seaPath()}
        className="fill-sea/15 stroke-sea"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <text x={width * 0.16} y={height - 24} className="fill-sea text-[1.125rem] italic">
        {sea}
      </text>
      <circle cx={x} cy={y} r={34} className="fill-sun/45" />
      <circle cx={x} cy={y} r={11} className="fill-sun stroke-on-sun" strokeWidth={2} />
      {TOWNS.map(({ name, left, ...at }) => {
        const point = onSketch(at);
        if (!point) return null;
        return (
          <g key={name}>
            <circle cx={point.x} cy={point.y} r={3.5} className="fill-ink" />
            <text
              x={point.x + (left ? -9 : 9)}
              y={point.y + 6}
              textAnchor={left ? "end" : "start"}
              className="fill-ink text-[1.0625rem]"
            >
              {name}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
