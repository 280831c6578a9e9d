import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Point } from "#app/lib/map/projection.ts";
import { GROUND_ATTRIBUTION, TOWNS, type Town } from "#app/lib/map/towns.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { Icon } from "#app/ui/icon.tsx";
import { onSketch, openStreetMapHref, SKETCH, seaPath } from "./coast.ts";
import { sectionMessages } from "./section-messages.ts";

/** Roughly where the home is: a sketch of the coast, and a link to a real map. */
export function Locality({ property }: { property: PropertyDetail }) {
  const d = useMessages(sectionMessages);
  const { coordinates, location } = property;
  if (!coordinates) return null;
  const spot = onSketch(coordinates);
  return (
    <section aria-labelledby="where" className="print:hidden">
      <h2 id="where" className="text-heading">
        {d.where}
      </h2>
      <p className="mt-3 max-w-[60ch] text-muted">{d.whereText(location.name)}</p>
      <div className="mt-5 overflow-hidden rounded-card border border-line bg-surface md:flex md:items-center">
        {spot ? <Sketch home={spot} sea={d.sea} /> : null}
        <div className="flex flex-col items-start gap-1 px-5 py-4 md:flex-1">
          <p className="flex items-center gap-2 font-semibold">
            <Icon name="pin" className="size-4.5 text-muted" />
            {placeLabel(location.name)}
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

/** How far around the home the sketch marks it: a place within a kilometre or two. */
const HALO = 34;

function Sketch({ home, sea }: { home: Point; sea: string }) {
  const { width, height } = SKETCH;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="sketch">
      <path
        d={seaPath()}
        className="fill-water stroke-sea/60"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <text x={width - 24} y={height - 24} textAnchor="end" className="sea-name">
        {sea}
      </text>
      <circle cx={home.x} cy={home.y} r={HALO} className="fill-sun/50" />
      <circle cx={home.x} cy={home.y} r={11} className="fill-sun stroke-on-sun" strokeWidth={2} />
      {TOWNS.map((town) => (
        <Landmark key={town.name} town={town} home={home} />
      ))}
    </svg>
  );
}

/** A town by its dot; one that the home stands in has only its name, beside the mark. */
function Landmark({ town: { name, ashore, ...at }, home }: { town: Town; home: Point }) {
  const spot = onSketch(at);
  if (!spot) return null;
  const here = Math.hypot(spot.x - home.x, spot.y - home.y) < HALO;
  return (
    <>
      {here ? null : <circle cx={spot.x} cy={spot.y} r={3.5} />}
      <text {...namePlace(spot, home, here, ashore)} className={ashore ? "ashore" : undefined}>
        {name}
      </text>
    </>
  );
}

/** In the water below, above the mark, or on the side of the dot where the home is not. */
function namePlace(spot: Point, home: Point, here: boolean, ashore = false) {
  const x = here ? home.x : spot.x;
  if (ashore) {
    const y = here ? Math.max(home.y, spot.y) : spot.y;
    return { x, y: y + 30, textAnchor: "middle" } as const;
  }
  if (here) return { x, y: home.y - 18, textAnchor: "middle" } as const;
  return home.x > x
    ? ({ x: x - 10, y: spot.y + 7, textAnchor: "end" } as const)
    : ({ x: x + 10, y: spot.y + 7, textAnchor: "start" } as const);
}
