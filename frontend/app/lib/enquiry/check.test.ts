import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { check } from "./check.ts";
import type { EnquiryKind } from "./enquiry.ts";
import { REFUSALS } from "./refusals.gen.ts";
import { isKeyReused, requestOf, resultOf } from "./request.ts";

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const ANN = { name: "Ann", email: "ann@x.example", message: "Is it still free?" };

test("what the service would refuse is reported at its field", () => {
  const fields = (given: Record<string, string>) =>
    check("property", form({ ...ANN, ...given }), "en", []).map(({ field }) => field);
  expect(fields({})).toEqual([]);
  expect(fields({ name: " " })).toEqual(["name"]);
  expect(fields({ email: "ann@x" })).toEqual(["email"]);
  expect(fields({ email: "" })).toEqual(["email"]);
  expect(fields({ email: "", phone: "600 123 456" })).toEqual([]);
  for (const phone of ["٦٠٠ ١٢٣ ٤٥٦", "＋３４ ６００ １２３ ４５６"])
    expect(fields({ phone })).toEqual([]);
  expect(fields({ phone: "٦٠٠ ١٢" })).toEqual(["phone"]);
  expect(fields({ message: "Short" })).toEqual(["message"]);
  const [short] = check("property", form({ ...ANN, message: "Corto" }), "es", []);
  expect(short?.detail).toBe("Escriba al menos 10 caracteres.");
});

interface Cases {
  forms: Record<EnquiryKind, Record<string, unknown>>;
  cases: {
    kind: EnquiryKind;
    change: Record<string, unknown>;
    refused: [string, keyof typeof REFUSALS][];
    /** Whether only the service can check it. */
    serverAlone?: boolean;
  }[];
}

/** Builds the form as a browser sends it. A pair of a letter and a count stands for a repeated letter. */
function written(fields: Record<string, unknown>): FormData {
  const { times = [], ...texts } = fields;
  const entries = Object.entries(texts).map(([name, value]) => [
    name,
    Array.isArray(value) ? String(value[0]).repeat(value[1]) : String(value),
  ]);
  const [day1, time1] = String((times as string[])[0] ?? "").split("T");
  if (day1) entries.push(["day1", day1], ["time1", time1 ?? ""]);
  return form(Object.fromEntries(entries));
}

/** A time before the days that the cases propose. */
const NOW = new Date("2026-11-23T12:00:00Z");

test("each rule has the same limits as in the service", () => {
  const file = new URL("../../../../services/command/border-cases.json", import.meta.url);
  const { forms, cases }: Cases = JSON.parse(readFileSync(file, "utf8"));
  for (const { kind, change, refused, serverAlone } of cases) {
    const found = check(kind, written({ ...forms[kind], ...change }), "en", [], NOW);
    const expected = serverAlone ? [] : refused;
    expect(
      // A missing proposal is reported at the first day.
      found.map(({ field }) => (field === "day1" ? "times" : field)),
      JSON.stringify(change),
    ).toEqual(expected.map(([field]) => field));
    for (const [index, [, code]] of expected.entries()) {
      const words = REFUSALS[code].en.split(/\{\w+\}/);
      for (const part of words) expect(found[index]?.detail).toContain(part);
    }
  }
});

test("a form is converted to the service's request", () => {
  const url = new URL("https://x.example/es/enquiry?kind=viewing&ref=AH-1042");
  const sent = requestOf(
    form({ ...ANN, phone: "", day1: "2026-12-01", time1: "10:30", marketingConsent: "yes" }),
    url,
    "es",
  );
  expect(sent).toMatchObject({
    kind: "viewing",
    ref: "AH-1042",
    locale: "es",
    times: ["2026-12-01T10:30"],
    marketingConsent: true,
  });
  expect(sent).not.toHaveProperty("openedFor");
});

test("an hour that was chosen without a day is sent for the service to refuse", () => {
  const url = new URL("https://x.example/enquiry?kind=viewing&ref=AH-1042");
  const rows = { day1: "2026-12-01", time1: "10:30", day2: "", time2: "11:30", time3: "10:30" };
  const times = ["2026-12-01T10:30", "T11:30"];
  const fields = { ...ANN, ...rows, proposedHour: "10:30" };
  expect(requestOf(form(fields), url, "en")).toMatchObject({ times });
});

test("a form sends how long it was open", () => {
  const url = new URL("https://x.example/enquiry");
  expect(requestOf(form({ ...ANN, openedFor: "47" }), url, "en")).toMatchObject({ openedFor: 47 });
  expect(requestOf(form({ ...ANN, openedFor: "x" }), url, "en")).not.toHaveProperty("openedFor");
});

test("an area is sent within the service's range, and an invalid one is reported at its field", () => {
  const url = new URL("https://x.example/enquiry?kind=valuation");
  const valuation = { ...ANN, address: "Calle Real 1, Nerja", propertyKind: "villa" };
  const sent = (builtArea: string) => requestOf(form({ ...valuation, builtArea }), url, "en");
  const refused = (builtArea: string) =>
    check("valuation", form({ ...valuation, builtArea }), "en", []).map(({ field }) => field);
  for (const [written, area] of [
    ["87.5", 88],
    ["1.200 m²", 1_200],
  ] as const) {
    expect(sent(written)).toMatchObject({ builtArea: area });
    expect(refused(written), written).toEqual([]);
  }
  for (const [written, area] of [
    ["-5", 0],
    ["large", 0],
    ["5000000000", 4_294_967_295],
  ] as const) {
    expect(sent(written)).toMatchObject({ builtArea: area });
    expect(refused(written), written).toEqual(["builtArea"]);
  }
  expect(sent("")).not.toHaveProperty("builtArea");
  const [outOfRange] = check("valuation", form({ ...valuation, builtArea: "5" }), "es", []);
  expect(outOfRange?.detail).toBe("Escriba de 10 a 100.000 m².");
});

test("each kind of response is converted to its result", () => {
  expect(resultOf(201, { reference: "E-7K3QX9" })).toEqual({ reference: "E-7K3QX9" });
  const errors = [{ field: "email", detail: "…" }];
  expect(resultOf(422, { errors })).toEqual({ errors });
  expect(resultOf(429, {})).toEqual({ failure: "too-many" });
  expect(resultOf(502, undefined)).toEqual({ failure: "away" });
  expect(isKeyReused(422, { type: "urn:almijara:problem:idempotency-key-reused" })).toBe(true);
});
