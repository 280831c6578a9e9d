import type { Orientation } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Spot } from "#app/lib/map/projection.ts";
import { orientationNames } from "#app/lib/vocabulary/particulars.gen.ts";
import { bearingOf, litRuns, type Moment, type SunCourse, sunCourse } from "./sun-course.ts";
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
          className="w-full text-muted"
        >
          <circle cx={CENTRE.x} cy={CENTRE.y} r={HORIZON} className="fill-none stroke-sea/60" />
          <path d={before(bearingOf(facing))} className="fill-sun/25" />
          {[...t.compass].map((letter, quarter) => {
            const at = onSky(quarter * 90, -12);
            return (
              <text key={letter} x={at.x} y={at.y + 5} textAnchor="middle" fill="currentColor">
                {letter}
              </text>
            );
          })}
          <Course course={summer} day={t.summerShort} />
          <Course course={winter} day={t.winterShort} />
          <rect x={CENTRE.x - 6} y={CENTRE.y - 6} width={12} height={12} fill="currentColor" />
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
  return { x: CENTRE.x + away * Math.sin(angle), y: CENTRE.y - away * Math.cos(angle) };
}

const point = ({ x, y }: { x: number; y: number }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The half of the sky before what faces `bearing`. */
function before(bearing: number): string {
  const [left, right] = [onSky(bearing - 90, 0), onSky(bearing + 90, 0)];
  return `M${point(left)}A${HORIZON} ${HORIZON} 0 0 1 ${point(right)}Z`;
}

/** How many minutes lie between two points of a line. */
const STEP = 15;

function line(moments: readonly Moment[]): string {
  const drawn = moments.filter((_, index) => index % STEP === 0 || index === moments.length - 1);
  return `M${drawn.map(({ azimuth, altitude }) => point(onSky(azimuth, altitude))).join("L")}`;
}

/** The sun's way over the sky: thick where it is on the terrace. */
function Course({ course, day }: { course: SunCourse; day: string }) {
  const [rises, sets] = [course.moments[0], course.moments.at(-1)];
  const ends = [
    { moment: rises, clock: course.sunrise, beside: 8, anchor: "start" },
    { moment: sets, clock: course.sunset, beside: -8, anchor: "end" },
  ] as const;
  return (
    <>
      <path d={line(course.moments)} fill="none" stroke="currentColor" />
      {litRuns(course.moments).map((run) => (
        <path
          key={run[0]?.time}
          d={line(run)}
          fill="none"
          stroke="var(--color-sun)"
          strokeWidth={6}
          strokeLinecap="round"
        />
      ))}
      {ends.map(({ moment, clock, beside, anchor }) => {
        if (!moment) return null;
        const at = onSky(moment.azimuth, 0);
        return (
          <text
            key={anchor}
            x={at.x + beside}
            y={at.y + 5}
            textAnchor={anchor}
            fill="currentColor"
            fontSize={14}
          >
            {`${day} ${clock}`}
          </text>
        );
      })}
    </>
  );
}
