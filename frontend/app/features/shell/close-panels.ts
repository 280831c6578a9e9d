/**
 * Closes a panel (a popover over the page) when the keyboard moves the focus out of it, to an element that
 * the panel may cover. Returns a function that stops it.
 */
export function closeUnfocusedPanels(): () => void {
  const onFocus = ({ target, relatedTarget }: FocusEvent) => {
    if (!(target instanceof Element && relatedTarget instanceof Element)) return;
    // A panel that is laid out as a column is no open popover, and stays.
    const panel = relatedTarget.closest<HTMLElement>(".panel:popover-open");
    // A press outside closes the popover anyway. If this closed it too, a press on its button would open it
    // again.
    if (!panel?.contains(target) && target.matches(":focus-visible")) panel?.hidePopover();
  };
  document.addEventListener("focusin", onFocus);
  return () => document.removeEventListener("focusin", onFocus);
}

/**
 * Closes the menu of small screens when the window becomes so wide that the header has its own menus, as when
 * a tablet is turned. Returns a function that stops it.
 */
export function closeMenuOnLargeScreen(): () => void {
  const large = matchMedia("(width >= 64rem)");
  const onChange = () => {
    if (large.matches) document.querySelector<HTMLElement>("#menu:popover-open")?.hidePopover();
  };
  large.addEventListener("change", onChange);
  return () => large.removeEventListener("change", onChange);
}
