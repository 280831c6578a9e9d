import { expect, test } from "vitest";
import { halfHours, openingLines } from "./opening-hours.ts";

const WEEK = [1, 2, 3, 4, 5];
const USUAL = [1, 2, 3, 4, 5, 6, 9, 10, 11, 12];
const HOURS = [
  { months: USUAL, weekdays: WEEK, opens: "16:30", closes: "19:00" },
  { months: USUAL, weekdays: WEEK, opens: "09:30", closes: "14:00" },
  { months: [7, 8], weekdays: WEEK, opens: "09:00", closes: "15:00" },
];

test("the usual hours come first, and the others with their months", () => {
  expect(openingLines(HOURS, "en")).toEqual([
    "Monday to Friday: 9:30–14:00 and 16:30–19:00",
    "July and August, Monday to Friday: 9:00–15:00",
  ]);
  expect(openingLines(HOURS, "es")).toEqual([
    "De lunes a viernes: 9:30–14:00 y 16:30–19:00",
    "Julio y agosto, de lunes a viernes: 9:00–15:00",
  ]);
});

test("if some months have no hours, all seasons name their months", () => {
  const [closedInAugust] = openingLines(
    [
      {
        months: [1, 2, 3, 4, 5, 6, 7, 9, 12],
        weekdays: [1, 3, 6],
        opens: "10:00",
        closes: "13:00",
      },
    ],
    "en",
  );
  expect(closedInAugust).toBe(
    "January to July, September and December, Monday, Wednesday and Saturday: 10:00–13:00",
  );
  const saturdays = { months: [7, 8], weekdays: [6], opens: "10:00", closes: "13:00" };
  expect(openingLines([...HOURS.slice(0, 2), saturdays], "en")).toEqual([
    "January to June and September to December, Monday to Friday: 9:30–14:00 and 16:30–19:00",
    "July and August, Saturday: 10:00–13:00",
  ]);
  const all = [{ months: [], weekdays: [6], opens: "10:00", closes: "13:00" }];
  expect(openingLines(all, "en")).toEqual(["Saturday: 10:00–13:00"]);
});

test("a viewing begins at a half hour at which the office is open", () => {
  const times = halfHours(HOURS);
  expect(times[0]).toBe("09:00");
  expect(times).toContain("14:30");
  expect(times).not.toContain("15:00");
  expect(times).not.toContain("16:00");
  expect(times.at(-1)).toBe("18:30");
  expect(halfHours([{ months: [], weekdays: [1], opens: "09:10", closes: "10:00" }])).toEqual([
    "09:30",
  ]);
  expect(halfHours([])).toEqual([]);
});
