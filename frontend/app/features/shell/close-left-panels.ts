/**
 * Closes a panel (a popover that lies over the page) once keys have gone on to what lies beneath it, where nobody
 * would see them.
 */
export function closeLeftPanels(): () => void {
  const leave = ({ target, relatedTarget }: FocusEvent) => {
    if (!(target instanceof Element && relatedTarget instanceof Element)) return;
    // As a column beside the text it stays.
    const panel = relatedTarget.closest<HTMLElement>(".panel:popover-open");
    // What a hand presses closes it by itself: the button that opened it would only open it anew.
    if (!panel?.contains(target) && target.matches(":focus-visible")) panel?.hidePopover();
  };
  document.addEventListener("focusin", leave);
  return () => document.removeEventListener("focusin", leave);
}
