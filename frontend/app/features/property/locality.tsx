import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { GROUND_ATTRIBUTION, TOWNS } from "#app/lib/map/towns.ts";
import { Icon } from "#app/ui/icon.tsx";
import { onSketch, openStreetMapHref, SKETCH, seaPath } from "./coast.ts";
import { moreMessages } from "./more-messages.ts";
import { roughly } from "./roughly.ts";

/** Roughly where the home is: a sketch of the coast, and a link to a real map. */
export function Locality({ property }: { property: PropertyDetail }) {
  const d = useMessages(moreMessages);
  const { coordinates, location } = property;
  if (!coordinates) return null;
  const { lat, lng } = roughly(coordinates);
  const spot = onSketch(coordinates);
  return (
    <section aria-labelledby="where" className="print:hidden">
      <h2 id="where" className="text-heading">
        {d.where}
      </h2>
      <p className="mt-3 max-w-[60ch] text-muted">{d.whereText(location.name)}</p>
      <div className="mt-5 overflow-hidden rounded-card border border-line bg-surface md:flex md:items-center">
        {spot ? <Sketch x={spot.x} y={spot.y} sea={d.sea} /> : null}
        <div className="flex flex-col items-start gap-1 px-5 py-4 md:flex-1">
          <p className="flex items-center gap-2 font-semibold">
            <Icon name="pin" className="size-4.5 text-muted" />
            {location.name}
          </p>
          <p className="text-sm text-muted tabular-nums">
            {lat.toFixed(2)}, {lng.toFixed(2)}
          </p>
          <a
            href={openStreetMapHref(coordinates)}
            rel="noopener noreferrer"
            className="text-link mt-1 py-1"
          >
            {d.openMap}
          </a>
          {spot ? <small className="text-xs text-muted">{GROUND_ATTRIBUTION}</small> : null}
        </div>
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
      className="block h-auto w-full bg-sunk font-sans md:w-3/5"
    >
      <path
        d={seaPath()}
        className="fill-sea/20 stroke-sea/60"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <text x={width - 70} y={height - 24} className="fill-sea text-[1.125rem] italic">
        {sea}
      </text>
      <circle cx={x} cy={y} r={34} className="fill-sun/50" />
      <circle cx={x} cy={y} r={11} className="fill-sun stroke-on-sun" strokeWidth={2} />
      {TOWNS.map(({ name, ashore, ...at }) => {
        const point = onSketch(at);
        if (!point) return null;
        return (
          <g key={name} className="fill-ink text-[1.0625rem]">
            <circle cx={point.x} cy={point.y} r={3.5} />
            {ashore ? (
              <text x={point.x} y={point.y + 28} textAnchor="middle">
                {name}
              </text>
            ) : (
              <text x={point.x + 9} y={point.y + 6}>
                {name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
