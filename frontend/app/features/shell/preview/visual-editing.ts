import { apply } from "@directus/visual-editing";
import styles from "./visual-editing.gen.css?url";

/** As the package calls the element that it would put its rules into: where it finds one, it adds none. */
const STYLE_ID = "directus-visual-editing-style";

/** Has the Studio at `studio`, in whose frame this page is, edit what `elements` are marked with. */
export function editIn(studio: string, elements: HTMLElement[]) {
  if (!document.getElementById(STYLE_ID)) {
    // The policy refuses styles that stand in the document itself.
    const link = document.createElement("link");
    link.id = STYLE_ID;
    link.rel = "stylesheet";
    link.href = styles;
    document.head.append(link);
  }
  return apply({ directusUrl: studio, elements });
}
