import { getPosition, getTimes } from "suncalc";
import type { Orientation } from "#app/lib/api/types.ts";
import type { Spot } from "#app/lib/map/projection.ts";

/** The shortest and the longest day, with Spain's offset from UTC in hours. */
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

/** The position of the sun at a minute of the day, and whether it shines on the given side. */
export interface Moment {
  readonly time: number;
  readonly azimuth: number;
  readonly altitude: number;
  readonly shines: boolean;
}

/** A period in which the sun shines on the side. */
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

/** Returns the bearing of `facing`, in degrees clockwise from north. */
export function bearingOf(facing: Orientation): number {
  return BEARINGS[facing];
}

/**
 * Returns the sun's course at `spot` on the season's day, in Spanish time. The sun shines on a side while it is
 * in front of it. Returns undefined where the sun does not rise or set.
 */
export function sunCourse(season: Season, spot: Spot, facing: Orientation): SunCourse | undefined {
  const { date, hoursAhead } = DAYS[season];
  const { sunrise, sunset } = getTimes(new Date(`${date}T12:00:00Z`), spot.lat, spot.lng);
  if (!sunrise || !sunset) return undefined;
  const moments: Moment[] = [];
  for (let time = sunrise.getTime(); time <= sunset.getTime(); time += MINUTE_MS) {
    const { azimuth, altitude } = getPosition(new Date(time), spot.lat, spot.lng);
    moments.push({ time, azimuth, altitude, shines: isInFront(azimuth, BEARINGS[facing]) });
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

/** Returns the runs of consecutive moments in which the sun shines. */
function litRuns(moments: readonly Moment[]): Moment[][] {
  const runs: Moment[][] = [];
  let wasShining = false;
  for (const moment of moments) {
    if (moment.shines && !wasShining) runs.push([]);
    if (moment.shines) runs.at(-1)?.push(moment);
    wasShining = moment.shines;
  }
  return runs;
}

/** Returns whether the sun is in front of a side that faces `bearing`, not behind it. */
function isInFront(azimuth: number, bearing: number): boolean {
  return Math.cos(((azimuth - bearing) * Math.PI) / 180) > 0;
}

/** Formats a time as `9:05`, rounded to a multiple of `minutes`. */
function clockAt(time: number, hoursAhead: number, minutes: number): string {
  const step = minutes * MINUTE_MS;
  const local = Math.round((time + hoursAhead * 60 * MINUTE_MS) / step) * step;
  return new Date(local).toISOString().slice(11, 16).replace(/^0/, "");
}
