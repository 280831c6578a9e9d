import type { CSSProperties } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { roundedPath, spotsOf } from "#app/lib/map/line.ts";
import { type Bounds, type Point, project, type Spot, worldSize } from "#app/lib/map/projection.ts";
import { FRAME, SHORE } from "#app/lib/map/shore.gen.ts";
import { TOWNS } from "#app/lib/map/towns.ts";
import { bboxText, parseArea } from "#app/lib/search/search-area.ts";
import { type Search, searchPath } from "#app/lib/search/search-params.ts";
import { Link } from "#app/ui/link.tsx";
import { MAX_ZOOM, paddingAround, phoneZoom, STREETS_ZOOM } from "./bounds.ts";
import type { PropertyMap } from "./map-query.ts";
import { CLUSTER, clusterWidth, ITEM, pinStyle } from "./marker-style.ts";
import { mergeOverlapping } from "./merge-overlapping.ts";
import { mapMessages } from "./messages.ts";
import { PinLabel } from "./pin-label.tsx";

/** The number of drawing units in the world's width. One is about eight metres. */
const UNITS = 2 ** 22;
const ORIGIN = project({ lat: 36.75, lng: -3.95 });
/** The extent of sea and land beyond the frame of the shore, in degrees. */
const MARGIN = 1;

const units = (spot: Spot): Point => {
  const { x, y } = project(spot);
  return { x: (x - ORIGIN.x) * UNITS, y: (y - ORIGIN.y) * UNITS };
};
const NORTH_WEST = units({ lat: FRAME.north + MARGIN, lng: FRAME.west });
const SOUTH_EAST = units({ lat: FRAME.south - MARGIN, lng: FRAME.east });
const SHORE_PATH = roundedPath(spotsOf(SHORE).map(units));
const LAND = `${SHORE_PATH}H${SOUTH_EAST.x.toFixed()}V${NORTH_WEST.y.toFixed()}H${NORTH_WEST.x.toFixed()}Z`;

interface DrawnMapProps {
  readonly search: Search;
  /** Undefined while it is loading: then only the coast is drawn. */
  readonly answer: PropertyMap | undefined;
  readonly bounds: Bounds;
  /** Whether the bounds fill the map, as those of an address do. */
  readonly toTheEdge: boolean;
}

/**
 * The map that is part of the page's HTML: the coast, and the homes as links. It is laid out by CSS alone,
 * so it fills any size without a script. The interactive map starts with the same view.
 */
export function DrawnMap({ search, answer, bounds, toTheEdge }: DrawnMapProps) {
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const from = units({ lat: bounds.north, lng: bounds.west });
  const to = units({ lat: bounds.south, lng: bounds.east });
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const { top, right, bottom, left } = paddingAround(toTheEdge);
  const perUnit = (side: string, padding: number, length: number) =>
    `(100${side} - ${padding}px) / ${Math.max(length, 1).toFixed(1)}`;
  const nearest = worldSize(toTheEdge ? MAX_ZOOM + STREETS_ZOOM : MAX_ZOOM) / UNITS;
  const unit = `min(${perUnit("cqw", left + right, to.x - from.x)},${perUnit("cqh", top + bottom, to.y - from.y)},${nearest}px)`;
  const place = (from: number, to: number, units: number) =>
    `calc(50% + ${(from - to) / 2}px + var(--unit) * ${units.toFixed(1)})`;
  const at = (point: Point): CSSProperties => ({
    left: place(left, right, point.x - middle.x),
    top: place(top, bottom, point.y - middle.y),
  });
  const [width, height] = [SOUTH_EAST.x - NORTH_WEST.x, SOUTH_EAST.y - NORTH_WEST.y];
  const area = parseArea(search.area).map(units);
  const { clusters, pins } = mergeOverlapping(
    answer?.clusters ?? [],
    answer?.pins ?? [],
    phoneZoom(bounds),
  );
  return (
    <div data-drawn="" className="@container-size absolute inset-0 overflow-clip bg-water">
      <div className="absolute inset-0" style={{ "--unit": unit } as CSSProperties}>
        <svg
          aria-hidden="true"
          viewBox={[NORTH_WEST.x, NORTH_WEST.y, width, height]
            .map((side) => side.toFixed())
            .join(" ")}
          className="absolute max-w-none fill-none"
          style={{
            ...at(NORTH_WEST),
            width: `calc(var(--unit) * ${width.toFixed()})`,
            height: `calc(var(--unit) * ${height.toFixed()})`,
          }}
        >
          <path d={LAND} className="fill-sunk stroke-sea/60" vectorEffect="non-scaling-stroke" />
          {area.length > 0 ? (
            <path
              d={`M${area.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`}
              className="fill-sun/25 stroke-ink"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          ) : null}
        </svg>
        {TOWNS.map((town) => (
          <span
            key={town.name}
            aria-hidden="true"
            className={`absolute -translate-x-1/2 text-xs font-semibold text-ink ${town.ashore ? "translate-y-1/2" : "-translate-y-1/2"}`}
            style={at(units(town))}
          >
            {town.name}
          </span>
        ))}
        <ul aria-label={t.homes}>
          {clusters.map((cluster) => (
            <li
              key={`${cluster.lat},${cluster.lng}`}
              className={`${ITEM} -translate-1/2`}
              style={at(units(cluster))}
            >
              <Link
                to={searchPath({ ...search, bbox: bboxText(widened(cluster.bounds)), page: 1 })}
                rel="nofollow"
                aria-label={t.group(cluster.count)}
                className={CLUSTER}
                style={{ inlineSize: `${clusterWidth(cluster.count)}px` }}
              >
                {formatNumber(locale, cluster.count)}
              </Link>
            </li>
          ))}
          {pins.map((pin) => (
            <li
              key={pin.ref}
              className={`${ITEM} -translate-x-1/2 -translate-y-full`}
              style={at(units(pin))}
            >
              <Link to={pin.url} className={pinStyle(pin.status === "for_sale")}>
                <PinLabel pin={pin} />
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Widens bounds, because homes at the edge of a map are hard to see. */
function widened({ west, south, east, north }: Bounds): Bounds {
  const margin = Math.max(east - west, north - south, 0.02) / 5;
  return {
    west: west - margin,
    south: south - margin,
    east: east + margin,
    north: north + margin,
  };
}
