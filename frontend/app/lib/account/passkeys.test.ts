import { afterEach, expect, test, vi } from "vitest";
import { makePasskey } from "./passkeys.ts";

afterEach(() => vi.unstubAllGlobals());

/** Creates a passkey for Ann, given the service's answer and the device's result. */
function made(answer: () => Promise<Response>, create = async (): Promise<unknown> => null) {
  vi.stubGlobal("fetch", answer);
  vi.stubGlobal("PublicKeyCredential", {
    parseCreationOptionsFromJSON: (json: unknown) => json,
    [Symbol.hasInstance]: () => false,
  });
  vi.stubGlobal("navigator", { credentials: { create } });
  return makePasskey("ann@example.com");
}

const challenge = async () =>
  Response.json({ ceremony: "0f84", options: { user: { name: "ann@example.com" } } });

test.each([
  [401, "other"],
  [404, "failed"],
  [410, "failed"],
  [429, "too-many"],
  [500, "away"],
  [503, "away"],
])("an answer of %i has its own outcome", async (status, outcome) => {
  expect(await made(async () => new Response(null, { status }))).toBe(outcome);
});

test("a missing answer means that the service is away", async () => {
  expect(await made(() => Promise.reject(new TypeError("the line is cut")))).toBe("away");
  expect(await made(() => Promise.reject(new DOMException("", "TimeoutError")))).toBe("away");
});

test("an existing passkey is reported, and a cancelled dialog is no failure", async () => {
  const refuse = (name: string) => () => Promise.reject(new DOMException("", name));
  expect(await made(challenge, refuse("InvalidStateError"))).toBe("known");
  expect(await made(challenge, refuse("NotAllowedError"))).toBe("cancelled");
  expect(await made(challenge, refuse("SecurityError"))).toBe("failed");
  expect(await made(challenge)).toBe("cancelled");
});

test("a passkey is only created for the page's account", async () => {
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
