/**
 * The title of a page that tells what became of a form: a document is read out from its title on, and what
 * stands further down in it only where its reader comes upon it.
 */
export function toldTitle(told: string | undefined, title: string): string {
  return told ? `${told.replace(/\.?$/, ".")} ${title}` : title;
}
