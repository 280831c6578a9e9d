/**
 * Highlights all elements of a home (`data-ref`), its card in the list and its pin, while one of them is
 * hovered or focused. `findCluster` finds the cluster of a home that has no pin. The highlight (`data-lit`)
 * is set on the elements directly, so that neither the list nor the map renders again. Returns a function
 * that stops it.
 */
export function linkHomes(
  map: HTMLElement,
  findCluster: (ref: string) => Promise<Element | undefined>,
): () => void {
  let lit: Element[] = [];
  const clear = () => {
    for (const element of lit) element.removeAttribute("data-lit");
    lit = [];
  };
  const highlight = (event: Event) => {
    const source = event.target instanceof Element ? event.target.closest("[data-ref]") : null;
    clear();
    const ref = source?.getAttribute("data-ref");
    if (!source || !ref) return;
    const elements = [...document.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)];
    const current = elements.filter((element) => element !== source);
    lit = current;
    for (const element of current) element.setAttribute("data-lit", "");
    if (elements.some((element) => map.contains(element))) return;
    void findCluster(ref).then((cluster) => {
      // The pointer may have left meanwhile.
      if (!cluster || lit !== current) return;
      current.push(cluster);
      cluster.setAttribute("data-lit", "");
    });
  };
  const stop = new AbortController();
  const { signal } = stop;
  document.addEventListener("pointerover", highlight, { signal });
  document.addEventListener("focusin", highlight, { signal });
  document.addEventListener("focusout", clear, { signal });
  return () => {
    stop.abort();
    clear();
  };
}
