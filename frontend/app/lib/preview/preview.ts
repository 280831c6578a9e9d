import { read, write } from "#app/lib/browser/stored.ts";

/** The query key of what the editor of a preview is shown; no call of the API has such an address. */
export const PREVIEW_KEY = ["preview"] as const;

/** A change that a draft would make to its page. */
interface Difference {
  /** The field's name in the read API. */
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** A field with its value, and the rule that refuses it. */
export interface Refusal {
  /** The field's name in the content service: `translations.es-ES.title`. */
  readonly field: string;
  readonly value: string;
  readonly rule: string;
}

/** What an editor is shown beside a previewed item. */
export interface PreviewOfItem {
  /** The collection's name in the content service. */
  readonly collection: string;
  readonly item: string;
  /** The item's status in the content service. */
  readonly status: string;
  /** Whether a version of the item is shown, not the item itself. */
  readonly draft: boolean;
  /** Whether the site shows the item. */
  readonly published: boolean;
  /** The address of the Studio. */
  readonly studio: string;
  readonly differences: readonly Difference[];
  /** The reasons why the site does not show it. */
  readonly refused: readonly Refusal[];
  /** The pictures that the site would omit. */
  readonly leftOut: readonly Refusal[];
}

/** What a page knows about being a preview. */
export interface Preview {
  /** The site's public origin. */
  readonly origin: string;
  /** The name of the development API that the page reads; undefined for the site's own API. */
  readonly staging?: string | undefined;
  /** The previewed item, if the page shows one. */
  readonly item?: PreviewOfItem | undefined;
}

/** The fragment that the door adds to an address when its visitor has ended previews. */
export const PREVIEW_ENDED = "#preview=";

const SAVED = "almijara-preview";

/**
 * Remembers in this tab that previews are on, by the value that turned them on. In a frame of another site
 * browsers may refuse that; then only the door's cookie remembers.
 */
export function savePreview(value: string): void {
  write(SAVED, value, "sessionStorage");
}

/**
 * Returns and removes the remembered value, so that a visitor who steps back from the preview is not
 * redirected to it again.
 */
export function takeSavedPreview(): string | undefined {
  const value = read(SAVED, "sessionStorage") ?? undefined;
  write(SAVED, null, "sessionStorage");
  return value;
}

/** Returns the address of the same page as a preview; an empty `value` ends previews. */
export function previewAddress({ href }: { href: string }, value: string): string {
  const url = new URL(href);
  url.searchParams.set("preview", value);
  return url.pathname + url.search + url.hash;
}
