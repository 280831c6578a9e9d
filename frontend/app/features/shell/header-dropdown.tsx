import { type FocusEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from "react";
import type { NavigationItem } from "#app/lib/api/types.ts";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { Icon } from "#app/ui/icon.tsx";
import { MenuLink } from "./nav-link.tsx";

/**
 * A disclosure with links in it. The browser opens and closes it on a click, and keeps one open at
 * a time; the script adds the mouse's hover, Escape, a click or a step elsewhere and closing on
 * navigation. The kit's menu would be in every page's first load, closed until then, and is for
 * deeds, not for links.
 */
export function HeaderDropdown({ item }: { item: NavigationItem }) {
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
      name="header"
      className="group relative"
      onPointerEnter={hover(true)}
      onPointerLeave={hover(false)}
      onBlur={closeBehind}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary className="header-entry" onClick={openByMouse}>
        {item.label}
        <Icon
          name="chevron"
          className="size-4 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="absolute left-0 top-full z-10 pt-2">
        <ul className="w-80 rounded-card border border-line bg-surface p-2 shadow-xl shadow-[var(--shadow)]">
          {item.children?.map((child) => (
            <li key={child.label}>
              <MenuLink item={child} className="dropdown-entry" />
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

/** The focus has gone on to what stands behind the menu. */
function closeBehind({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

/** A mouse has opened the menu by hovering: its click must not close it, but may open it again. */
function openByMouse(event: MouseEvent<HTMLElement>) {
  const { pointerType } = event.nativeEvent as globalThis.PointerEvent;
  const byMouse = pointerType ? pointerType === "mouse" : matchMedia("(hover: hover)").matches;
  if (event.detail === 0 || !byMouse) return;
  event.preventDefault();
  (event.currentTarget.parentElement as HTMLDetailsElement).open = true;
}
