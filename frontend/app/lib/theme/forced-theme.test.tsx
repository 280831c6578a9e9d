import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import App, { Layout } from "#app/root.tsx";

// A browser runs effects after rendering, the server never; here they run immediately.
vi.mock("react", async (original) => ({
  ...(await original<typeof import("react")>()),
  useEffect: (effect: () => void) => effect(),
}));

// These refer to the files of a build, and there is none here.
vi.mock("react-router", async (original) => ({
  ...(await original<typeof import("react-router")>()),
  Links: () => null,
  Scripts: () => null,
  ScrollRestoration: () => null,
}));

function Site() {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <Layout>
        <App />
      </Layout>
    </QueryClientProvider>
  );
}

/** Returns how the document of a page with this route handle begins, and the warnings to its author. */
function opening(handle: unknown) {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const Page = createRoutesStub([
    { path: "/", Component: Site, children: [{ index: true, handle, Component: () => null }] },
  ]);
  const html = renderToStaticMarkup(<Page initialEntries={["/"]} />);
  const told = warn.mock.calls.flat();
  warn.mockRestore();
  return { tag: /<html[^>]*>/.exec(html)?.[0], told };
}

test.each(["light", "dark"])("a page that forces %s is rendered in it, and marked", (colorMode) => {
  expect(opening({ colorMode })).toEqual({
    tag: `<html lang="en-GB" data-theme="${colorMode}" data-forced-theme="${colorMode}">`,
    told: [],
  });
});

test("a page that forces nothing leaves it to the visitor", () => {
  expect(opening(undefined)).toEqual({ tag: '<html lang="en-GB">', told: [] });
});

test("a page that forces the device's own colours has no forced theme, and its author is warned", () => {
  expect(opening({ colorMode: "system" })).toEqual({
    tag: '<html lang="en-GB">',
    told: ['A page can force the colour mode "light" or "dark", not "system".'],
  });
});
