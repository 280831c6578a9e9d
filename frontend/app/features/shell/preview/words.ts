import type { Embed } from "#app/lib/api/types.ts";
import { formatDate } from "#app/lib/format/date.ts";
import { formatNumber, formatPrice } from "#app/lib/format/format.ts";
import type { Locale } from "#app/lib/i18n/locale.ts";
import { type Messages, messagesFor } from "#app/lib/i18n/messages.ts";
import { EMBED_SERVICES } from "#app/lib/property/embeds.ts";
import { energyExemptionNames } from "#app/lib/vocabulary/energy.gen.ts";
import { featureName } from "#app/lib/vocabulary/feature-names.ts";
import { kindNames, statusNames, typePlurals } from "#app/lib/vocabulary/names.gen.ts";
import { orientationNames, slopeNames } from "#app/lib/vocabulary/particulars.gen.ts";
import { roomNames } from "#app/lib/vocabulary/rooms.gen.ts";
import { fieldNames, previewMessages, ratingNames } from "./messages.ts";

/** The maximum length of a displayed value, in characters. The rest can be read on the page. */
const MAX_LENGTH = 400;
const PRICES = new Set(["price", "previousPrice", "communityFees", "garbage", "ibi"]);
/** Numbers that are not formatted: a year has no thousands separator, and coordinates keep all decimals. */
const UNFORMATTED = new Set(["yearBuilt", "lat", "lng"]);
/** The names of a vocabulary's values, by the field that has them. */
const VOCABULARIES: Readonly<Record<string, Messages<Readonly<Record<string, string>>>>> = {
  emissionsRating: ratingNames,
  exemption: energyExemptionNames,
  // The kind of a home or of a room. A kind of both has the same name.
  kind: {
    en: { ...roomNames.en, ...kindNames.en },
    es: { ...roomNames.es, ...kindNames.es },
  },
  orientation: orientationNames,
  propertyType: typePlurals,
  rating: ratingNames,
  slope: slopeNames,
  status: statusNames,
};

/** An entry of a list, with a column if it has any: `rooms[3].kind`. */
const ENTRY = /^([^.[]+)\[(\d+)\](?:\.(.+))?$/;
/** The field name of a single entry, by its list. */
const ENTRIES: Readonly<Record<string, string>> = { images: "image", rooms: "room" };

/**
 * Returns the editors' name of a field of the read API or of the content service
 * (`translations.es-ES.title`).
 */
export function fieldName(locale: Locale, field: string): string {
  if (field === "") return messagesFor(previewMessages, locale).item;
  const [, list, number, column] = field.match(ENTRY) ?? [];
  if (list) {
    const entry = `${nameOf(locale, ENTRIES[list] ?? list)} ${number}`;
    return column ? `${entry}, ${nameOf(locale, column)}` : entry;
  }
  const parts = field.split(".");
  // A violation within a file is reported under the field that has the file.
  if (parts[0] !== "translations") return nameOf(locale, parts[0] ?? field);
  const name = nameOf(locale, parts.at(-1) ?? field);
  return parts.length === 3 ? `${name} (${parts[1]})` : name;
}

function nameOf(locale: Locale, field: string): string {
  // The content service uses snake case: `energy_rating`.
  const inCamelCase = field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return fieldNames[inCamelCase]?.[locale] ?? field;
}

/** Describes a value in words. */
export function valueInWords(locale: Locale, field: string, value: unknown): string {
  const t = messagesFor(previewMessages, locale);
  if (value === null || value === undefined || value === "") return t.nothing;
  if (typeof value === "boolean") return value ? t.yes : t.no;
  if (typeof value === "number") {
    if (PRICES.has(field)) return formatPrice(locale, value);
    return UNFORMATTED.has(field) ? String(value) : formatNumber(locale, value);
  }
  if (typeof value === "string") return textInWords(locale, field, value);
  if (Array.isArray(value)) {
    if (field === "images") return t.pictures(value.length);
    const entries = value.map((entry) => valueInWords(locale, field, entry));
    return shortened(entries.join(", ")) || t.nothing;
  }
  const members = Object.entries(value as Record<string, unknown>);
  if (field === "location") return String((value as { name?: unknown }).name ?? t.nothing);
  const present = members.filter(([, member]) => member !== null);
  return shortened(
    present
      .map(([name, member]) => `${fieldName(locale, name)}: ${valueInWords(locale, name, member)}`)
      .join(", "),
  );
}

function textInWords(locale: Locale, field: string, text: string): string {
  if (field === "features") return featureName(text, locale);
  if (field === "publishedAt") return formatDate(locale, text);
  if (field === "service") return EMBED_SERVICES[text as Embed["service"]]?.name ?? text;
  return VOCABULARIES[field]?.[locale][text] ?? shortened(withoutTags(text));
}

/** Describes a value that can't be published, as it is in the content service. */
export function refusedValue(locale: Locale, value: string): string {
  return value === "null" || value === "" ? messagesFor(previewMessages, locale).nothing : value;
}

/** Returns the text of HTML. The HTML is parsed in a separate document, so its scripts do not run. */
function withoutTags(text: string): string {
  if (!text.includes("<")) return text;
  const document = new DOMParser().parseFromString(text, "text/html");
  return document.body.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
