import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { SavedSearches } from "./saved-searches.tsx";

const WHEN = { frequency: "daily", createdAt: "2026-11-01T10:00:00Z" } as const;

test("the favourites have a name in the page's language, and a search has its owner's name", () => {
  const searches = [
    { ...WHEN, id: "1", name: "Your favourites", address: null },
    { ...WHEN, id: "2", name: "By the sea", address: "location=nerja" },
  ];
  const Page = createRoutesStub([
    { path: "*", Component: () => <SavedSearches searches={searches} /> },
  ]);
  const html = renderToStaticMarkup(<Page initialEntries={["/es/alerts"]} />);
  expect(html).toContain(">Sus favoritas</a>");
  expect(html).toContain(">By the sea</a>");
  expect(html).not.toContain("Your favourites");
});
