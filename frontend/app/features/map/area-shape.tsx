import type { Point } from "#app/lib/map/projection.ts";
import { onGround } from "./placing.ts";

interface AreaShapeProps {
  /** On the Web Mercator square. */
  readonly points: readonly Point[];
  /** Those of them that are shown as corners. */
  readonly dots?: readonly Point[];
}

/** An area over the ground, drawn or being drawn. */
export function AreaShape({ points, dots = [] }: AreaShapeProps) {
  const text = (point: Point) => {
    const { x, y } = onGround(point);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  if (points.length === 0) return null;
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full stroke-ink"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <g data-layer="">
        <path
          d={`M${points.map(text).join("L")}Z`}
          className="fill-sun/25"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
        <path
          // Lines without a length: their round ends are dots of one size at every zoom.
          d={dots.map((point) => `M${text(point)}h0`).join("")}
          strokeWidth={10}
          vectorEffect="non-scaling-stroke"
        />
      </g>
    </svg>
  );
}
