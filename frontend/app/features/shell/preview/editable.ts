import { neutralPath } from "#app/lib/i18n/locale.ts";
import type { PreviewOfItem } from "#app/lib/preview/preview.ts";

/** A place in a page: the read API's members that it shows, the content service's fields, and the element. */
type Place = readonly [members: readonly string[], fields: readonly string[], selector: string];

/**
 * Texts are edited through their item, because in a draft the Studio can edit only collections with
 * versions.
 */
const TEXTS = ["translations"] as const;

/** The places in the pages of each collection. */
export const PLACES: Readonly<Record<string, readonly Place[]>> = {
  properties: [
    [["title"], TEXTS, "main article header h1"],
    // On small screens the price is between the title and the summary.
    [["summary"], TEXTS, "main article header h1 ~ p"],
    [["description"], TEXTS, "#description + .prose"],
    [["images"], ["images"], "main article .mosaic"],
    // Small screens show the first of these, large ones the second.
    [["price"], ["price"], "main article header .price"],
    [["price"], ["price"], "main article .enquiry-panel .price"],
    [
      ["bedrooms", "bathrooms", "builtArea", "plotArea", "terraceArea", "yearBuilt", "floor"],
      [
        "bedrooms",
        "bathrooms",
        "built_m2",
        "useful_m2",
        "plot_m2",
        "terrace_m2",
        "year_built",
        "floor",
      ],
      "main article .facts",
    ],
    [["particulars", "floorPlan"], ["rooms", "floor_plan"], "main article section:has(> #rooms)"],
  ],
  locations: [
    [["name"], TEXTS, "main h1"],
    [["intro"], TEXTS, "main h1 + p"],
    [["description"], TEXTS, "#place + .prose"],
  ],
  articles: [
    [["title"], TEXTS, "main article header h1"],
    [["summary"], TEXTS, "main article header h1 + p"],
    [["image"], ["image"], "main article > div:has(> picture)"],
    [["body"], TEXTS, "main article .prose"],
  ],
  docs: [
    [["title"], TEXTS, "main article h1"],
    [["summary"], TEXTS, "main article h1 + p"],
    [["body"], TEXTS, "main article .prose"],
  ],
  pages: [
    [["title"], TEXTS, "main h1"],
    [["intro"], TEXTS, "main h1 + p"],
    [["image"], ["image"], "main header .arch"],
    [["body"], TEXTS, "main .prose"],
    [["faq"], TEXTS, "main section[aria-labelledby=questions]"],
  ],
};

/** The home page starts with the agency's own words instead of the title of its item. */
export const FIRST_PAGE: readonly Place[] = [
  [["intro"], TEXTS, "main p.text-heading"],
  [["body"], TEXTS, "main .prose"],
];

/** An element of the page that shows what an editor can change. */
export interface Editable {
  readonly element: HTMLElement;
  /** The members of the read API that it shows. */
  readonly members: readonly string[];
}

/** Marks the elements that the Studio can edit. Only previews have the item that this needs. */
export function markEditable(item: PreviewOfItem): Editable[] {
  const found: Editable[] = [];
  const places =
    neutralPath(location.pathname) === "/" ? FIRST_PAGE : (PLACES[item.collection] ?? []);
  for (const [members, fields, selector] of places) {
    const element = document.querySelector<HTMLElement>(selector);
    if (!element) continue;
    element.dataset.directus = `collection:${item.collection};item:${item.item};fields:${fields.join(",")};mode:drawer`;
    found.push({ element, members });
  }
  return found;
}
