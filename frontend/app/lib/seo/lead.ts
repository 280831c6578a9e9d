/**
 * What stands for a summary above the text of `html`: nothing where nobody wrote one, and it is how the text
 * begins.
 */
export function leadOf(summary: string, html: string): string {
  const bare = (text: string) => text.replace(/<[^>]*>|\s/g, "");
  const paragraphs = html.match(/<p[ >].*?<\/p>/gs) ?? [];
  const text = bare(paragraphs.find((each) => bare(each) !== "") ?? html);
  const written = summary.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return text.startsWith(bare(written).replace(/…$/, "")) ? "" : summary;
}
