import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const keepOnDevice = vi.fn();
const removeFromDevice = vi.fn();

/**
 * Opens the store of a new page, in a browser with these cookies, where the write side answers with `answer`
 * and the device holds `kept`.
 */
async function opened(
  cookie: string,
  answer: (path: string) => Promise<Response>,
  kept: readonly object[] = [],
) {
  keepOnDevice.mockReset();
  removeFromDevice.mockReset();
  const page = Object.assign(new EventTarget(), { cookie, hidden: false });
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("localStorage", {
    getItem: () => JSON.stringify(kept),
    setItem: keepOnDevice,
    removeItem: removeFromDevice,
  });
  vi.stubGlobal("fetch", answer);
  const store = await import("./store.ts");
  expect(store.myHomesState()).toBe("loading");
  store.onMyHomes(() => undefined);
  /** Makes the tab visible again, with other cookies by now. */
  const comeBack = (now: string, how = "visibilitychange") => {
    page.cookie = now;
    page.dispatchEvent(Object.assign(new Event(how), how === "pageshow" && { persisted: true }));
  };
  return { ...store, comeBack };
}

const me = (account: unknown, ...homes: unknown[]) => Response.json({ account, homes });

/** The signed-in account, and its favourite. */
const ANN = { email: "ann@example.com" };
const LIKED = { reference: "AH-1", favourite: true };

test("the homes on the device are known at once", async () => {
  const store = await opened("", () => Promise.reject(new Error("nobody is asked")));
  expect(store.myHomesState()).toBe("known");
});

test("the account's homes are known once it has answered", async () => {
  const home = { reference: "AH-1", favourite: true };
  const ann = { email: "ann@example.com" };
  const store = await opened("account=1", async () => me(ann, home));
  expect(store.myHomesState()).toBe("loading");
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect([...store.myHomes().keys()]).toEqual(["AH-1"]);
});

test("an account that can't store the device's homes is shown, and the device keeps them", async () => {
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

test.each([
  ["can't take the rest is shown with what it took", 503, 200, "known", 2],
  ["is away after that leaves them on the device", 200, 503, "away", 15],
])(
  "an account that stores the device's homes in parts, and %s",
  async (_, second, last, state, count) => {
    const note = "x".repeat(2_000);
    const all = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ reference: `AH-${index + 2}`, note }));
    const known = [me(ANN, LIKED), last === 200 ? me(ANN, LIKED, ...all(1)) : undefined];
    const statuses = [200, second];
    const store = await opened(
      "account=1",
      async (path) =>
        path === "/api/me"
          ? (known.shift() ?? new Response(null, { status: last }))
          : new Response(null, { status: statuses.shift() ?? 500 }),
      all(15),
    );
    await vi.waitFor(() => expect(store.myHomesState()).toBe(state));
    expect([known, statuses]).toEqual([[], []]);
    expect(store.myHomes().size).toBe(count);
    expect(removeFromDevice).not.toHaveBeenCalled();
  },
);

test("a visitor whose session has ended keeps homes on the device", async () => {
  const store = await opened("account=1", async () => me(null));
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect(await store.changeHome("AH-1", { favourite: true })).toBe("kept");
  expect(keepOnDevice).toHaveBeenCalledOnce();
});

test.each([
  ["an account that is away", async () => new Response(null, { status: 503 })],
  ["one asked too often", async () => new Response(null, { status: 429 })],
  ["one out of reach", () => Promise.reject(new DOMException("", "TimeoutError"))],
])("%s does not count as signed out", async (_, answer) => {
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

/** Which homes are shown as favourites. */
const favourites = (store: Awaited<ReturnType<typeof opened>>) =>
  [...store.myHomes().values()].filter(({ favourite }) => favourite).map((home) => home.reference);

test("two changes that both fail are both undone", async () => {
  const store = await opened("account=1", async (path) =>
    path === "/api/me" ? me(ANN) : new Response(null, { status: 503 }),
  );
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  const changes = [
    store.changeHome("AH-1", { favourite: true }),
    store.changeHome("AH-1", { note: "Patio" }),
  ];
  expect(favourites(store)).toEqual(["AH-1"]);
  expect(await Promise.all(changes)).toEqual(["failed", "failed"]);
  expect(store.myHomes().size).toBe(0);
});

test("a comparison that is full on another device is reported, and its homes are shown", async () => {
  const compared = [1, 2, 3, 4].map((each) => ({ reference: `AH-${each}`, compared: true }));
  const known = [me(ANN), me(ANN, ...compared)];
  const store = await opened("account=1", async (path) =>
    path === "/api/me" ? (known.shift() as Response) : new Response(null, { status: 409 }),
  );
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect(await store.changeHome("AH-5", { compared: true })).toBe("too-many");
  expect(store.myHomes().has("AH-5")).toBe(false);
  await vi.waitFor(() => expect(store.myHomes().size).toBe(4));
  expect(known).toEqual([]);
});

test("a failed change undoes nothing that the account reported in the meantime", async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers<Response>();
  const store = await opened("account=1", (path) =>
    path === "/api/me" ? asked : Promise.reject(new TypeError("the line is cut")),
  );
  const seen = store.changeHome("AH-1", { seen: true });
  answer(me(ANN, LIKED));
  expect(await seen).toBe("failed");
  expect(favourites(store)).toEqual(["AH-1"]);
});

test("while the account is away, the device's homes stay as they are", async () => {
  const away = async () => new Response(null, { status: 503 });
  const store = await opened("account=1", away, [LIKED]);
  await vi.waitFor(() => expect(store.myHomesState()).toBe("away"));
  expect(await store.changeHome("AH-1", { note: "Patio" })).toBe("failed");
  expect(store.myHomes().get("AH-1")).toMatchObject({ favourite: true, note: null });
});

test.each(["visibilitychange", "pageshow"])(
  "a sign-out in another tab removes the account's homes from this one (%s)",
  async (how) => {
    const store = await opened("account=1", async () => me(ANN, LIKED));
    await vi.waitFor(() => expect(favourites(store)).toEqual(["AH-1"]));
    store.comeBack("", how);
    expect(favourites(store)).toEqual([]);
    expect(await store.changeHome("AH-2", { favourite: true })).toBe("kept");
    expect(keepOnDevice).toHaveBeenCalledOnce();
  },
);

test("a sign-in in another tab shows the account's homes in this one, with later changes", async () => {
  const known = [me(ANN, LIKED), me(ANN, LIKED, { reference: "AH-2", favourite: true })];
  const store = await opened("", async () => known.shift() as Response);
  store.comeBack("");
  expect(known).toHaveLength(2);
  store.comeBack("account=1");
  await vi.waitFor(() => expect(favourites(store)).toEqual(["AH-1"]));
  store.comeBack("account=1");
  await vi.waitFor(() => expect(favourites(store).sort()).toEqual(["AH-1", "AH-2"]));
});

test("a visitor who signs in after another has none of the other's homes", async () => {
  const known = [me(ANN, LIKED), me({ email: "bea@example.com" })];
  const store = await opened("account=1", async () => known.shift() as Response);
  await vi.waitFor(() => expect(favourites(store)).toEqual(["AH-1"]));
  store.comeBack("account=1", "pageshow");
  await vi.waitFor(() => expect(store.myHomes().size).toBe(0));
});

test("after another window has moved the device's homes to an account, the account's are shown", async () => {
  const kept: object[] = [{ reference: "AH-2", favourite: true }];
  const store = await opened("", async () => me(ANN, LIKED), kept);
  kept.pop();
  Object.assign(document, { cookie: "account=1" });
  const given = { key: "my-homes", newValue: null };
  document.dispatchEvent(Object.assign(new Event("storage"), given));
  expect(favourites(store)).toEqual(["AH-2"]);
  await vi.waitFor(() => expect(favourites(store)).toEqual(["AH-1"]));
});

test("known homes stay known if the account does not answer again", async () => {
  const known = [me(ANN, LIKED), new Response(null, { status: 503 }), me(ANN)];
  const store = await opened("account=1", async () => known.shift() as Response);
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  store.comeBack("account=1");
  await vi.waitFor(() => expect(known).toHaveLength(1));
  await new Promise(setImmediate);
  expect([store.myHomesState(), ...favourites(store)]).toEqual(["known", "AH-1"]);
  // `pageshow` also fires for a page that has just loaded, which has synced already.
  document.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  await new Promise(setImmediate);
  expect(known).toHaveLength(1);
});

test("homes that other pages stored while this one was left are not overwritten", async () => {
  const kept: object[] = [];
  const store = await opened("", () => Promise.reject(new Error("nobody is asked")), kept);
  kept.push(LIKED);
  document.dispatchEvent(Object.assign(new Event("storage"), { key: "my-homes" }));
  expect(await store.changeHome("AH-2", { seen: true })).toBe("kept");
  expect([...store.myHomes().keys()].sort()).toEqual(["AH-1", "AH-2"]);
  expect(keepOnDevice).toHaveBeenCalledOnce();
  expect(keepOnDevice.mock.lastCall?.[1]).toMatch(/AH-1.*AH-2|AH-2.*AH-1/);
});

test("if nothing can be stored, a page that was left still has its homes", async () => {
  const store = await opened("", () => Promise.reject(new Error("nobody is asked")));
  keepOnDevice.mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await store.changeHome("AH-2", { favourite: true });
  store.comeBack("", "pageshow");
  expect(favourites(store)).toEqual(["AH-2"]);
});

test("a change that finds the session ended is stored on the device, and reports it", async () => {
  const kept: object[] = [];
  const store = await opened(
    "account=1",
    async (path) => (path === "/api/me" ? me(ANN, LIKED) : new Response(null, { status: 401 })),
    kept,
  );
  await vi.waitFor(() => expect(favourites(store)).toEqual(["AH-1"]));
  kept.push({ reference: "AH-3", favourite: true });
  expect(await store.changeHome("AH-2", { favourite: true })).toBe("signed-out");
  expect(favourites(store)).toEqual(["AH-2", "AH-3"]);
  expect(keepOnDevice).toHaveBeenCalledOnce();
  expect(await store.changeHome("AH-2", { note: "Patio" })).toBe("kept");
});

test.each([
  ["kept", () => Response.json({ reference: "AH-2", favourite: true })],
  ["failed", () => new Response(null, { status: 503 })],
])(
  "an answer that arrives after signing out shows nothing of the account (%s)",
  async (kept, end) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
    const device = { reference: "AH-2", note: "Patio" };
    const given: object[] = [];
    const store = await opened(
      "account=1",
      (path) => (path === "/api/me" ? Promise.resolve(me(ANN, LIKED)) : answered),
      given,
    );
    await vi.waitFor(() => expect(favourites(store)).toEqual(["AH-1"]));
    const change = store.changeHome("AH-2", { favourite: true });
    given.push(device);
    store.comeBack("");
    answer(end());
    expect(await change).toBe(kept);
    expect([...store.myHomes().values()]).toMatchObject([{ ...device, favourite: false }]);
  },
);

const SEEN = { reference: "AH-1", seenAt: "2026-11-01T10:00:00Z" };

test("after the session has ended, visits are removed on the device", async () => {
  const given: object[] = [];
  const store = await opened(
    "account=1",
    async (path) => (path === "/api/me" ? me(ANN) : new Response(null, { status: 401 })),
    given,
  );
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  given.push({ ...SEEN, favourite: true });
  expect(await store.forgetSeen()).toBeDefined();
  expect(store.myHomes().get("AH-1")).toMatchObject({ favourite: true, seenAt: null });
  expect(keepOnDevice).toHaveBeenCalledOnce();
});

test("visits that were removed from an account are not restored to the device", async () => {
  const store = await opened("account=1", async (path) =>
    path === "/api/me" ? me(ANN, SEEN) : new Response(null, { status: 204 }),
  );
  await vi.waitFor(() => expect(store.myHomes().size).toBe(1));
  const bringBack = await store.forgetSeen();
  store.comeBack("");
  expect(await bringBack?.()).toBe("failed");
  expect(store.myHomes().size).toBe(0);
  expect(keepOnDevice).not.toHaveBeenCalled();
});

test("a change is sent even if its page is left", async () => {
  const asked: (RequestInit | undefined)[] = [];
  const answer = async (path: string, init?: RequestInit) => {
    if (path === "/api/me") return me({ email: "ann@example.com" });
    asked.push(init);
    return Response.json({ reference: "AH-1", note: "Patio" });
  };
  const store = await opened("account=1", answer);
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  expect(await store.changeHome("AH-1", { note: "Patio" })).toBe("kept");
  expect(asked).toMatchObject([{ method: "PUT", keepalive: true }]);
});

test.each(["what was seen", "who it is"])(
  "a change stays while the account answers an earlier request: %s",
  async (asked) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
    const { promise: unanswered } = Promise.withResolvers<Response>();
    const isHeld = asked === "who it is";
    const known = [isHeld ? answered : me(ANN), answered, unanswered];
    if (isHeld) known.splice(1, 1);
    const store = await opened("account=1", async () => known.shift() as Promise<Response>);
    if (!isHeld) {
      await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
      void store.changeHome("AH-1", { seen: true });
    }
    void store.changeHome("AH-1", { favourite: true });
    expect(favourites(store)).toEqual(["AH-1"]);
    answer(isHeld ? me(ANN) : Response.json({ reference: "AH-1", favourite: false }));
    await vi.waitFor(() => expect(known).toEqual([]));
    expect(favourites(store)).toEqual(["AH-1"]);
  },
);

test("queued changes are sent when the page is left, in order, and once", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
  const asked: unknown[] = [];
  const store = await opened("account=1", (async (path: string, init?: RequestInit) => {
    if (path === "/api/me") return answered;
    asked.push(JSON.parse(String(init?.body)));
    return Response.json({ reference: "AH-1" });
  }) as typeof fetch);
  const changes = [
    store.changeHome("AH-1", { favourite: true }),
    store.changeHome("AH-1", { note: "Patio" }),
  ];
  expect(asked).toEqual([]);
  document.dispatchEvent(new Event("pagehide"));
  expect(asked).toEqual([{ favourite: true }, { note: "Patio" }]);
  answer(me(ANN));
  expect(await Promise.all(changes)).toEqual(["kept", "kept"]);
  expect(asked).toHaveLength(2);
  expect(store.myHomes().get("AH-1")).toMatchObject({ favourite: true, note: "Patio" });
});

test("a change has the time at which it was made, however late it is confirmed", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
  const store = await opened("account=1", (path) =>
    path === "/api/me" ? Promise.resolve(me(ANN)) : answered,
  );
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 1, 10) });
  const change = store.changeHome("AH-1", { seen: true });
  vi.setSystemTime(Date.UTC(2026, 10, 1, 11));
  answer(Response.json({}));
  await change;
  vi.useRealTimers();
  expect(store.myHomes().get("AH-1")?.seenAt).toBe("2026-11-01T10:00:00.000Z");
});

test("stored looks are restored even if no home was seen", async () => {
  const store = await opened("", () => Promise.reject(new Error("nobody is asked")));
  const bringBack = await store.forgetSeen();
  expect(await bringBack?.()).toBe("kept");
  expect(keepOnDevice).toHaveBeenCalledWith("last-looks", expect.anything());
});
