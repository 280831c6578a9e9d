import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IDLE_MS } from "#console/lib/idle.ts";
import { ConnectionProvider } from "#console/lib/live/connection.ts";
import { LiveMark } from "./live-note.tsx";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const mark = (path: string, state: "live" | "lost") =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[path]}>
      <ConnectionProvider value={{ state, since: 0 }}>
        <LiveMark />
      </ConnectionProvider>
    </MemoryRouter>,
  );

test("a list that is not polled because the operator is idle is not live; the flow is", () => {
  expect(mark("/stores", "live")).toContain("Live");
  vi.advanceTimersByTime(IDLE_MS);
  expect(mark("/stores", "live")).toContain("Idle");
  expect(mark("/es/audit", "live")).toContain("En reposo");
  expect(mark("/", "live")).toContain("Live");
  expect(mark("/es", "live")).toContain("En directo");
  expect(mark("/stores", "lost")).toContain("Connection lost");
});
