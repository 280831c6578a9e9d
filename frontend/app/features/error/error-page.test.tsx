import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub, createStaticHandler, data, useRouteError } from "react-router";
import { expect, test } from "vitest";
import { ApiError } from "#app/lib/api/answer.ts";
import { ErrorPage, statusOf } from "./error-page.tsx";

function Boundary() {
  return <ErrorPage status={statusOf(useRouteError())} suffix="Almijara Homes" />;
}

/** Renders the error page at `path` after `error`. */
function render(path: string, error: unknown): string {
  const Stub = createRoutesStub([
    { id: "page", path: "*", Component: () => null, ErrorBoundary: Boundary },
  ]);
  return renderToStaticMarkup(
    <Stub initialEntries={[path]} hydrationData={{ errors: { page: error } }} />,
  );
}

/** Returns the error that a route gets when its loader refuses with `status`. */
async function errorOf(status: number): Promise<unknown> {
  const loader = () => {
    throw data(null, status);
  };
  const { query } = createStaticHandler([
    { id: "page", path: "*", loader, ErrorBoundary: Boundary },
  ]);
  const context = await query(new Request("https://homes.example/"));
  return context instanceof Response ? undefined : context.errors?.page;
}

test("a missing page shows its path, in both languages", async () => {
  const missing = await errorOf(404);
  const html = render("/nothing", missing);
  for (const text of [
    "<title>Page not found | Almijara Homes</title>",
    'content="We are sorry but this page could not be found."',
    ">404<",
    "An error occurred",
    "Page not found: /nothing",
    ">We are sorry but this page could not be found.</p>",
  ]) {
    expect(html).toContain(text);
  }
  const spanish = render("/es/nada", missing);
  expect(spanish).toContain("<title>Página no encontrada | Almijara Homes</title>");
  expect(spanish).toContain("Página no encontrada: /es/nada");
  expect(spanish).toContain('href="/es"');
  expect(spanish).toContain('href="/es/property-for-sale"');
});

test("an error while rendering shows the default texts and links that load a new document", () => {
  const html = render("/news", new TypeError("undefined is not a function"));
  expect(html).toContain(">500<");
  expect(html).toContain("<title>An error occurred | Almijara Homes</title>");
  expect(html).toContain("This is not the page you&#x27;re looking for.");
  expect(html).toMatch(/<a href="\/"[^>]*>Go back home<\/a>/);
  expect(html).not.toContain("undefined is not a function");
  expect(html).not.toContain("could not be found");
});

test("all props have defaults", () => {
  const Stub = createRoutesStub([{ path: "*", Component: () => <ErrorPage /> }]);
  expect(renderToStaticMarkup(<Stub initialEntries={["/x"]} />)).toContain(">404<");
});

test("an error has the status of the response it stands for, or 500", async () => {
  expect(statusOf(await errorOf(503))).toBe(503);
  expect(statusOf(new ApiError(410, "gone"))).toBe(410);
  expect(statusOf(new Error("no answer"))).toBe(500);
});
