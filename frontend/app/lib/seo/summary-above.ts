/**
 * Returns the summary to show above the text of `html`: empty if nobody wrote one, and it is only the
 * beginning of the text.
 */
export function summaryAbove(summary: string, html: string): string {
  const withoutMarkup = (text: string) => text.replace(/<[^>]*>|\s/g, "");
  const paragraphs = html.match(/<p[ >].*?<\/p>/gs) ?? [];
  const text = withoutMarkup(paragraphs.find((each) => withoutMarkup(each) !== "") ?? html);
  const escaped = summary.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return text.startsWith(withoutMarkup(escaped).replace(/…$/, "")) ? "" : summary;
}
