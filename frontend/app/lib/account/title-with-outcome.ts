/**
 * Returns the title of a page that reports the outcome of a form, with the outcome first. Screen readers read
 * a document from its title on; a message further down is only read when the reader gets there.
 */
export function titleWithOutcome(outcome: string | undefined, title: string): string {
  return outcome ? `${outcome.replace(/\.?$/, ".")} ${title}` : title;
}
