import { memo } from "react";
import { roundedPath, spotsOf } from "#app/lib/map/line.ts";
import { project } from "#app/lib/map/projection.ts";
import { FRAME, SHORE } from "#app/lib/map/shore.gen.ts";
import { BORDERS } from "./municipalities.gen.ts";
import { onGround } from "./placing.ts";

const path = (steps: readonly number[]) =>
  roundedPath(spotsOf(steps).map((spot) => onGround(project(spot))));

/** How far out the water shows its depth, in pixels, and how strongly. */
const SHALLOWS = [
  [58, 0.14],
  [32, 0.16],
  [14, 0.2],
] as const;

/** The drawn ground: the sea with its shallows, the land, and the borders of municipalities. */
export const Ground = memo(function Ground() {
  const shore = path(SHORE);
  const north = onGround(project({ lat: FRAME.north + 1, lng: FRAME.west - 1 }));
  const east = onGround(project({ lat: FRAME.south, lng: FRAME.east + 1 }));
  const land = `${shore}H${east.x.toFixed()}V${north.y.toFixed()}H${north.x.toFixed()}Z`;
  const borders = BORDERS.map(path).join("");
  return (
    <svg aria-hidden="true" className="absolute inset-0 size-full bg-water fill-none">
      <g data-layer="" strokeLinejoin="round" strokeLinecap="round">
        {SHALLOWS.map(([width, opacity]) => (
          <path
            key={width}
            d={shore}
            className="stroke-[light-dark(white,oklch(0.5_0.07_225))]"
            strokeWidth={width}
            strokeOpacity={opacity}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path d={land} className="fill-sunk" />
        <path
          d={borders}
          className="stroke-line-strong"
          strokeOpacity={0.4}
          strokeWidth={1}
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={shore}
          className="stroke-sea/60"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </g>
    </svg>
  );
});
