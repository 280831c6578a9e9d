/** Returns the attributes of each tag of a name (a pattern) in a document; their own names in lower case. */
export function tags(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, "g"))].map(([, text = ""]) =>
    Object.fromEntries(
      [...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
        key.toLowerCase(),
        unescaped(value),
      ]),
    ),
  );
}

/** Returns the texts of all elements of a name that contain nothing else. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`, "g"))].map(
    ([, text = ""]) => unescaped(text),
  );
}

/** Returns the main part of a page. */
export function mainOf(html: string): string {
  return /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
}

/** Returns the path and query of a URL. */
export function addressOf(url = ""): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Parses a page's head. */
export function headOf(html: string) {
  const links = tags(html, "link");
  const metas = tags(html, "meta");
  const meta = (name: string) =>
    metas.filter((tag) => tag.name === name || tag.property === name).map((tag) => tag.content);
  return {
    titles: elements(html, "title"),
    descriptions: meta("description"),
    indexed: !meta("robots").includes("noindex"),
    canonical: links.filter(({ rel }) => rel === "canonical").map(({ href }) => href),
    alternates: Object.fromEntries(
      links
        .filter(({ rel, hreflang }) => rel === "alternate" && hreflang)
        .map(({ hreflang = "", href = "" }) => [hreflang, href]),
    ),
    pictures: meta("og:image"),
    headings: tags(html, "h1").length,
    things: [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].flatMap(
      ([, json = ""]) => (JSON.parse(json) as { "@graph": { "@type": string }[] })["@graph"],
    ),
  };
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
