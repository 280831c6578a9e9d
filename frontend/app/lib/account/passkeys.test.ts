import { afterEach, expect, test, vi } from "vitest";
import { makePasskey } from "./passkeys.ts";

afterEach(() => vi.unstubAllGlobals());

/** What becomes of a passkey of Ann's that is answered so, and made so. */
function made(answer: () => Promise<Response>, create = async (): Promise<unknown> => null) {
  vi.stubGlobal("fetch", answer);
  vi.stubGlobal("PublicKeyCredential", {
    parseCreationOptionsFromJSON: (json: unknown) => json,
    [Symbol.hasInstance]: () => false,
  });
  vi.stubGlobal("navigator", { credentials: { create } });
  return makePasskey("ann@example.com");
}

const asked = async () =>
  Response.json({ ceremony: "0f84", options: { user: { name: "ann@example.com" } } });

test.each([
  [401, "other"],
  [404, "failed"],
  [410, "failed"],
  [429, "too-many"],
  [500, "away"],
  [503, "away"],
])("an answer of %i is not taken for a passkey that is no good", async (status, outcome) => {
  expect(await made(async () => new Response(null, { status }))).toBe(outcome);
});

test("nor is one that never comes", async () => {
  expect(await made(() => Promise.reject(new TypeError("the line is cut")))).toBe("away");
  expect(await made(() => Promise.reject(new DOMException("", "TimeoutError")))).toBe("away");
});

test("a device that has a passkey already says so, and one that thinks better of it nothing", async () => {
  const refuse = (name: string) => () => Promise.reject(new DOMException("", name));
  expect(await made(asked, refuse("InvalidStateError"))).toBe("known");
  expect(await made(asked, refuse("NotAllowedError"))).toBe("cancelled");
  expect(await made(asked, refuse("SecurityError"))).toBe("failed");
  expect(await made(asked)).toBe("cancelled");
});

test("a passkey is made for no other account than the page's", async () => {
  const options = { user: { name: "bea@example.com" } };
  vi.stubGlobal("fetch", async () => Response.json({ ceremony: "0f84", options }));
  class Credential {
    static parseCreationOptionsFromJSON = (json: unknown) => json;
    toJSON = () => ({});
  }
  vi.stubGlobal("PublicKeyCredential", Credential);
  const create = vi.fn(async () => new Credential());
  vi.stubGlobal("navigator", { credentials: { create } });
  expect(await makePasskey("ann@example.com")).toBe("other");
  expect(create).not.toHaveBeenCalled();
  expect(await makePasskey("bea@example.com")).toBe("done");
});
