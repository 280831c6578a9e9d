/** How much of a description search engines show before they cut it themselves, in characters. */
const MAX_LENGTH = 160;

/** Shortens a description to that length, at the end of a word. */
export function shortDescription(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= MAX_LENGTH) return line;
  const cut = line.slice(0, MAX_LENGTH - 1);
  return `${cut.slice(0, cut.lastIndexOf(" ")).replace(/[\s,;:.·–-]+$/, "")}…`;
}
