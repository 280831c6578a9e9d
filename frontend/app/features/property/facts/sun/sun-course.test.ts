import { expect, test } from "vitest";
import type { Orientation } from "#app/lib/api/types.ts";
import { type Season, sunCourse } from "./sun-course.ts";

const NERJA = { lat: 36.7468, lng: -3.8743 };

/**
 * Expected times, from PyEphem 4.2.1 for the Balcón de Europa in Nerja. The sun rises and sets when its upper
 * limb is 34 minutes of arc below the horizon.
 */
const EPHEMERIS = {
  winter: { sunrise: "08:24", sunset: "18:03", 135: "10:01", 180: "13:14", 225: "16:27" },
  summer: {
    sunrise: "06:57",
    sunset: "21:38",
    90: "10:39",
    135: "13:23",
    225: "15:12",
    270: "17:55",
  },
} as const;

function minutes(clock: string): number {
  const [hour = Number.NaN, minute = Number.NaN] = clock.split(":").map(Number);
  return hour * 60 + minute;
}

/** The hours of sun as `from-until`. */
function hours(season: Season, facing: Orientation, spot = NERJA): string[] {
  return (sunCourse(season, spot, facing)?.spans ?? []).map(
    ({ from, until }) => `${from}-${until}`,
  );
}

test.each(["winter", "summer"] as const)(
  "in %s the sun rises and sets when the ephemeris says, to the minute",
  (season) => {
    const course = sunCourse(season, NERJA, "s");
    for (const at of ["sunrise", "sunset"] as const) {
      const off = Math.abs(minutes(course?.[at] ?? "") - minutes(EPHEMERIS[season][at]));
      expect([at, off]).toEqual([at, expect.toSatisfy((value: number) => value <= 1)]);
    }
  },
);

test("the sun's position matches the ephemeris at the times when a side gets and loses it", () => {
  for (const season of ["winter", "summer"] as const) {
    const { sunrise: _, sunset: __, ...passes } = EPHEMERIS[season];
    const hoursAhead = season === "winter" ? 1 : 2;
    for (const [bearing, clock] of Object.entries(passes)) {
      const moment = sunCourse(season, NERJA, "s")?.moments.find(
        ({ azimuth }) => azimuth >= Number(bearing),
      );
      const at = new Date((moment?.time ?? 0) + hoursAhead * 3_600_000).toISOString().slice(11, 16);
      const off = Math.abs(minutes(at) - minutes(clock));
      expect([season, bearing, off <= 2]).toEqual([season, bearing, true]);
    }
  }
});

test("the hours of each side are rounded to five minutes, except at sunrise and sunset", () => {
  expect(hours("winter", "s")).toEqual(["8:24-18:03"]);
  expect(hours("summer", "s")).toEqual(["10:40-17:55"]);
  expect(hours("winter", "sw")).toEqual(["10:00-18:03"]);
  expect(hours("summer", "sw")).toEqual(["13:25-21:38"]);
  expect(hours("winter", "se")).toEqual(["8:24-16:25"]);
  expect(hours("winter", "n")).toEqual([]);
  expect(hours("summer", "n")).toEqual(["6:57-10:40", "17:55-21:38"]);
});

test("a span reports whether it starts at sunrise and ends at sunset", () => {
  const [span] = sunCourse("winter", NERJA, "sw")?.spans ?? [];
  expect(span).toMatchObject({ fromSunrise: false, untilSunset: true });
});

test("there is no course where the sun does not rise or set", () => {
  expect(sunCourse("winter", { lat: 78.2, lng: 15.6 }, "s")).toBeUndefined();
});
