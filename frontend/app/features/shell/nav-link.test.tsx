import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { NavigationItem } from "#app/lib/api/types.ts";
import { MenuLink, MenuLinks, NavLink } from "./nav-link.tsx";

const markup = (part: React.ReactNode, path = "/") =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[path]}>{part}</MemoryRouter>);

const NEWS: NavigationItem = { label: "News", url: "/news" };

test("an entry links to its page in the language of the current page", () => {
  expect(markup(<NavLink item={NEWS} />, "/es")).toContain('href="/es/news"');
  expect(markup(<NavLink item={NEWS} />, "/es/news")).toContain('aria-current="page"');
  expect(markup(<NavLink item={NEWS} />)).not.toContain("aria-current");
});

test("a badge follows the label", () => {
  expect(markup(<NavLink item={{ ...NEWS, badge: "New" }} />)).toMatch(
    /News<span[^>]*>New<\/span>/,
  );
});

test("a disabled entry, and one without an address, is plain text", () => {
  for (const item of [{ ...NEWS, disabled: true }, { label: "News" }]) {
    expect(markup(<NavLink item={item} />)).toBe('<span class="text-muted">News</span>');
  }
});

test.each([
  ["a page of the site with target _blank", { url: "/news", target: "_blank" }],
  ["an address of another site", { url: "https://elsewhere.example/" }],
])("%s opens a new window, says so, and sends no referrer", (_, fields) => {
  const html = markup(<NavLink item={{ ...NEWS, ...fields }} />);
  expect(html).toContain('target="_blank"');
  expect(html).toContain('rel="noopener noreferrer"');
  expect(html).toContain("(opens in a new window)");
});

test("a telephone number and an email address open no window", () => {
  for (const url of ["tel:+34952000000", "mailto:ann@example.com"]) {
    const html = markup(<NavLink item={{ ...NEWS, url }} />);
    expect(html).toContain(`href="${url}"`);
    expect(html).not.toMatch(/target=|new window/);
  }
});

test("a page of the site in a new window keeps the language, and another site keeps its address", () => {
  const link = (url: string) =>
    markup(<NavLink item={{ ...NEWS, url, target: "_blank" }} />, "/es");
  expect(link("/news")).toContain('href="/es/news"');
  expect(link("https://elsewhere.example/news")).toContain('href="https://elsewhere.example/news"');
});

test("an entry of an open menu has its icon, if there is one of that name", () => {
  const drawn = markup(<MenuLink item={{ ...NEWS, icon: "pin", description: "Lately" }} />);
  expect(drawn).toMatch(/<use href="[^"]*#pin"/);
  expect(drawn).toContain("<small>Lately</small>");
  for (const icon of ["no-such-icon", "", null]) {
    expect(markup(<MenuLink item={{ ...NEWS, icon }} />)).not.toContain("<svg");
  }
});

test("the document has the descriptions of a menu's entries, and the space of their icons", () => {
  const html = markup(<MenuLinks items={[{ ...NEWS, icon: "pin", description: "Lately" }]} />);
  expect(html).toContain('<ul data-drawn=""');
  expect(html).toContain("<small>Lately</small>");
});
