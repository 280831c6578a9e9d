import { expect, test } from "vitest";
import { check } from "./check.ts";
import { isKeyReused, requestOf, resultOf } from "./request.ts";

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const ANN = { name: "Ann", email: "ann@x.example", message: "Is it still free?" };

test("what the service would refuse is told at its field", () => {
  const fields = (given: Record<string, string>) =>
    check("property", form({ ...ANN, ...given }), "en").map(({ field }) => field);
  expect(fields({})).toEqual([]);
  expect(fields({ name: " " })).toEqual(["name"]);
  expect(fields({ email: "ann@x" })).toEqual(["email"]);
  expect(fields({ email: "" })).toEqual(["email"]);
  expect(fields({ email: "", phone: "600 123 456" })).toEqual([]);
  expect(fields({ message: "Short" })).toEqual(["message"]);
  const [short] = check("property", form({ ...ANN, message: "Corto" }), "es");
  expect(short?.detail).toBe("Escriba al menos 10 caracteres.");
});

test("a form becomes what the service takes", () => {
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
  expect(sent).not.toHaveProperty("startedAt");
});

test("an answer is one of four", () => {
  expect(resultOf(201, { reference: "E-7K3QX9" })).toEqual({ reference: "E-7K3QX9" });
  const errors = [{ field: "email", detail: "…" }];
  expect(resultOf(422, { errors })).toEqual({ errors });
  expect(resultOf(429, {})).toEqual({ failure: "too-many" });
  expect(resultOf(502, undefined)).toEqual({ failure: "away" });
  expect(isKeyReused(422, { type: "urn:almijara:problem:idempotency-key-reused" })).toBe(true);
});
