import type { DocLink } from "./queries.ts";

/** A part of the documentation and the pages in it. */
interface DocPart {
  part: DocLink;
  pages: DocLink[];
}

/** The parts, in the editors' order: a page belongs to the part that its path begins with. */
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

/** The pages of one part; none where there is no such part. */
export function docsIn(links: readonly DocLink[], part: string): DocLink[] {
  return links.filter(({ slug }) => slug.startsWith(`${part}/`));
}

/** What comes before and after a page when one reads them all. */
export function docNeighbours(
  links: readonly DocLink[],
  slug: string,
): { before: DocLink | undefined; after: DocLink | undefined } {
  const at = links.findIndex((link) => link.slug === slug);
  if (at < 0) return { before: undefined, after: undefined };
  return { before: links[at - 1], after: links[at + 1] };
}

/** The pages above a page, from the index down. */
export function docsAbove(links: readonly DocLink[], slug: string): DocLink[] {
  return links.filter(
    (link) => link.slug !== slug && (link.slug === "" || slug.startsWith(`${link.slug}/`)),
  );
}

/** The address of a page of the documentation, without its language. */
export function docPath(slug: string): string {
  return slug === "" ? "/docs" : `/docs/${slug}`;
}
