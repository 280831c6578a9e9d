import { type FocusEvent, type RefObject, useEffect, useRef } from "react";

/** What the part that keeps the focus is given. */
interface FocusKept {
  ref: RefObject<HTMLDivElement | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/** Not fields: whoever took something out is not about to write, and a telephone would show its keys. */
const KINDS = ["button", "a[href]"];

/** Where the focus is: how many others of its kind come before it. */
interface Place {
  kind: string;
  index: number;
}

/**
 * For a part that things are taken out of, by buttons that go with them: who stands on such a button goes on
 * from what has come in its place, and not from the top of the page. `count` says how many there are.
 */
export function useFocusKept(count: number): FocusKept {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  const place = useRef<Place>(undefined);
  const all = (kind: string) => [...(ref.current?.querySelectorAll<HTMLElement>(kind) ?? [])];
  useEffect(() => {
    const isLess = count < before.current;
    before.current = count;
    if (!isLess || !place.current || document.activeElement !== document.body) return;
    const { kind, index } = place.current;
    const left = all(kind).length > 0 ? all(kind) : all(KINDS.join());
    left[Math.min(index, left.length - 1)]?.focus();
  });
  return {
    ref,
    onFocus: ({ target }) => {
      // Among its own kind: what else there is may still come, as a home's link does after its button.
      const kind = KINDS.find((each) => target.matches(each));
      place.current = kind ? { kind, index: all(kind).indexOf(target as HTMLElement) } : undefined;
    },
    // React tells nothing of it where what had the focus is taken away.
    onBlur: () => {
      place.current = undefined;
    },
  };
}
