import type { UseQueryResult } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { QueryState } from "./query-state.tsx";

/** Renders a query that failed before, and now has this `error`. */
const shown = (error: Error | null) => {
  const of = { data: undefined, error, errorUpdateCount: 1, isFetching: error === null };
  return renderToStaticMarkup(
    <MemoryRouter>
      <QueryState of={of as UseQueryResult<string>}>{(body) => body}</QueryState>
    </MemoryRouter>,
  );
};

test("a failed query shows its error, and can be retried", () => {
  expect(shown(new Error("away"))).toContain("Try again");
});

test("a page that is opened while a failed query is retried shows a placeholder, not a lone button", () => {
  expect(shown(null)).not.toContain("button");
});
