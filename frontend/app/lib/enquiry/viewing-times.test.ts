import { expect, test } from "vitest";
import { TIMES } from "./enquiry.ts";
import { MAX_TIMES } from "./rules.gen.ts";
import {
  halfHoursOn,
  hoursOn,
  nextChosen,
  proposableDays,
  proposedHour,
  timeErrors,
  withTimeErrors,
} from "./viewing-times.ts";

const WEEK = [1, 2, 3, 4, 5];
const USUAL = [1, 2, 3, 4, 5, 6, 9, 10, 11, 12];
const HOURS = [
  { months: USUAL, weekdays: WEEK, opens: "09:30", closes: "14:00" },
  { months: USUAL, weekdays: WEEK, opens: "16:30", closes: "19:00" },
  { months: [7, 8], weekdays: WEEK, opens: "09:00", closes: "15:00" },
];
/** A Monday, and Tuesday already in Spain. */
const NOW = new Date("2026-11-23T23:30:00Z");

function errors(times: readonly string[], hours = HOURS, proposed = "10:30") {
  const form = new FormData();
  form.set("proposedHour", proposed);
  for (const [index, time] of times.entries()) {
    const [day = "", hour = ""] = time.split("T");
    form.set(`day${index + 1}`, day);
    form.set(`time${index + 1}`, hour);
  }
  return timeErrors(form, hours, "en", NOW).map(({ field, detail }) => `${field} ${detail}`);
}

test("as many times can be proposed as the service accepts", () => {
  expect(TIMES).toHaveLength(MAX_TIMES);
});

test("a viewing is proposed from tomorrow on in Spain, and two months ahead at most", () => {
  expect(proposableDays(NOW)).toEqual({ first: "2026-11-25", last: "2027-01-23" });
  expect(errors(["2026-11-24T10:00"])).toEqual(["day1 Choose tomorrow or later."]);
  expect(errors(["2026-11-25T10:00", "2027-01-22T10:00"])).toEqual([]);
  expect(errors(["2027-01-25T10:00"])).toEqual(["day1 Choose a day within the next 60 days."]);
});

test("each day has the hours of its own season and weekday", () => {
  const opens = (day: string) => hoursOn(HOURS, day).map((period) => period.opens);
  expect(opens("2026-12-02")).toEqual(["09:30", "16:30"]);
  expect(opens("2026-07-01")).toEqual(["09:00"]);
  expect(opens("2026-12-06")).toEqual([]);
});

test("a chosen hour stays when the day changes, and a preselected one is replaced by the day's", () => {
  const hours = [
    { months: [], weekdays: WEEK, opens: "09:00", closes: "14:00" },
    { months: [], weekdays: [6], opens: "11:00", closes: "12:30" },
  ];
  const saturday = "2026-12-05";
  expect(proposedHour(hours)).toBe("10:30");
  expect(halfHoursOn(hours, saturday, "10:30")).toEqual(["11:00", "11:30", "12:00"]);
  expect(halfHoursOn(hours, saturday, "")).toEqual(["11:00", "11:30", "12:00"]);
  expect(halfHoursOn(hours, saturday, "13:00")).toEqual(["11:00", "11:30", "12:00", "13:00"]);
  expect(halfHoursOn(hours, "2026-12-06", "13:00")).toEqual([]);
});

test("an invalid time is reported at its field, with what would be valid", () => {
  expect(errors(["2026-12-02T10:30", "2026-12-06T10:30"])).toEqual([
    "day2 Our office is closed on that day.",
  ]);
  expect(errors(["2026-12-02T14:30"])).toEqual([
    "time1 Choose a time within our hours. Wednesday: 9:30–14:00 and 16:30–19:00.",
  ]);
  expect(errors(["2026-12-02T14:00"])).toHaveLength(1);
  expect(errors(["2026-12-02T18:30", "", "soonT10:00"])).toEqual(["day3 We can’t read this."]);
  expect(errors(["", ""])).toEqual(["day1 Please fill this in."]);
});

test("an hour that was chosen without a day requires one", () => {
  const wanting = "Choose a day for this time, or set the time back to 10:30.";
  expect(errors(["2026-12-02T10:30", "T11:00", "T10:30"])).toEqual([`day2 ${wanting}`]);
  expect(errors(["T11:00"], [])).toEqual([`day1 ${wanting}`]);
  expect(errors(["T10:30"])).toEqual(["day1 Please fill this in."]);
});

test("an hour that the browser selects after its day was changed does not count as chosen", () => {
  const before = [{ day: "", hour: "11:30" }];
  const monday = nextChosen(before, [{ day: "2026-11-30", hour: "16:00" }], "day1");
  expect(monday).toEqual([{ day: "2026-11-30", hour: "11:30" }]);
  const chosen = nextChosen(monday, [{ day: "2026-11-30", hour: "17:00" }], "time1");
  expect(chosen).toEqual([{ day: "2026-11-30", hour: "17:00" }]);
});

test("the preselected hour is in its list, however short that is", () => {
  expect(proposedHour(HOURS)).toBe("10:30");
  expect(proposedHour([{ months: [], weekdays: WEEK, opens: "12:00", closes: "13:00" }])).toBe(
    "12:00",
  );
});

test("any time is accepted if the opening hours are not known", () => {
  expect(errors(["2026-12-06T10:00"], [])).toEqual([]);
  expect(errors(["2026-11-20T10:00"], [])).toHaveLength(1);
});

test("the service's error about times is shown at the invalid one, if the opening hours tell which", () => {
  const email = { field: "email", detail: "An address." };
  const refused = { errors: [email, { field: "times", detail: "A time can't be taken." }] };
  const form = new FormData();
  form.set("day1", "2026-12-02");
  form.set("time1", "10:30");
  const placed = () => withTimeErrors(refused, form, HOURS, "en", NOW);
  expect(placed()).toBe(refused);
  form.set("day2", "2026-12-06");
  expect(placed()).toEqual({
    errors: [email, { field: "day2", detail: "Our office is closed on that day." }],
  });
  expect(withTimeErrors({ failure: "away" }, form, HOURS, "en", NOW)).toEqual({ failure: "away" });
});
