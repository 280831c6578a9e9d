import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { makeQueryClient } from "#app/lib/query/client.ts";
import { searchQuery } from "#app/lib/search/queries.ts";
import { apiSearch, EVERYTHING } from "#app/lib/search/search-params.ts";
import { useNeighbours } from "./neighbours.ts";

const PER_PAGE = 30;
const TOTAL = 600;
const SEARCH = { ...EVERYTHING, propertyType: ["House" as const] };

/** Returns the neighbours of a home that was found in the list, with the given list pages in the cache. */
function neighbours(reference: string, position: number, ...pages: number[]) {
  const client = makeQueryClient(() => Promise.reject(new Error("nobody answers")), 0);
  for (const page of pages) {
    const first = (page - 1) * PER_PAGE + 1;
    const items = Array.from({ length: PER_PAGE }, (_, index) => ({ ref: `AH-${first + index}` }));
    const { queryKey } = searchQuery("en", { ...SEARCH, page });
    client.setQueryData<unknown>(queryKey, { body: { items, total: TOTAL, perPage: PER_PAGE } });
  }
  const page = Math.ceil(position / PER_PAGE);
  const search = apiSearch({ ...SEARCH, page }, "en");
  let found: unknown;
  function Neighbours() {
    const { previous, next, ...rest } = useNeighbours(reference, { list: "", search, position });
    found = { previous: previous?.ref, next: next?.ref, ...rest };
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Neighbours />
    </QueryClientProvider>,
  );
  return found;
}

test.each([
  // Beyond the number of pages of any real list.
  [401, "AH-400", "AH-402", [14]],
  [1, undefined, "AH-2", [1]],
  [30, "AH-29", "AH-31", [1, 2]],
  [31, "AH-30", "AH-32", [1, 2]],
  [480, "AH-479", "AH-481", [16, 17]],
  [600, "AH-599", undefined, [20]],
] as const)("home %i of a search is between %s and %s, as in its list", (...asked) => {
  const [position, previous, next, pages] = asked;
  const found = neighbours(`AH-${position}`, position, ...pages);
  expect(found).toEqual({ position, previous, next, total: TOTAL });
});

test("a home that has moved by one position is found again, across a page boundary too", () => {
  expect(neighbours("AH-31", 30, 1, 2)).toEqual({
    position: 31,
    previous: "AH-30",
    next: "AH-32",
    total: TOTAL,
  });
});
