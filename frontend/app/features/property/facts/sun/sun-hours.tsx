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
  /** Whether it is a terrace that faces there. */
  terrace: boolean;
}

/** The hours of sun on the shortest day and the longest, drawn and in words. */
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
          <circle cx={CENTRE.x} cy={CENTRE.y} r={HORIZON} className="fill-none stroke-sea/60" />
          <path d={before(bearingOf(facing))} className="fill-sun/25" />
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
              <text key={day} x={CENTRE.x} y={noon(moments).y + 20} fontSize={14}>
                {day}
              </text>
            ),
          )}
          {isHydrated ? (
            <Courses courses={[summer, winter]} side={before(bearingOf(facing))} />
          ) : null}
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

/** The sky over the home, from above. */
const SKY = { width: 460, height: 320 } as const;
const CENTRE = { x: SKY.width / 2, y: SKY.height / 2 };
/** How far the horizon is drawn from the home; what stands higher is nearer to it. */
const HORIZON = 124;

function onSky(azimuth: number, altitude: number) {
  const away = (HORIZON * (90 - altitude)) / 90;
  const angle = (azimuth * Math.PI) / 180;
  return {
    x: Math.round(CENTRE.x + away * Math.sin(angle)),
    y: Math.round(CENTRE.y - away * Math.cos(angle)),
  };
}

const point = ({ x, y }: { x: number; y: number }) => `${x} ${y}`;

/** The half of the sky before what faces `bearing`. */
function before(bearing: number): string {
  const [left, right] = [onSky(bearing - 90, 0), onSky(bearing + 90, 0)];
  return `M${point(left)}A${HORIZON} ${HORIZON} 0 0 1 ${point(right)}Z`;
}

/** How many minutes lie between two points of a line. */
const STEP = 10;

/** The line through them, each point told from the one before: they are near each other. */
function line(moments: readonly Moment[]): string {
  const drawn = moments.filter((_, index) => index % STEP === 0 || index === moments.length - 1);
  const points = drawn.map(({ azimuth, altitude }) => onSky(azimuth, altitude));
  const steps = points.slice(1).map(({ x, y }, index) => {
    const from = points[index] ?? { x, y };
    return `${x - from.x} ${y - from.y}`;
  });
  return points[0] ? `M${point(points[0])}l${steps.join(" ")}` : "";
}

/** Where the sun stands highest. */
function noon(moments: readonly Moment[]) {
  const highest = Math.max(...moments.map(({ altitude }) => altitude));
  return onSky(180, highest);
}

interface CoursesProps {
  courses: readonly SunCourse[];
  /** What lies before the terrace. */
  side: string;
}

/** The sun's ways over the sky: thick where it is on the terrace. They weigh more than all the rest. */
function Courses({ courses, side }: CoursesProps) {
  const lines = courses.map(({ moments }) => <path key={moments.length} d={line(moments)} />);
  return (
    <g fill="none">
      <clipPath id="sunny-side">
        <path d={side} />
      </clipPath>
      <g stroke="currentColor">{lines}</g>
      <g clipPath="url(#sunny-side)" className="stroke-sun" strokeWidth={6}>
        {lines}
      </g>
      <rect x={CENTRE.x - 6} y={CENTRE.y - 6} width={12} height={12} fill="currentColor" />
    </g>
  );
}
