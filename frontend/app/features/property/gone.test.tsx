import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { ApiError, fetchAnswer } from "#app/lib/api/answer.ts";
import type { WithdrawnProperty } from "#app/lib/api/types.ts";
import { asRouteError } from "#app/lib/query/page.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import { Gone, withdrawnPropertyOf } from "./gone.tsx";

const body = {
  ref: "AH-1",
  type: "urn:almijara:problem:withdrawn",
  title: "This home is no longer offered",
  status: 410,
  location: { slug: "nerja", name: "Nerja" },
  similar: [],
};

test("a 410 carries the withdrawn home, to the loader and to an open page", async () => {
  const transport = async () => Response.json(body, { status: 410 });
  const error = await fetchAnswer(transport, "/api/x", AbortSignal.timeout(1_000)).catch((e) => e);
  expect(withdrawnPropertyOf(error)).toEqual(body);
  expect(asRouteError(error)).toMatchObject({ data: body, init: { status: 410 } });
  // The form in which the router passes on the loader's response.
  const routed = { status: 410, statusText: "", internal: false, data: body };
  expect(withdrawnPropertyOf(routed)).toEqual(body);
});

test("no other error is taken for a withdrawn home", () => {
  for (const other of [
    new ApiError(404, "not there"),
    new ApiError(410, "gone without a word"),
    { status: 404, statusText: "", internal: false, data: body },
    new Error("a fault"),
  ]) {
    expect(withdrawnPropertyOf(other)).toBeUndefined();
  }
});

/** Renders the page of the withdrawn `property`. */
function page(property: WithdrawnProperty): string {
  const client = new QueryClient();
  const site = { body: {}, sequence: 1, tags: [] };
  client.setQueryData<unknown>(siteQuery("en").queryKey, site);
  const Page = createRoutesStub([{ path: "*", Component: () => <Gone property={property} /> }]);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Page initialEntries={["/property-for-sale/nerja/AH-1"]} />
    </QueryClientProvider>,
  );
}

test("its page links to its place, or to everything for sale if the place is gone too", () => {
  expect(page(body)).toMatch(
    /href="\/property-for-sale\/nerja"[^>]*>Everything for sale in Nerja</,
  );
  expect(page(body)).toContain("It was in Nerja");
  const gone = page({ ...body, location: { slug: "nerja", name: "nerja" }, placeGone: true });
  expect(gone).toMatch(/href="\/property-for-sale"[^>]*>Everything for sale</);
  expect(gone).not.toContain("in nerja");
});
