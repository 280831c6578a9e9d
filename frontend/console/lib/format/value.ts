/** The maximum length of a shown value, in characters. */
const MAX_LENGTH = 200;

/** Formats a field's value: text without quotes, everything else as JSON. Long values are cut. */
export function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const characters = [...text];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join("")}…` : text;
}

/** Formats JSON from a service, which may be truncated: text without quotes, everything else unchanged. */
export function showJson(json: string): string {
  try {
    return showValue(JSON.parse(json));
  } catch {
    return json;
  }
}

/** A line of a role's details: the path of a value, and the value. */
type Line = readonly [name: string, value: string];

/** Flattens nested details into at most `max` lines. */
export function asLines(details: Record<string, unknown>, max: number): Line[] {
  const lines: Line[] = [];
  const add = (prefix: string, value: unknown) => {
    if (lines.length >= max) return;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) {
        add(prefix === "" ? name : `${prefix}.${name}`, inner);
      }
    } else {
      lines.push([prefix, showValue(value)]);
    }
  };
  add("", details);
  return lines;
}
