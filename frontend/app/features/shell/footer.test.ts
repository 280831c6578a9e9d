import { afterEach, expect, test, vi } from "vitest";
import { currentYear } from "./footer.tsx";

afterEach(() => vi.useRealTimers());

test("the year changes when it does in Spain", () => {
  vi.useFakeTimers();
  vi.setSystemTime("2026-12-31T22:30:00Z");
  expect(currentYear()).toBe("2026");
  vi.setSystemTime("2026-12-31T23:30:00Z");
  expect(currentYear()).toBe("2027");
});
