import type { Locale } from "#app/lib/i18n/locale.ts";
import { withLinks } from "./links.ts";

export interface Heading {
  id: string;
  text: string;
  level: 2 | 3;
}

/** A text as it is shown, and what a reader likes to know before beginning. */
export interface Readable {
  html: string;
  /** What the contents list is made of. */
  headings: Heading[];
  /** Reading time. */
  minutes: number;
}

/** Ids that the page around the text has already given away. */
const TAKEN = ["content", "contents", "menu", "filters", "photos", "questions"];

const WORDS_A_MINUTE = 220;

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };

/** The words of a piece of HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim();
}

/** `What it costs` as the end of an address: `what-it-costs`. */
export function slugOf(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

export function readingMinutes(html: string): number {
  const words = plainText(html).split(" ").length;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE));
}

/**
 * Makes editors' HTML ready to be shown. The API has cleaned it: tags are balanced, attributes are
 * quoted, and nothing in it acts. Here headings get their ids, links stay in the language of the
 * page, and tables something to scroll in. The page keeps `h1` for its own title.
 */
export function readable(html: string, locale: Locale): Readable {
  const headings: Heading[] = [];
  const taken = new Set(TAKEN);

  const withHeadings = html.replace(
    /<h([1-6])((?:\s[^>]*)?)>([\s\S]*?)<\/h\1>/g,
    (_, digit: string, attributes: string, inner: string) => {
      const level = Math.max(2, Number(digit));
      const text = plainText(inner);
      const id = distinct(slugOf(text) || "section", taken);
      if (level === 2 || level === 3) headings.push({ id, text, level });
      return `<h${level} id="${id}"${attributes}>${inner}</h${level}>`;
    },
  );

  return {
    html: withLinks(withHeadings.replace(/>[^<]+/g, unbroken), locale)
      .replaceAll("<table", '<div class="prose-table" role="group" tabindex="0"><table')
      .replaceAll("</table>", "</table></div>"),
    headings,
    minutes: readingMinutes(html),
  };
}

/** Words in which `7 %`, `ITP 7%`, `+34 951 550 101` and `B-00000000` stay on one line each. */
function unbroken(words: string): string {
  return (
    words
      .replace(/(\d) (?=[€%])/g, "$1\u00a0")
      .replace(/\b(ITP|IVA|AJD|VAT) (?=\d)/g, "$1\u00a0")
      .replace(/\+\d+(?: \d+)+/g, (number) => number.replaceAll(" ", "\u00a0"))
      // Our fonts have no hyphen that does not break, and a copied number should keep its own.
      .replace(/\b[A-Z]{1,2}-\d+/g, '<span class="whitespace-nowrap">$&</span>')
  );
}

function distinct(id: string, taken: Set<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id}-${count}`;
  taken.add(free);
  return free;
}
