import type { DocLink } from "./queries.ts";

/** A part of the documentation and the pages in it. */
interface DocPart {
  part: DocLink;
  pages: DocLink[];
}

/** Groups the pages into parts, in the editors' order. A page belongs to the part that its path begins with. */
export function docParts(links: readonly DocLink[]): DocPart[] {
  const parts = new Map<string, DocPart>();
  for (const link of links) {
    if (link.slug === "") continue;
    const [name = ""] = link.slug.split("/");
    const part = parts.get(name);
    if (part) part.pages.push(link);
    else parts.set(name, { part: link, pages: [] });
  }
  return [...parts.values()];
}

/** Returns the pages of a part; none if there is no such part. */
export function docsIn(links: readonly DocLink[], part: string): DocLink[] {
  return links.filter(({ slug }) => slug.startsWith(`${part}/`));
}

/** Returns the previous and the next page in reading order. */
export function docNeighbours(
  links: readonly DocLink[],
  slug: string,
): { before: DocLink | undefined; after: DocLink | undefined } {
  const at = links.findIndex((link) => link.slug === slug);
  if (at < 0) return { before: undefined, after: undefined };
  return { before: links[at - 1], after: links[at + 1] };
}

/** Returns the ancestors of a page, from the index down. */
export function docAncestors(links: readonly DocLink[], slug: string): DocLink[] {
  return links.filter(
    (link) => link.slug !== slug && (link.slug === "" || slug.startsWith(`${link.slug}/`)),
  );
}

/** Returns the path of a documentation page without the language prefix. */
export function docPath(slug: string): string {
  return slug === "" ? "/docs" : `/docs/${slug}`;
}
