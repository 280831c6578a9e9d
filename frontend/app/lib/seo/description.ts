/** What search engines show of a description before they cut it themselves. */
const MOST = 160;

/** The description up to a whole word, where it is longer than anyone is shown. */
export function shortDescription(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= MOST) return line;
  const cut = line.slice(0, MOST - 1);
  return `${cut.slice(0, cut.lastIndexOf(" ")).replace(/[\s,;:.·–-]+$/, "")}…`;
}
