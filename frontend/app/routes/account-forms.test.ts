import { afterEach, expect, test, vi } from "vitest";
import { action as changeDetails } from "./account-details.tsx";
import { action as changeSearches } from "./account-searches.tsx";
import { action as changeAlerts } from "./alerts.tsx";
import {
  loader as askForCode,
  clientLoader as askForCodeInBrowser,
  action as signInByCode,
} from "./sign-in-code.tsx";
import { loader as openLink, action as signInByLink } from "./sign-in-link.tsx";

afterEach(() => vi.unstubAllGlobals());

/** Mocks a write side where Bea is signed in and other requests get `status`; returns a log of those requests. */
function mockWriteSide(status: number, body: unknown = null) {
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET" }: RequestInit) => {
    const { pathname } = new URL(address, "https://site.example");
    if (method === "GET" && pathname === "/api/account") {
      return Response.json({ email: "bea@example.com" });
    }
    requests.push(`${method} ${pathname}`);
    return new Response(body === null ? null : JSON.stringify(body), { status });
  });
  return requests;
}

type Handler = (from: never) => Promise<unknown>;

/** Submits a form from Bea's browser at `path`; returns the redirect's target, or the refusal. */
async function send(
  action: Handler,
  path: string,
  fields: Record<string, string>,
  cookie = "account=1",
) {
  const request = new Request(`https://site.example${path}`, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams(fields),
  });
  const answer = await action({ request } as never).catch((thrown: unknown) => thrown);
  return answer instanceof Response ? answer.headers.get("location") : answer;
}

const FORMS: [action: Handler, path: string, fields: Record<string, string>][] = [
  [changeDetails, "/es/account/details", { intent: "save", name: "Ann" }],
  [changeDetails, "/es/account/details", { intent: "set-password", password: "ganso-teja" }],
  [changeDetails, "/es/account/details", { intent: "remove-password" }],
  [changeDetails, "/es/account/details", { intent: "end-others" }],
  [changeDetails, "/es/account/details", { intent: "end", id: "0f84" }],
  [changeDetails, "/es/account/details", { intent: "remove-passkey", id: "0f84" }],
  [changeSearches, "/es/account/searches", { intent: "change", search: "", frequency: "daily" }],
  [
    changeSearches,
    "/es/account/searches",
    { intent: "change", search: "0f84", frequency: "daily" },
  ],
  [changeSearches, "/es/account/searches", { search: "0f84", intent: "delete" }],
];

const CHANGED = /\?outcome=(saved|device-signed-out|passkey-removed|password-(saved|removed))(#|$)/;

test.each(FORMS)(
  "a form of another account changes nothing (%o %s %o)",
  async (action, path, fields) => {
    const requests = mockWriteSide(204);
    const theirs = { ...fields, account: "ann@example.com" };
    expect(await send(action, path, theirs)).toBe(`${path}?outcome=other-account`);
    expect(requests).toEqual([]);
    expect(await send(action, path, { ...fields, account: "bea@example.com" })).toMatch(CHANGED);
    expect(requests).toHaveLength(1);
  },
);

test("the button to sign out carries no account, and signs out whoever is signed in", async () => {
  const requests = mockWriteSide(204);
  expect(await send(changeDetails, "/es/account/details", { intent: "sign-out" })).toBe(
    "/es/login?outcome=signed-out",
  );
  expect(requests).toEqual(["POST /api/account/sign-out"]);
});

test.each([undefined, "", "constructor", "remove-everything"])(
  "a form of another build, whose button is not known (%s), changes nothing and is not reported as done",
  async (intent) => {
    const requests = mockWriteSide(200);
    for (const [action, path] of [
      [changeDetails, "/account/details"],
      [changeSearches, "/account/searches"],
      [changeAlerts, "/alerts?token=its"],
    ] as const) {
      const fields = { id: "0f84", search: "0f84", frequency: "daily", password: "ganso-teja" };
      const answer = await send(
        action,
        path,
        intent === undefined ? fields : { ...fields, intent },
      );
      expect(answer).toMatchObject({ data: { failure: "away" } });
    }
    expect(requests).toEqual([]);
  },
);

test("a change to a deleted search is not reported as saved, but its deletion is", async () => {
  mockWriteSide(404);
  const gone = { intent: "change", search: "0f84", frequency: "daily" };
  expect(await send(changeSearches, "/es/account/searches", gone)).toBe("/es/account/searches");
  expect(await send(changeSearches, "/account/searches", { ...gone, intent: "delete" })).toBe(
    "/account/searches?outcome=saved",
  );
});

test("a signed-in visitor is led on by their own code or link that was already used", async () => {
  mockWriteSide(410, { type: "urn:almijara:problem:signed-in-already" });
  const next = encodeURIComponent("/save-search?location=nerja");
  const byCode = (cookie?: string) =>
    send(signInByCode, `/login/code?next=${next}`, { code: "123456" }, cookie);
  expect(await byCode()).toBe("/save-search?location=nerja");
  expect(await send(signInByLink, "/es/login/link?token=x", { token: "x" })).toBe("/es/account");
  expect(await byCode("language=es")).toMatchObject({ data: { failure: "over" } });
});

test("a used link that may be somebody else's does not lead on, and its page knows who is signed in", async () => {
  mockWriteSide(410, { type: "urn:almijara:problem:sign-in-over" });
  const over = { data: { failure: "over" } };
  expect(await send(signInByLink, "/login/link?token=x", { token: "x" })).toMatchObject(over);
  const present = (cookie: string) => {
    const url = new URL("https://site.example/login/link?token=x");
    const context = { get: () => ({}) };
    return openLink({ request: new Request(url, { headers: { cookie } }), url, context } as never);
  };
  expect(await present("account=1")).toBe("bea@example.com");
  expect(await present("language=es")).toBeNull();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")));
  expect(await present("account=1")).toBeNull();
});

test.each(["server", "browser"])(
  "a signed-in visitor is redirected away from the code page, by the %s",
  async (where) => {
    mockWriteSide(500);
    vi.stubGlobal("document", { cookie: "account=1" });
    const url = new URL("https://site.example/es/login/code?next=%2Faccount%2Fdetails");
    const request = new Request(url, { headers: { cookie: "account=1" } });
    const load: Handler = where === "server" ? askForCode : askForCodeInBrowser;
    const thrown = await load({ request, url } as never).catch((answer: unknown) => answer);
    expect((thrown as Response).headers.get("location")).toBe("/es/account/details");
  },
);

test("in the browser, a visitor who is not signed in gets the code page", async () => {
  vi.stubGlobal("document", { cookie: "language=es" });
  const url = new URL("https://site.example/login/code");
  expect(await askForCodeInBrowser({ url } as never)).toBeNull();
});
