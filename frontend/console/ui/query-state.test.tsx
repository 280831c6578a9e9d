import type { UseQueryResult } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { QueryState } from "./query-state.tsx";

/** What stands where a question that failed before has this `error`. */
const shown = (error: Error | null) => {
  const of = { data: undefined, error, errorUpdateCount: 1, isFetching: error === null };
  return renderToStaticMarkup(
    <MemoryRouter>
      <QueryState of={of as UseQueryResult<string>}>{(body) => body}</QueryState>
    </MemoryRouter>,
  );
};

test("a question that failed says so, and can be asked again", () => {
  expect(shown(new Error("away"))).toContain("Try again");
});

test("who comes back while it is asked again sees that it is waited for, and no button alone", () => {
  expect(shown(null)).not.toContain("button");
});
