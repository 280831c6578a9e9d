import { getPosition, getTimes } from "suncalc";
import type { Orientation } from "#app/lib/api/types.ts";
import type { Spot } from "#app/lib/map/projection.ts";

/** The two days between which all others lie, and how far Spain's clocks are ahead of Greenwich then. */
const DAYS = {
  winter: { date: "2026-12-21", hoursAhead: 1 },
  summer: { date: "2026-06-21", hoursAhead: 2 },
} as const;

export type Season = keyof typeof DAYS;

/** Degrees from north, clockwise. */
const BEARINGS: Record<Orientation, number> = {
  n: 0,
  ne: 45,
  e: 90,
  se: 135,
  s: 180,
  sw: 225,
  w: 270,
  nw: 315,
};

const MINUTE_MS = 60_000;

/** Where the sun stands at a minute of the day, and whether it shines on what faces that side. */
export interface Moment {
  readonly time: number;
  readonly azimuth: number;
  readonly altitude: number;
  readonly shines: boolean;
}

/** From when until when the sun is on it. */
export interface Span {
  readonly from: string;
  readonly fromSunrise: boolean;
  readonly until: string;
  readonly untilSunset: boolean;
}

export interface SunCourse {
  /** Every minute from sunrise to sunset. */
  readonly moments: readonly Moment[];
  readonly sunrise: string;
  readonly sunset: string;
  readonly spans: readonly Span[];
}

/** How far `facing` is from north, clockwise, in degrees. */
export function bearingOf(facing: Orientation): number {
  return BEARINGS[facing];
}

/**
 * The sun's course on a day of the season as it is seen from `spot`, by the clocks of Spain; it shines
 * on what faces a side while it stands before it. None where the sun neither rises nor sets.
 */
export function sunCourse(season: Season, spot: Spot, facing: Orientation): SunCourse | undefined {
  const { date, hoursAhead } = DAYS[season];
  const { sunrise, sunset } = getTimes(new Date(`${date}T12:00:00Z`), spot.lat, spot.lng);
  if (!sunrise || !sunset) return undefined;
  const moments: Moment[] = [];
  for (let time = sunrise.getTime(); time <= sunset.getTime(); time += MINUTE_MS) {
    const { azimuth, altitude } = getPosition(new Date(time), spot.lat, spot.lng);
    moments.push({ time, azimuth, altitude, shines: isBefore(azimuth, BEARINGS[facing]) });
  }
  const clock = (time: number, minutes: number) => clockAt(time, hoursAhead, minutes);
  const runs = litRuns(moments);
  return {
    moments,
    sunrise: clock(sunrise.getTime(), 1),
    sunset: clock(sunset.getTime(), 1),
    spans: runs.map((run) => {
      const [first, last] = [run[0], run.at(-1)] as [Moment, Moment];
      const fromSunrise = first === moments[0];
      const untilSunset = last === moments.at(-1);
      return {
        from: fromSunrise ? clock(sunrise.getTime(), 1) : clock(first.time, 5),
        fromSunrise,
        until: untilSunset ? clock(sunset.getTime(), 1) : clock(last.time, 5),
        untilSunset,
      };
    }),
  };
}

/** The stretches of the course in which the sun shines. */
function litRuns(moments: readonly Moment[]): Moment[][] {
  const runs: Moment[][] = [];
  let before = false;
  for (const moment of moments) {
    if (moment.shines && !before) runs.push([]);
    if (moment.shines) runs.at(-1)?.push(moment);
    before = moment.shines;
  }
  return runs;
}

/** Whether the sun stands before what faces `bearing`, and not behind it. */
function isBefore(azimuth: number, bearing: number): boolean {
  return Math.cos(((azimuth - bearing) * Math.PI) / 180) > 0;
}

/** `9:05`, to the nearest of so many minutes. */
function clockAt(time: number, hoursAhead: number, minutes: number): string {
  const step = minutes * MINUTE_MS;
  const there = Math.round((time + hoursAhead * 60 * MINUTE_MS) / step) * step;
  return new Date(there).toISOString().slice(11, 16).replace(/^0/, "");
}
