import { QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { localeOf } from "#app/lib/i18n/locale.ts";
import { browserQueryClient } from "#app/lib/query/client.ts";
import { siteQuery } from "#app/lib/site/site-query.ts";
import News, { clientLoader } from "./news.tsx";

const NAVIGATION = { header: [], footer: [], popular: [], quick: [], legal: [] };
const PAGE = { slug: "news", title: "News", intro: "", faq: [], locales: ["en", "es"] };
const ARTICLES = Array.from({ length: 60 }, (_, index) => ({
  slug: `article-${index}`,
  title: `Article ${index}.`,
  summary: "",
  language: "en",
}));
const PER_PAGE = 25;

vi.stubGlobal("fetch", async (address: string) => {
  const { pathname, searchParams } = new URL(address, "https://site.example");
  const page = Number(searchParams.get("page") ?? 1);
  const items = ARTICLES.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const answers: Record<string, unknown> = {
    "/api/site": { settings: null, navigation: NAVIGATION, locations: [] },
    "/api/pages/news": PAGE,
    "/api/articles": { items, total: ARTICLES.length, page, perPage: PER_PAGE },
  };
  const answer = answers[pathname];
  return Response.json(answer ?? {}, { status: answer ? 200 : 404 });
});
afterAll(() => vi.unstubAllGlobals());

async function render(path: string): Promise<string> {
  // The layout's loader fetches this in the real application.
  await browserQueryClient().fetchQuery(siteQuery(localeOf(path)));
  await clientLoader({ params: {}, url: new URL(path, "https://site.example") });
  const Page = createRoutesStub([{ path: "/es?/news", Component: News }]);
  return renderToStaticMarkup(
    <QueryClientProvider client={browserQueryClient()}>
      <Page initialEntries={[path]} />
    </QueryClientProvider>,
  );
}

test.each(["/news", "/es/news"])("each article is on one page of %s", async (path) => {
  const pages = [path, `${path}?page=2`, `${path}?page=3`];
  const html = await Promise.all(pages.map(render));
  for (const { title } of ARTICLES) {
    expect([title, html.filter((each) => each.includes(title)).length]).toEqual([title, 1]);
  }
  expect(html[0]).toContain(`href="${path}?page=3"`);
  expect(html[2]).toContain(`href="${path}"`);
  await expect(render(`${path}?page=4`)).rejects.toMatchObject({ init: { status: 404 } });
});
