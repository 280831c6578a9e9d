import { afterEach, expect, test, vi } from "vitest";
import { getJson, sendJson } from "./call.ts";
import { CallError, describeError, detailsOf, isSignedOut } from "./call-error.ts";

afterEach(() => vi.unstubAllGlobals());

function answering(response: () => Response | Promise<Response>) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => response());
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error("it was not refused");
    },
    (error: unknown) => error as CallError,
  );

test("the body of an answer is returned, and undefined if it is empty", async () => {
  answering(() => Response.json({ items: [] }));
  expect(await getJson("/api/audit")).toEqual({ items: [] });
  answering(() => new Response(null, { status: 204 }));
  expect(await sendJson("/api/sync/pause", { what: "relay" })).toBeUndefined();
});

test("a body is sent as JSON, and none is sent if there is none", async () => {
  const fetch = answering(() => new Response(null, { status: 202 }));
  await sendJson("/api/projections/rebuild", { allow: true });
  await sendJson("/api/session", undefined, "DELETE");
  const [[, first], [, second]] = fetch.mock.calls as [
    [string, RequestInit],
    [string, RequestInit],
  ];
  expect(first).toMatchObject({ method: "POST", body: '{"allow":true}' });
  expect(first.headers).toMatchObject({ "content-type": "application/json" });
  expect(second).toMatchObject({ method: "DELETE" });
  expect(second.body).toBeUndefined();
});

test("a refusal is described in our words, with the service's detail", async () => {
  answering(() =>
    Response.json(
      {
        type: "urn:almijara:problem:conflict",
        title: "Conflict",
        status: 409,
        detail: "one is running",
      },
      { status: 409 },
    ),
  );
  const error = await refusal(sendJson("/api/sync/reconcile", {}));
  expect(error).toMatchObject({ status: 409, code: "conflict" });
  expect(describeError(error, "en")).toBe("That can't be done as things stand.");
  expect(describeError(error, "es")).toBe("Eso no se puede hacer en este estado.");
  expect(detailsOf(error)).toEqual(["one is running"]);
});

test("invalid fields are named", async () => {
  answering(() =>
    Response.json(
      { title: "The request is not valid", errors: [{ field: "to", detail: "another path" }] },
      { status: 400 },
    ),
  );
  expect(detailsOf(await refusal(sendJson("/api/redirects", {})))).toEqual(["to: another path"]);
});

test("a rate-limited call says when to try again", async () => {
  answering(() => new Response("", { status: 429, headers: { "retry-after": "90" } }));
  const error = await refusal(sendJson("/api/session", {}));
  expect(describeError(error, "en").replaceAll("\u00a0", " ")).toBe(
    "Too many requests. Try again in 1 min 30 s.",
  );
});

test("a proxy's page and a lost connection are errors", async () => {
  answering(() => new Response("<html>", { status: 200 }));
  expect(await refusal(getJson("/api/audit"))).toMatchObject({ status: 0, code: "not-understood" });
  answering(() => Promise.reject(new TypeError("Failed to fetch")));
  const error = await refusal(getJson("/api/audit"));
  expect(error).toMatchObject({ status: 0, code: "no-answer" });
  expect(detailsOf(error)).toEqual([]);
  answering(() => new Response("<html>bad gateway", { status: 502 }));
  expect(describeError(await refusal(getJson("/api/audit")), "en")).toBe(
    "The service does not answer.",
  );
});

test.each([
  // From the console's own service.
  [400, "invalid-request", "The request is not valid."],
  [401, "signed-out", "You are no longer signed in."],
  [403, "may-not-act", "You may look, but not act."],
  [403, "no-account", /^The proxy names an operator who has no account/],
  [403, "other-origin", /^That is only accepted from pages at the console's own address/],
  [404, "not-found", /^There is no such call/],
  [409, "redirect-exists", "It already exists."],
  [413, "unreadable-body", "The request is not valid."],
  [429, "too-many-tries", "Too many requests."],
  [500, "internal", "Something went wrong in the service."],
  [501, "no-content-service", "That is not set up here."],
  [502, "content-service-refuses", "The content service refuses it."],
  [502, "role-refuses", /^The role does not accept the console's calls/],
  [503, "unavailable", "The service can't answer that now."],
  // From a role, forwarded.
  [409, "conflict", "That can't be done as things stand."],
  [422, "no-former", "That can't be done as things stand."],
  [422, "not-parked", "That can't be done as things stand."],
  // From a proxy in front of either.
  [403, "", "That was refused."],
  [502, "", "The service does not answer."],
  [503, "", "The service can't answer that now."],
  [504, "", "The service does not answer."],
])("a refusal with %i %s has the right words", (status, code, words) => {
  expect(describeError(new CallError({ status, code }), "en")).toMatch(words);
});

test("only a 401 means that the caller is signed out", () => {
  expect(isSignedOut(new CallError({ status: 401, code: "" }))).toBe(true);
  expect(isSignedOut(new CallError({ status: 403, code: "" }))).toBe(false);
  expect(isSignedOut(new TypeError("x"))).toBe(false);
});
