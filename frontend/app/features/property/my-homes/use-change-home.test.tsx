import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { HomeChange } from "#app/lib/my-homes/my-home.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const LIKED = { reference: "AH-1", favourite: true };

/** Returns the toasts after a signed-in visitor makes `change` at `path` and the API answers with `status`. */
async function toastsAfter(path: string, change: HomeChange, status: number) {
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
  let changeHome: ReturnType<typeof useChangeHome> | undefined;
  const Page = createRoutesStub([
    {
      path: "*",
      Component: () => {
        changeHome = useChangeHome("AH-1");
        return null;
      },
    },
  ]);
  renderToStaticMarkup(<Page initialEntries={[path]} />);
  store.onMyHomes(() => undefined);
  await vi.waitFor(() => expect(store.myHomesState()).toBe("known"));
  await changeHome?.(change);
  return takeToasts();
}

test.each([
  ["a note", { note: "Patio" }],
  ["a favourite", { favourite: true }],
  ["a visit", { seen: true }],
] as const)("after the session has ended, %s shows only that", async (_, change) => {
  const [toast, ...others] = await toastsAfter("/account", change, 401);
  expect(toast?.title).toMatch(/^You have been signed out\./);
  expect(others).toEqual([]);
});

test("signing in again loads a new document in the visitor's language", async () => {
  const [toast] = await toastsAfter("/es/account", { note: "Patio" }, 401);
  expect(toast?.title).toMatch(/^La sesión se ha cerrado\./);
  const assign = vi.fn();
  vi.stubGlobal("location", { assign });
  toast?.actions[0]?.click();
  expect(assign).toHaveBeenCalledExactlyOnceWith("/es/login?next=%2Fes%2Faccount");
});

test("a visit that could not be recorded shows no toast", async () => {
  expect(await toastsAfter("/account", { seen: true }, 503)).toEqual([]);
  const [toast] = await toastsAfter("/account", { note: "Patio" }, 503);
  expect(toast?.title).toBe("That could not be saved just now. Please try again.");
});
