import { afterEach, expect, test, vi } from "vitest";
import { makePasskey } from "./passkeys.ts";

afterEach(() => vi.unstubAllGlobals());

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
