import { expect, test } from "vitest";
import { ApiError, fetchAnswer } from "#app/lib/api/answer.ts";
import { asRouteError } from "#app/lib/query/page.ts";
import { goneProperty } from "./gone.tsx";

const body = {
  ref: "AH-1",
  type: "urn:almijara:problem:withdrawn",
  title: "This home is no longer offered",
  status: 410,
  location: { slug: "nerja", name: "Nerja" },
  similar: [],
};

test("a 410 brings what is left of the home, to the loader and to an open page", async () => {
  const transport = async () => Response.json(body, { status: 410 });
  const error = await fetchAnswer(transport, "/api/x", AbortSignal.timeout(1_000)).catch((e) => e);
  expect(goneProperty(error)).toEqual(body);
  expect(asRouteError(error)).toMatchObject({ data: body, init: { status: 410 } });
  // What the router makes of the loader's answer.
  const routed = { status: 410, statusText: "", internal: false, data: body };
  expect(goneProperty(routed)).toEqual(body);
});

test("nothing else is taken for a withdrawn home", () => {
  for (const other of [
    new ApiError(404, "not there"),
    new ApiError(410, "gone without a word"),
    { status: 404, statusText: "", internal: false, data: body },
    new Error("a fault"),
  ]) {
    expect(goneProperty(other)).toBeUndefined();
  }
});
