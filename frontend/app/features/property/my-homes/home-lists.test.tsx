import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { RecentHomes } from "./home-lists.tsx";
import { withoutDuplicates } from "./use-cards.ts";

const seen = ["AH-1", "AH-2", "AH-9"].map((reference) => ({
  reference,
  favourite: false,
  note: null,
  hidden: false,
  compared: false,
  seenAt: "2026-11-30T09:00:00Z",
  changedAt: "2026-11-30T09:00:00Z",
}));
vi.mock("#app/lib/my-homes/use-my-homes.ts", () => ({
  useMyHomes: () => new Map(seen.map((home) => [home.reference, home])),
  useMyHome: () => undefined,
}));

test("a home that was seen under two references is listed once", () => {
  const client = new QueryClient();
  const body = { items: [], gone: ["AH-2"], moved: { "AH-1": "AH-9" } };
  client.setQueryData(["cards", "en", "AH-1", "AH-2", "AH-9"], { body, sequence: 1, tags: [] });
  const element = (
    <QueryClientProvider client={client}>
      <RecentHomes />
    </QueryClientProvider>
  );
  const router = createMemoryRouter([{ path: "*", element }]);
  const page = renderToStaticMarkup(<RouterProvider router={router} />);
  expect(page).toContain("AH-2");
  expect(page.match(/<li /g)).toHaveLength(2);
});

test("a home that is retained under its former reference stays in the list", () => {
  const moved = { "AH-1": "AH-9", "AH-2": "AH-8" };
  const references = (retained: string) =>
    withoutDuplicates(seen, moved, ({ reference }) => reference === retained).map(
      ({ reference }) => reference,
    );
  expect(references("")).toEqual(["AH-2", "AH-9"]);
  expect(references("AH-1")).toEqual(["AH-1", "AH-2", "AH-9"]);
});
