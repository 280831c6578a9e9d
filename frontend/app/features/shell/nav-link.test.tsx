import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { NavigationItem } from "#app/lib/api/types.ts";
import { MenuLink, NavLink } from "./nav-link.tsx";

const markup = (part: React.ReactNode, path = "/") =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[path]}>{part}</MemoryRouter>);

const NEWS: NavigationItem = { label: "News", url: "/news" };

test("an entry leads to its page in the language of the page that it stands on", () => {
  expect(markup(<NavLink item={NEWS} />, "/es")).toContain('href="/es/news"');
  expect(markup(<NavLink item={NEWS} />, "/es/news")).toContain('aria-current="page"');
  expect(markup(<NavLink item={NEWS} />)).not.toContain("aria-current");
});

test("a badge stands beside the label", () => {
  expect(markup(<NavLink item={{ ...NEWS, badge: "New" }} />)).toMatch(
    /News<span[^>]*>New<\/span>/,
  );
});

test("a disabled entry is shown, leads nowhere, and says that it is disabled", () => {
  const html = markup(<NavLink item={{ ...NEWS, disabled: true }} />);
  expect(html).toContain("News");
  expect(html).toContain('aria-disabled="true"');
  expect(html).not.toContain("<a");
});

test("an entry without an address is words alone", () => {
  const html = markup(<NavLink item={{ label: "Local Areas" }} />);
  expect(html).toBe('<span class="text-muted">Local Areas</span>');
});

test.each([
  ["a page of ours that is to open elsewhere", { url: "/news", target: "_blank" }],
  ["another site's", { url: "https://elsewhere.example/" }],
])("%s opens a window of its own, says so, and tells it nothing", (_, fields) => {
  const html = markup(<NavLink item={{ ...NEWS, ...fields }} />);
  expect(html).toContain('target="_blank"');
  expect(html).toContain('rel="noopener noreferrer"');
  expect(html).toContain("(opens in a new window)");
});

test("a telephone and a mailbox open no window", () => {
  for (const url of ["tel:+34952000000", "mailto:ann@example.com"]) {
    const html = markup(<NavLink item={{ ...NEWS, url }} />);
    expect(html).toContain(`href="${url}"`);
    expect(html).not.toMatch(/target=|new window/);
  }
});

test("a page of ours that opens elsewhere keeps the language, and another site its address", () => {
  const leadsTo = (url: string) =>
    markup(<NavLink item={{ ...NEWS, url, target: "_blank" }} />, "/es");
  expect(leadsTo("/news")).toContain('href="/es/news"');
  expect(leadsTo("https://elsewhere.example/news")).toContain(
    'href="https://elsewhere.example/news"',
  );
});

test("in an open menu an entry has its drawing, where there is one of that name", () => {
  const drawn = markup(<MenuLink item={{ ...NEWS, icon: "pin", description: "Lately" }} />);
  expect(drawn).toMatch(/<use href="[^"]*#pin"/);
  expect(drawn).toContain("<small>Lately</small>");
  for (const icon of ["no-such-icon", "", null]) {
    expect(markup(<MenuLink item={{ ...NEWS, icon }} />)).not.toContain("<svg");
  }
});
