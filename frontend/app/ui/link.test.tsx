import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter, Link as RouterLink } from "react-router";
import { expect, test } from "vitest";
import { localeOf, localizedPath } from "#app/lib/i18n/locale.ts";
import { Link } from "./link.tsx";

const ADDRESSES = [
  "/",
  "/property-for-sale/nerja",
  "/property-for-sale?location=nerja&sort=price-asc#cards",
  "/?x=1",
  "/guides/",
  "?page=2",
  "#cards",
  "https://example.com/a?b=c",
  "//example.com/a",
  "mailto:office@example.com",
];

test.each(["/contact", "/es/contact"])("the document has the router's own links (%s)", (page) => {
  const render = (link: React.ReactNode) =>
    renderToStaticMarkup(<MemoryRouter initialEntries={[page]}>{link}</MemoryRouter>);
  for (const to of ADDRESSES) {
    const rendered = render(
      <Link to={to} className="text-link" preventScrollReset viewTransition state={{ chip: 1 }}>
        here
      </Link>,
    );
    const address = localizedPath(localeOf(page), to);
    const expected = render(
      <RouterLink to={address} discover="none" className="text-link">
        here
      </RouterLink>,
    );
    expect(rendered).toBe(expected);
  }
});
