/** The class of the one photograph that a view transition carries from page to page. */
export const CARRIED_PHOTO = "carried-photo";

/** Has the browser carry this card's photograph over to the home's page, and no other. */
export function carryPhoto(card: Element | null): void {
  for (const other of document.querySelectorAll(`.${CARRIED_PHOTO}`)) {
    other.classList.remove(CARRIED_PHOTO);
  }
  card?.querySelector("img")?.classList.add(CARRIED_PHOTO);
}
