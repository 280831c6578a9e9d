/**
 * Marks everything that shows one home (`data-ref`) while any of it is pointed at or has the focus:
 * its card in the list and its pin. `instead` names what stands for a home that has no pin of its
 * own. The mark (`data-lit`) is set by hand: neither the list nor the map renders for it.
 */
export function linkHomes(
  map: HTMLElement,
  instead: (ref: string) => Element | null | undefined,
): () => void {
  let lit: Element[] = [];
  const dim = () => {
    for (const element of lit.splice(0)) element.removeAttribute("data-lit");
  };
  const light = (event: Event) => {
    const source = event.target instanceof Element ? event.target.closest("[data-ref]") : null;
    dim();
    const ref = source?.getAttribute("data-ref");
    if (!source || !ref) return;
    const elements = [...document.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)];
    const onMap = elements.filter((element) => map.contains(element));
    const marker = onMap[0] ?? instead(ref);
    lit = [...elements, ...(marker && !elements.includes(marker) ? [marker] : [])].filter(
      (element) => element !== source,
    );
    for (const element of lit) element.setAttribute("data-lit", "");
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
