import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
} from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";

interface DisclosureProps {
  /** Only one of the disclosures with the same name is open at a time. */
  name: string;
  /** The content of the element that opens it, and its class names. */
  opener: ReactNode;
  openerClassName: string;
  /** What is shown over the page while it is open. */
  children: ReactNode;
}

/**
 * A small overlay, such as a menu of links. The browser opens and closes it on a click, and keeps only one
 * open at a time. The script opens it on mouse hover, and closes it on Escape, on a click or focus elsewhere
 * and on navigation. Use a plain `details` for text that is collapsed within an article: it must stay open
 * while it is read, whatever else is pressed.
 */
export function Disclosure({ name, opener, openerClassName, children }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);

  useNavigated(() => {
    if (details.current) details.current.open = false;
  });

  useEffect(() => {
    const close = (event: Event) => {
      const element = details.current;
      if (!element?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        if (element.contains(document.activeElement)) element.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && element.contains(event.target)) {
        return;
      }
      element.open = false;
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);

  const hover = (open: boolean) => (event: PointerEvent<HTMLDetailsElement>) => {
    if (event.pointerType === "mouse") event.currentTarget.open = open;
  };

  return (
    <details
      ref={details}
      name={name}
      className="group relative"
      onPointerEnter={hover(true)}
      onPointerLeave={hover(false)}
      onBlur={closeOnFocusOut}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary className={openerClassName} onClick={keepOpenOnMouseClick}>
        {opener}
      </summary>
      <div className="absolute top-full z-10 pt-2">{children}</div>
    </details>
  );
}

/** Closes the disclosure when the focus moves out of it. */
function closeOnFocusOut({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

/** Prevents a mouse click from closing what hovering has just opened; the click may open it again. */
function keepOpenOnMouseClick(event: MouseEvent<HTMLElement>) {
  const { pointerType } = event.nativeEvent as globalThis.PointerEvent;
  const byMouse = pointerType ? pointerType === "mouse" : matchMedia("(hover: hover)").matches;
  if (event.detail === 0 || !byMouse) return;
  event.preventDefault();
  (event.currentTarget.parentElement as HTMLDetailsElement).open = true;
}
