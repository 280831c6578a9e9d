import { type RefCallback, useCallback, useRef } from "react";

/**
 * For buttons that stand in for each other, as one that hides and one that shows again: where the one that
 * has the focus gives way, the other takes it. Each of them has the reference that this gives.
 */
export function useHeir(): RefCallback<HTMLElement> {
  const hadFocus = useRef(false);
  return useCallback((button) => {
    if (hadFocus.current) button?.focus();
    hadFocus.current = false;
    return () => {
      hadFocus.current = button === document.activeElement;
    };
  }, []);
}
