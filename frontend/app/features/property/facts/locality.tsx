import { Fragment } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Point } from "#app/lib/map/projection.ts";
import { GROUND_ATTRIBUTION } from "#app/lib/map/towns.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { placesAround } from "#app/lib/site/places.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { Icon } from "#app/ui/icon.tsx";
import { onSketch, openStreetMapHref, SKETCH, seaPath } from "./coast.ts";
import { DOT, HALO, landmarksAround } from "./landmarks.ts";
import { sectionMessages } from "./section-messages.ts";

/** The approximate location of the home: a sketch of the coast, and a link to a real map. */
export function Locality({ property }: { property: PropertyDetail }) {
  const d = useMessages(sectionMessages);
  const { locations } = useSite();
  const { coordinates, location } = property;
  if (!coordinates) return null;
  const spot = onSketch(coordinates);
  const places = [location, ...placesAround(locations, location.slug).toReversed()];
  return (
    <section aria-labelledby="where" className="print:hidden">
      <h2 id="where" className="text-heading">
        {d.where}
      </h2>
      <p className="mt-3 max-w-[60ch] text-muted">{d.whereText(location.name)}</p>
      <div className="mt-5 overflow-hidden rounded-card border border-line bg-surface md:flex md:items-center">
        {spot ? (
          <Sketch home={spot} places={places.map(({ name }) => placeLabel(name))} sea={d.sea} />
        ) : null}
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

interface SketchProps {
  home: Point;
  /** The names of the places it lies in, the nearest first. */
  places: readonly string[];
  sea: string;
}

function Sketch({ home, places, sea }: SketchProps) {
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
      {landmarksAround(home, places).map(({ name, dot, x, y, anchor, ashore }) => (
        <Fragment key={name}>
          {dot ? <circle cx={dot.x} cy={dot.y} r={DOT} /> : null}
          <text
            x={x}
            y={y}
            textAnchor={anchor === "start" ? undefined : anchor}
            className={ashore ? "ashore" : undefined}
          >
            {name}
          </text>
        </Fragment>
      ))}
    </svg>
  );
}
