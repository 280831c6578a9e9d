import { type FocusEvent, type RefObject, useEffect, useRef } from "react";

/** What the part that keeps the focus is given. */
interface FocusKept {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/** Not fields: whoever took something out is not about to write, and a telephone would show its keys. */
const TARGETS = "a[href], button";

/**
 * For a part that things are taken out of, by buttons that go with them: who stands on such a button goes on
 * from what has come in its place, and not from the top of the page. `count` says how many there are.
 */
export function useFocusKept(count: number): FocusKept {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  /** Where the focus is, among all that can have it here. */
  const place = useRef(-1);
  const targets = () => [...(ref.current?.querySelectorAll<HTMLElement>(TARGETS) ?? [])];
  useEffect(() => {
    const isLess = count < before.current;
    before.current = count;
    if (!isLess || place.current < 0 || document.activeElement !== document.body) return;
    const left = targets();
    left[Math.min(place.current, left.length - 1)]?.focus();
  });
  return {
    ref,
    onFocus: ({ target }) => {
      place.current = targets().indexOf(target as HTMLElement);
    },
    // React tells nothing of it where what had the focus is taken away.
    onBlur: () => {
      place.current = -1;
    },
  };
}
