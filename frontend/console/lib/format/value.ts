/** As much of a value as a list has room for, in characters. */
const LONGEST = 200;

/** What a field holds, as an operator reads it: words as they are, everything else as JSON. */
export function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const letters = [...text];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text;
}

/** A value that a service gives as JSON, perhaps cut off: words without their quotes, all else as it is. */
export function showJson(json: string): string {
  try {
    return showValue(JSON.parse(json));
  } catch {
    return json;
  }
}

/** A line of what a role tells of itself: where it stands, and what it is. */
type Line = readonly [name: string, value: string];

/** What is nested as lines, at most so many. */
export function asLines(details: Record<string, unknown>, most: number): Line[] {
  const lines: Line[] = [];
  const add = (prefix: string, value: unknown) => {
    if (lines.length >= most) return;
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
