import { renderToStaticMarkup } from "react-dom/server";
import { createBrowserRouter, createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { carryState, takeCarriedState } from "./carried-state.ts";
import { useRouter } from "./use-router.ts";

afterEach(() => vi.unstubAllGlobals());

test("a component gets the router, which knows its next location at once", () => {
  let found: ReturnType<typeof useRouter>;
  function Page() {
    found = useRouter();
    return null;
  }
  const router = createMemoryRouter([
    { path: "/", Component: Page },
    { path: "/list", loader: () => new Promise(() => {}), Component: Page },
  ]);
  renderToStaticMarkup(<RouterProvider router={router} />);
  expect(found, "the router is no longer in UNSAFE_DataRouterContext").toBe(router);
  void router.navigate("/list");
  expect(
    found?.state.navigation.location?.pathname,
    "the router's state no longer has the location of a navigation that has just begun",
  ).toBe("/list");
  router.dispose();
});

/** Opens the document at `path`, whose history has one entry, in a tab with this storage. */
function open(path: string, sessionStorage: ReturnType<typeof tabStorage>) {
  const history = {
    state: null as unknown,
    replaceState: (state: unknown) => {
      history.state = state;
    },
  };
  const { origin, pathname, search, hash, href } = new URL(path, "https://homes.example");
  const location = { origin, pathname, search, hash, href };
  const window = { history, location, addEventListener() {}, removeEventListener() {} };
  const globals = { window, document: { defaultView: window }, history, location, sessionStorage };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
}

/** The storage of a tab. */
function tabStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
}

test("the router starts with the state that the page in the other language passed", () => {
  const storage = tabStorage();
  const stateAt = (path: string) => {
    open(path, storage);
    takeCarriedState();
    const router = createBrowserRouter([{ path: "*" }]);
    const { state } = router.state.location;
    router.dispose();
    return state;
  };
  const foundIn = { list: "/property-for-sale", search: {}, position: 2 };
  open("/home", storage);
  carryState("/es/home", { foundIn });
  expect(
    stateAt("/es/home"),
    "the router no longer reads the state of its first location from history.state.usr",
  ).toEqual({ foundIn, isCarried: true });
  expect(stateAt("/es/home"), "state is passed only once").toBeNull();

  open("/home", storage);
  carryState("/es/home", { foundIn });
  expect(stateAt("/es/other"), "and only to its address").toBeNull();
});
