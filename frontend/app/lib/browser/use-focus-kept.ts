import { type FocusEvent, type RefObject, useEffect, useRef } from "react";

/** The props of the element that keeps the focus. */
interface FocusKept {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/** Not fields: a visitor who has removed an item is not about to type, and a phone would open its keyboard. */
const KINDS = ["button", "a[href]"];

/** Where the focus is: the index among the elements of its kind. */
interface Place {
  kind: string;
  index: number;
}

/**
 * Keeps the focus in a list whose items are removed by buttons inside them. After a removal the focus moves
 * to the element that took the removed one's place, not to the top of the page. `count` is the number of
 * items.
 */
export function useFocusKept(count: number): FocusKept {
  const ref = useRef<HTMLDivElement>(null);
  const previousCount = useRef(count);
  const place = useRef<Place>(undefined);
  const all = (kind: string) => [...(ref.current?.querySelectorAll<HTMLElement>(kind) ?? [])];
  useEffect(() => {
    const isShorter = count < previousCount.current;
    previousCount.current = count;
    if (!isShorter || !place.current || document.activeElement !== document.body) return;
    const { kind, index } = place.current;
    const remaining = all(kind).length > 0 ? all(kind) : all(KINDS.join());
    remaining[Math.min(index, remaining.length - 1)]?.focus();
  });
  return {
    ref,
    onFocus: ({ target }) => {
      // Counted among its own kind: other elements may still appear, as a home's link does after its button.
      const kind = KINDS.find((each) => target.matches(each));
      place.current = kind ? { kind, index: all(kind).indexOf(target as HTMLElement) } : undefined;
    },
    // React sends no blur event when the focused element is removed.
    onBlur: () => {
      place.current = undefined;
    },
  };
}
