/** The class of the one photograph that a view transition animates from page to page. */
export const CARRIED_PHOTO = "carried-photo";

/** Marks only this card's photograph for the view transition to the home's page. */
export function carryPhoto(card: Element | null): void {
  for (const other of document.querySelectorAll(`.${CARRIED_PHOTO}`)) {
    other.classList.remove(CARRIED_PHOTO);
  }
  card?.querySelector("img")?.classList.add(CARRIED_PHOTO);
}
