import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { HomeChange } from "#app/lib/my-homes/my-home.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const LIKED = { reference: "AH-1", favourite: true };

/** What is said of `change` on the page at `path`, to whoever is signed in there, where it is answered by `status`. */
async function told(path: string, change: HomeChange, status: number) {
  const page = Object.assign(new EventTarget(), { cookie: "account=1", hidden: false });
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("fetch", async (address: string) =>
    address === "/api/me"
      ? Response.json({ account: { email: "ann@example.com" }, homes: [LIKED] })
      : new Response(null, { status }),
  );
  const { useChangeHome } = await import("./use-change-home.ts");
  const store = await import("#app/lib/my-homes/store.ts");
  const { takeToasts } = await import("#app/lib/toast/toasts.ts");
  let make: ReturnType<typeof useChangeHome> | undefined;
  const Page = createRoutesStub([
    {
      path: "*",
      Component: () => {
        make = useChangeHome("AH-1");
        return null;
      },
    },
  ]);
  renderToStaticMarkup(<Page initialEntries={[path]} />);
  store.onMyHomes(() => undefined);
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  await make?.(change);
  return takeToasts();
}

test.each([
  ["a note", { note: "Patio" }],
  ["a favourite", { favourite: true }],
  ["a visit", { seen: true }],
] as const)(
  "that the session has ended is said to who makes %s, and nothing else",
  async (_, change) => {
    const [toast, ...others] = await told("/account", change, 401);
    expect(toast?.title).toMatch(/^You are signed out by now\./);
    expect(others).toEqual([]);
  },
);

test("who signs in again comes back by a new document, in their language", async () => {
  const [toast] = await told("/es/account", { note: "Patio" }, 401);
  expect(toast?.title).toMatch(/^La sesión se ha cerrado\./);
  const assign = vi.fn();
  vi.stubGlobal("location", { assign });
  toast?.actions[0]?.click();
  expect(assign).toHaveBeenCalledExactlyOnceWith("/es/login?next=%2Fes%2Faccount");
});

test("that a visit could not be kept is nothing to bother its visitor with", async () => {
  expect(await told("/account", { seen: true }, 503)).toEqual([]);
  const [toast] = await told("/account", { note: "Patio" }, 503);
  expect(toast?.title).toBe("That could not be saved just now. Please try again.");
});
