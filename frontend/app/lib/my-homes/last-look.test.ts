import { expect, test } from "vitest";
import type { Offer } from "#app/lib/property/offer.ts";
import { changedSince, nextLook, parseLooks } from "./last-look.ts";

const offer = (price: number | null, status: Offer["status"] = "for_sale"): Offer => ({
  price,
  status,
});
const at = (text: string) => new Date(`2026-11-${text}`);

test("a home whose price has dropped since the last visit has its old price", () => {
  const first = nextLook(undefined, offer(250_000), at("01T10:00:00Z"));
  expect(changedSince(first, offer(250_000))).toBeUndefined();
  expect(changedSince(first, offer(235_000))).toEqual({ price: 250_000 });
});

test("the change is shown throughout the visit, and no longer on the next one", () => {
  const first = nextLook(undefined, offer(250_000), at("01T10:00:00Z"));
  const second = nextLook(first, offer(235_000), at("20T10:00:00Z"));
  const again = nextLook(second, offer(235_000), at("20T11:00:00Z"));
  expect(changedSince(again, offer(235_000))).toEqual({ price: 250_000 });
  const afterwards = nextLook(again, offer(235_000), at("25T10:00:00Z"));
  expect(changedSince(afterwards, offer(235_000))).toBeUndefined();
});

test("a new status is a change too; a price on request is not compared", () => {
  const first = nextLook(undefined, offer(null), at("01T10:00:00Z"));
  expect(changedSince(first, offer(235_000, "under_offer"))).toEqual({ status: "for_sale" });
  expect(changedSince(first, offer(235_000))).toBeUndefined();
});

test("a home that was never visited has not changed", () => {
  expect(changedSince(undefined, offer(1))).toBeUndefined();
});

test("invalid looks in the device's storage are skipped, and the latest hundred are kept", () => {
  const good = { price: 1, status: "sold", at: "2026-11-01T00:00:00Z" };
  expect(parseLooks(null)).toEqual({});
  expect(parseLooks("{")).toEqual({});
  expect(parseLooks('"x"')).toEqual({});
  const some = { a: good, b: { ...good, status: "gone" }, c: { ...good, price: "1" }, d: null };
  expect(parseLooks(JSON.stringify(some))).toEqual({ a: good });
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, day) => [
      `AH-${day}`,
      { ...good, at: new Date(Date.UTC(2026, 0, day + 1)).toISOString() },
    ]),
  );
  const kept = Object.keys(parseLooks(JSON.stringify(many)));
  expect(kept).toHaveLength(100);
  expect(kept[0]).toBe("AH-119");
});
