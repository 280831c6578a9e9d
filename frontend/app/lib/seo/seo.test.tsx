import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { Seo, scriptSafeJson } from "./seo.tsx";

type SeoProps = Parameters<typeof Seo>[0];

let current: Partial<SeoProps> = {};

function Page() {
  return <Seo title="Title" suffix="Almijara Homes" description="D" path="/a" {...current} />;
}

/** Returns the head's content for a page at `path`. */
function head(path: string, props: Partial<SeoProps>): string {
  current = props;
  const Stub = createRoutesStub([{ id: "root", path: "*", loader: () => null, Component: Page }]);
  return renderToStaticMarkup(
    <Stub
      initialEntries={[path]}
      hydrationData={{ loaderData: { root: { origin: "https://homes.example" } } }}
    />,
  );
}

test("both languages name each other's address, and English is the default", () => {
  for (const [path, own, ogLocale, ogAlternate] of [
    ["/a", "https://homes.example/a", "en_GB", "es_ES"],
    ["/es/a", "https://homes.example/es/a", "es_ES", "en_GB"],
  ] as const) {
    const html = head(path, {});
    expect(html).toContain(`<meta property="og:locale" content="${ogLocale}"/>`);
    expect(html).toContain(`<meta property="og:locale:alternate" content="${ogAlternate}"/>`);
    expect(html.match(/og:locale:alternate/g)).toHaveLength(1);
    expect(html).toContain(`<link rel="canonical" href="${own}"/>`);
    for (const [language, address] of [
      ["en-GB", "https://homes.example/a"],
      ["es-ES", "https://homes.example/es/a"],
      ["x-default", "https://homes.example/a"],
    ]) {
      expect(html).toContain(`<link rel="alternate" hrefLang="${language}" href="${address}"/>`);
    }
  }
});

test("a text without a translation belongs to its own language's address alone", () => {
  const html = head("/es/a", { locales: ["en"] });
  expect(html).toContain('<link rel="canonical" href="https://homes.example/a"/>');
  expect(html).not.toContain('rel="alternate"');
  expect(html).toContain('<meta property="og:locale" content="en_GB"/>');
  expect(html).not.toContain("og:locale:alternate");
});

test("the title ends with the suffix, once", () => {
  expect(head("/a", {})).toContain("<title>Title | Almijara Homes</title>");
  expect(head("/a", { title: "Almijara Homes: all" })).toContain(
    "<title>Almijara Homes: all</title>",
  );
});

test("a picture made for sharing is given with its size, and replaces any other", () => {
  const picture = { file: "f", version: "1", width: 800, height: 600, alt: "" };
  const html = head("/a", { picture, sharing: "/share/en/AH-1.jpg?v=1" });
  expect(html.match(/property="og:image"/g)).toHaveLength(1);
  expect(html).toContain('content="https://homes.example/share/en/AH-1.jpg?v=1"');
  expect(html).toContain('<meta property="og:image:width" content="1200"/>');
});

test("an article and its picture are described for sharing", () => {
  const picture = { file: "f", version: "v", width: 960, height: 640, alt: "A terrace" };
  const html = head("/a", { publishedAt: "2026-10-14T08:20:00Z", picture });
  for (const [name, content] of [
    ["og:type", "article"],
    ["article:published_time", "2026-10-14T08:20:00Z"],
    ["og:image", "https://homes.example/media/f/v/1280.jpg"],
    ["og:image:width", "960"],
    ["og:image:height", "640"],
    ["og:image:alt", "A terrace"],
  ]) {
    expect(html).toContain(`<meta property="${name}" content="${content}"/>`);
  }
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
  const plain = head("/a", {});
  expect(plain).toContain('<meta property="og:type" content="website"/>');
  expect(plain).not.toContain("og:image");
});

test("a page without a canonical address is excluded from search engines", () => {
  const html = head("/a", { path: undefined });
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain("canonical");
});

test("no text can end the script element that contains it", () => {
  const json = scriptSafeJson({ name: "</script><script>alert(1)</script>" });
  expect(json).not.toContain("<");
  expect(JSON.parse(json)).toEqual({ name: "</script><script>alert(1)</script>" });
});
