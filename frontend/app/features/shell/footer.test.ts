import { afterEach, expect, test, vi } from "vitest";
import { yearNow } from "./footer.tsx";

afterEach(() => vi.useRealTimers());

test("the year begins with Spain's", () => {
  vi.useFakeTimers();
  vi.setSystemTime("2026-12-31T22:30:00Z");
  expect(yearNow()).toBe("2026");
  vi.setSystemTime("2026-12-31T23:30:00Z");
  expect(yearNow()).toBe("2027");
});
