import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const keepOnDevice = vi.fn();
const removeFromDevice = vi.fn();

/**
 * The store of a new page, in a browser with these cookies, where the write side answers so and the device
 * holds `kept`.
 */
async function opened(
  cookie: string,
  answer: (path: string) => Promise<Response>,
  kept: readonly object[] = [],
) {
  keepOnDevice.mockClear();
  removeFromDevice.mockClear();
  vi.stubGlobal("document", { cookie });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("localStorage", {
    getItem: () => JSON.stringify(kept),
    setItem: keepOnDevice,
    removeItem: removeFromDevice,
  });
  vi.stubGlobal("fetch", answer);
  const store = await import("./store.ts");
  expect(store.myHomesState()).toBe("loading");
  store.onMyHomes(() => undefined);
  return store;
}

const me = (account: unknown, ...homes: unknown[]) => Response.json({ account, homes });

test("what a device keeps is known at once", async () => {
  const store = await opened("", () => Promise.reject(new Error("nobody is asked")));
  expect(store.myHomesState()).toBe("known");
});

test("what an account keeps is known once it has answered", async () => {
  const home = { reference: "AH-1", favourite: true };
  const ann = { email: "ann@example.com" };
  const store = await opened("account=1", async () => me(ann, home));
  expect(store.myHomesState()).toBe("loading");
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect([...store.myHomes().keys()]).toEqual(["AH-1"]);
});

test("an account that can't take what the device kept is shown, and the device keeps it", async () => {
  const ann = { email: "ann@example.com" };
  const given = [{ reference: "AH-2", favourite: true }];
  const store = await opened(
    "account=1",
    async (path) =>
      path === "/api/me"
        ? me(ann, { reference: "AH-1", favourite: true })
        : new Response(null, { status: 503 }),
    given,
  );
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect([...store.myHomes().keys()]).toEqual(["AH-1"]);
  expect(removeFromDevice).not.toHaveBeenCalled();
});

test("whose session has ended keeps homes on the device", async () => {
  const store = await opened("account=1", async () => me(null));
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect(await store.changeHome("AH-1", { favourite: true })).toBe("kept");
  expect(keepOnDevice).toHaveBeenCalledOnce();
});

test.each([
  ["an account that is away", async () => new Response(null, { status: 503 })],
  ["one asked too often", async () => new Response(null, { status: 429 })],
  ["one out of reach", () => Promise.reject(new DOMException("", "TimeoutError"))],
])("%s is not taken for nobody's", async (_, answer) => {
  const asked: string[] = [];
  const store = await opened("account=1", (path) => {
    asked.push(path);
    return answer();
  });
  await vi.waitFor(() => expect(store.myHomesState()).toBe("away"));
  expect(await store.changeHome("AH-1", { favourite: true })).toBe("failed");
  expect(asked).toEqual(["/api/me", "/api/account/homes/AH-1"]);
  expect(keepOnDevice).not.toHaveBeenCalled();
});
