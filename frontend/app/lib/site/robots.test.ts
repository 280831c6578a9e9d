import { expect, test } from "vitest";
import { robots } from "./robots.ts";

const text = robots("https://homes.example");

/** Returns whether a crawler may read an address, by the patterns of the Robots Exclusion Protocol. */
function allowed(address: string): boolean {
  return !text
    .split("\n")
    .filter((line) => line.startsWith("Disallow: "))
    .map((line) => line.slice("Disallow: ".length).replace(/[.?+^$()|[\]\\]/g, "\\$&"))
    .map((pattern) => pattern.replaceAll("*", ".*").replace(/\\\$$/, "$"))
    .some((pattern) => new RegExp(`^${pattern}`).test(address));
}

test.each([
  ["/", true],
  ["/es/property-for-sale/nerja/AH-1", true],
  ["/property-for-sale?page=2", true],
  ["/property-for-sale?propertyType=House", true],
  ["/property-for-sale?propertyType=House&sort=price-asc", false],
  ["/es/property-for-sale?sort=price-asc", false],
  ["/api/properties", false],
  ["/account", false],
  ["/account?x", false],
  ["/account/searches", false],
  ["/es/preview/home", false],
  ["/accountants", true],
  ["/es/accounting", true],
  ["/previews-of-new-builds", true],
  ["/es/save-search?location=nerja", false],
  ["/es/account", false],
  ["/es/login", true],
])("%s may be read: %s", (address, may) => {
  expect(allowed(address)).toBe(may);
});

test("crawlers find the sitemap", () => {
  expect(text).toContain("Sitemap: https://homes.example/sitemap.xml");
});
