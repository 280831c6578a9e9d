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
  /** Of those with one name, one is open at a time. */
  name: string;
  /** What it is opened by, and how that looks. */
  opener: ReactNode;
  openerClassName: string;
  /** What lies over the page while it is open. */
  children: ReactNode;
}

/**
 * Something small over the page, such as a menu of links. The browser opens and closes it on a click, and
 * keeps one open at a time; the script adds the mouse's hover, Escape, a click or a step elsewhere and
 * closing on navigation. What is folded away within a text is no such thing: a plain `details` stays
 * open while it is read, whatever is pressed beside it.
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
      onBlur={closeBehind}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary className={openerClassName} onClick={openByMouse}>
        {opener}
      </summary>
      <div className="absolute left-0 top-full z-10 pt-2">{children}</div>
    </details>
  );
}

/** The focus has gone on to what stands behind it. */
function closeBehind({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

/** A mouse has opened it by hovering: its click must not close it, but may open it again. */
function openByMouse(event: MouseEvent<HTMLElement>) {
  const { pointerType } = event.nativeEvent as globalThis.PointerEvent;
  const byMouse = pointerType ? pointerType === "mouse" : matchMedia("(hover: hover)").matches;
  if (event.detail === 0 || !byMouse) return;
  event.preventDefault();
  (event.currentTarget.parentElement as HTMLDetailsElement).open = true;
}
