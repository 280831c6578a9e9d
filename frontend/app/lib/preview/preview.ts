import { read, write } from "#app/lib/browser/stored.ts";

/** Where a preview's page has what its editor is told; no call of the API has such an address. */
export const PREVIEW_KEY = ["preview"] as const;

/** What a draft would change on its page. */
export interface Difference {
  /** Its name in the read API. */
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** A field, what it holds, and the rule that refuses it. */
export interface Refusal {
  /** The content service's name of it: `translations.es-ES.title`. */
  readonly field: string;
  readonly value: string;
  readonly rule: string;
}

/** What an editor is told beside what they preview. */
export interface PreviewOfItem {
  /** The content service's name of the collection. */
  readonly collection: string;
  readonly item: string;
  /** Its status there. */
  readonly status: string;
  /** Whether a version beside the item is shown. */
  readonly draft: boolean;
  /** Whether the site shows anything of it. */
  readonly published: boolean;
  /** Where the Studio is. */
  readonly studio: string;
  readonly differences: readonly Difference[];
  /** What keeps it from the site. */
  readonly refused: readonly Refusal[];
  /** The pictures that the site would show it without. */
  readonly leftOut: readonly Refusal[];
}

/** What a page knows of its being a preview. */
export interface Preview {
  /** Where the site is, as browsers name it. */
  readonly origin: string;
  /** The development API that was asked; none where it is the site's own. */
  readonly staging?: string | undefined;
  /** What is previewed; none on a page of none. */
  readonly item?: PreviewOfItem | undefined;
}

/** What the door has an address end with when its visitor has ended previews. */
export const PREVIEW_ENDED = "#preview=";

const SAVED = "almijara-preview";

/**
 * Remembers in this tab that previews are on, by the value that asked for them. In a frame of another site
 * browsers may refuse that: the cookie, which the door gives, is then all that remembers.
 */
export function savePreview(value: string): void {
  write(SAVED, value, "sessionStorage");
}

/** The value that is remembered, once: whoever goes back from what it leads to is not sent again. */
export function takeSavedPreview(): string | undefined {
  const value = read(SAVED, "sessionStorage") ?? undefined;
  write(SAVED, null, "sessionStorage");
  return value;
}

/** The same page as a preview; an empty `value` ends previews. */
export function previewAddress({ href }: { href: string }, value: string): string {
  const url = new URL(href);
  url.searchParams.set("preview", value);
  return url.pathname + url.search + url.hash;
}
