/**
 * Marks everything that shows one home (`data-ref`) while any of it is pointed at or has the focus:
 * its card in the list and its pin. `instead` finds what stands for a home that has no pin of its
 * own. The mark (`data-lit`) is set by hand: neither the list nor the map renders for it.
 */
export function linkHomes(
  map: HTMLElement,
  instead: (ref: string) => Promise<Element | undefined>,
): () => void {
  let lit: Element[] = [];
  const dim = () => {
    for (const element of lit) element.removeAttribute("data-lit");
    lit = [];
  };
  const light = (event: Event) => {
    const source = event.target instanceof Element ? event.target.closest("[data-ref]") : null;
    dim();
    const ref = source?.getAttribute("data-ref");
    if (!source || !ref) return;
    const elements = [...document.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)];
    const current = elements.filter((element) => element !== source);
    lit = current;
    for (const element of current) element.setAttribute("data-lit", "");
    if (elements.some((element) => map.contains(element))) return;
    void instead(ref).then((marker) => {
      // The pointer may have left meanwhile.
      if (!marker || lit !== current) return;
      current.push(marker);
      marker.setAttribute("data-lit", "");
    });
  };
  const off = new AbortController();
  const { signal } = off;
  document.addEventListener("pointerover", light, { signal });
  document.addEventListener("focusin", light, { signal });
  document.addEventListener("focusout", dim, { signal });
  return () => {
    off.abort();
    dim();
  };
}
