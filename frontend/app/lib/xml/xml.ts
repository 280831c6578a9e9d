/** Characters that no XML 1.0 document may contain, not even escaped. */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for XML content and attributes. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, "").replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

/** A fragment of XML, as opposed to text that must still be escaped. */
export class Xml {
  constructor(readonly source: string) {}
}

type Attributes = Readonly<Record<string, string | number>>;
type Content = string | Xml | readonly Xml[];

/** Returns `<name attributes>content</name>`; text content is escaped. */
export function element(name: string, content: Content = [], attributes: Attributes = {}): Xml {
  const opening = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
    .join("");
  const inner = typeof content === "string" ? escapeXml(content) : sourceOf(content);
  return new Xml(inner === "" ? `<${name}${opening}/>` : `<${name}${opening}>${inner}</${name}>`);
}

function sourceOf(content: Xml | readonly Xml[]): string {
  return content instanceof Xml ? content.source : content.map(({ source }) => source).join("");
}

/** Returns a complete document. */
export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.source}\n`;
}
