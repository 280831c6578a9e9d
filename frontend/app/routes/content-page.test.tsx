import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { browserQueryClient } from "#app/lib/query/client.ts";
import ContentPage, { clientLoader } from "./content-page.tsx";

const NAVIGATION = { header: [], footer: [], popular: [], quick: [], legal: [] };
const PAGE = { intro: "", body: "<p>The words.</p>", headings: [], faq: [], locales: ["en", "es"] };

/** The published content, by API path; it has no documentation. */
const PUBLISHED: Record<string, unknown> = {
  "/api/site": { settings: null, navigation: NAVIGATION, locations: [] },
  "/api/pages/terms": { ...PAGE, slug: "terms", title: "Terms", kind: "legal" },
  "/api/pages/buying-a-property": {
    ...PAGE,
    slug: "buying-a-property",
    title: "Buying",
    kind: "guide",
    minutes: 5,
  },
};

vi.stubGlobal("fetch", async (address: string) => {
  const body = PUBLISHED[address.split("?")[0] ?? ""];
  return new Response(JSON.stringify(body ?? {}), { status: body ? 200 : 404 });
});
afterAll(() => vi.unstubAllGlobals());

test.each(["/terms", "/es/terms", "/buying-a-property", "/es/buying-a-property"])(
  "%s is shown although there is no documentation",
  async (path) => {
    const page = path.split("/").at(-1);
    await clientLoader({ params: { page }, url: new URL(path, "https://site.example") });
    const Page = createRoutesStub([{ path: "/es?/:page", Component: ContentPage }]);
    const html = renderToStaticMarkup(
      <QueryClientProvider client={browserQueryClient()}>
        <Page initialEntries={[path]} />
      </QueryClientProvider>,
    );
    expect(html).toContain("<p>The words.</p>");
  },
);
