/** The pages of one visitor, with all that is below them: those of the door's `private_page.rs`. */
const PRIVATE = /^(\/es)?\/(account|alerts|enquiry|login|save-search|signup)(\/|$)/;

/** Whether the page at `pathname`, in either language, is one visitor's. */
export function isPrivatePath(pathname: string): boolean {
  return PRIVATE.test(pathname);
}
