import type { Orientation } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Spot } from "#app/lib/map/projection.ts";
import { orientationNames } from "#app/lib/vocabulary/particulars.gen.ts";
import { bearingOf, type Moment, type SunCourse, sunCourse } from "./sun-course.ts";
import { sunMessages } from "./sun-messages.ts";

interface SunHoursProps {
  spot: Spot;
  facing: Orientation;
  /** Whether a terrace faces that side; otherwise the main rooms do. */
  terrace: boolean;
}

/** The hours of sun on the shortest and the longest day, as a drawing and as text. */
export default function SunHours({ spot, facing, terrace }: SunHoursProps) {
  const t = useMessages(sunMessages);
  const isHydrated = useHydrated();
  const sides = useMessages(orientationNames);
  const winter = sunCourse("winter", spot, facing);
  const summer = sunCourse("summer", spot, facing);
  if (!winter || !summer) return null;
  return (
    <section aria-labelledby="sun">
      <h2 id="sun" className="text-heading">
        {t.title(terrace)}
      </h2>
      <div className="mt-5 grid gap-x-8 gap-y-6 md:grid-cols-2">
        <svg
          viewBox={`0 0 ${SKY.width} ${SKY.height}`}
          aria-hidden="true"
          fill="currentColor"
          textAnchor="middle"
          className="w-full text-muted noscript:hidden"
        >
          {isHydrated ? <Sky summer={summer} winter={winter} bearing={bearingOf(facing)} /> : null}
        </svg>
        <div>
          <p>{t.faces(sides[facing], terrace)}</p>
          <dl className="mt-3 flex flex-col gap-3">
            {[[t.winter, winter] as const, [t.summer, summer] as const].map(([day, { spans }]) => (
              <div key={day}>
                <dt className="font-semibold">{day}</dt>
                <dd>{t.hours(spans)}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 max-w-[60ch] text-sm text-muted">{t.caution}</p>
        </div>
      </div>
    </section>
  );
}

/** Size of the drawing, which shows the sky over the home from above. */
const SKY = { width: 460, height: 320 } as const;
const CENTRE = { x: SKY.width / 2, y: SKY.height / 2 };
/** Distance of the horizon from the home in the drawing; higher positions are closer to the home. */
const HORIZON = 124;

function onSky(azimuth: number, altitude: number) {
  const distance = (HORIZON * (90 - altitude)) / 90;
  const angle = (azimuth * Math.PI) / 180;
  return {
    x: Math.round(CENTRE.x + distance * Math.sin(angle)),
    y: Math.round(CENTRE.y - distance * Math.cos(angle)),
  };
}

const point = ({ x, y }: { x: number; y: number }) => `${x} ${y}`;

/** Returns the path of the half of the sky in front of a side that faces `bearing`. */
function halfInFrontOf(bearing: number): string {
  const [left, right] = [onSky(bearing - 90, 0), onSky(bearing + 90, 0)];
  return `M${point(left)}A${HORIZON} ${HORIZON} 0 0 1 ${point(right)}Z`;
}

/** Minutes between two points of a line. */
const STEP_MINUTES = 10;

/** Returns the path through the moments. It uses relative coordinates, which are short for close points. */
function coursePath(moments: readonly Moment[]): string {
  const drawn = moments.filter(
    (_, index) => index % STEP_MINUTES === 0 || index === moments.length - 1,
  );
  const points = drawn.map(({ azimuth, altitude }) => onSky(azimuth, altitude));
  const steps = points.slice(1).map(({ x, y }, index) => {
    const from = points[index] ?? { x, y };
    return `${x - from.x} ${y - from.y}`;
  });
  return points[0] ? `M${point(points[0])}l${steps.join(" ")}` : "";
}

/** Returns the highest position of the sun. */
function noonPosition(moments: readonly Moment[]) {
  const highest = Math.max(...moments.map(({ altitude }) => altitude));
  return onSky(180, highest);
}

interface SkyProps {
  summer: SunCourse;
  winter: SunCourse;
  /** The direction that the terrace faces, in degrees. */
  bearing: number;
}

/**
 * The sky, and the sun's paths over it, thick where it shines on the terrace. Rendered only after hydration:
 * it is larger than the rest of the section, and repeats its text.
 */
function Sky({ summer, winter, bearing }: SkyProps) {
  const t = useMessages(sunMessages);
  const side = halfInFrontOf(bearing);
  const paths = [summer, winter].map(({ moments }) => (
    <path key={moments.length} d={coursePath(moments)} />
  ));
  return (
    <>
      <circle cx={CENTRE.x} cy={CENTRE.y} r={HORIZON} className="fill-none stroke-sea/60" />
      <path d={side} className="fill-sun/25" />
      {[...t.compass].map((letter, quarter) => {
        const at = onSky(quarter * 90, -12);
        return (
          <text key={letter} x={at.x} y={at.y + 5}>
            {letter}
          </text>
        );
      })}
      {[[t.summerShort, summer] as const, [t.winterShort, winter] as const].map(
        ([day, { moments }]) => (
          <text key={day} x={CENTRE.x} y={noonPosition(moments).y + 20} fontSize={14}>
            {day}
          </text>
        ),
      )}
      <g fill="none">
        <clipPath id="sunny-side">
          <path d={side} />
        </clipPath>
        <g stroke="currentColor">{paths}</g>
        <g clipPath="url(#sunny-side)" className="stroke-sun" strokeWidth={6}>
          {paths}
        </g>
        <rect x={CENTRE.x - 6} y={CENTRE.y - 6} width={12} height={12} fill="currentColor" />
      </g>
    </>
  );
}
