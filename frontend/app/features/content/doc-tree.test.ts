import { expect, test } from "vitest";
import { docAncestors, docNeighbours, docParts, docPath, docsIn } from "./doc-tree.ts";

const links = ["", "buying", "buying/nie", "buying/tax/itp", "selling", "selling/papers"].map(
  (slug) => ({ slug, title: slug.toUpperCase() }),
);
const slugs = (found: readonly { slug: string }[]) => found.map(({ slug }) => slug);

test("each page belongs to the part that its path begins with, the index to none", () => {
  expect(docParts(links).map(({ part, pages }) => [part.slug, slugs(pages)])).toEqual([
    ["buying", ["buying/nie", "buying/tax/itp"]],
    ["selling", ["selling/papers"]],
  ]);
  expect(slugs(docsIn(links, "buying"))).toEqual(["buying/nie", "buying/tax/itp"]);
  expect(docsIn(links, "pricing")).toEqual([]);
});

test("before and after follow the editors' order, and the ends have one neighbour", () => {
  expect(docNeighbours(links, "buying/nie").before?.slug).toBe("buying");
  expect(docNeighbours(links, "buying/nie").after?.slug).toBe("buying/tax/itp");
  expect(docNeighbours(links, "").before).toBeUndefined();
  expect(docNeighbours(links, "selling/papers").after).toBeUndefined();
  expect(docNeighbours(links, "unknown")).toEqual({ before: undefined, after: undefined });
});

test("the ancestors of a page are those that exist", () => {
  expect(slugs(docAncestors(links, "buying/tax/itp"))).toEqual(["", "buying"]);
  expect(docAncestors(links, "")).toEqual([]);
});

test("the empty path is the index", () => {
  expect(docPath("")).toBe("/docs");
  expect(docPath("buying/nie")).toBe("/docs/buying/nie");
});
