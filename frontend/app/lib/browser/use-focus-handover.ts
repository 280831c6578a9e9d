import { type RefCallback, useCallback, useRef } from "react";

/**
 * Hands the focus over between buttons that replace each other, such as one that hides and one that shows
 * again: when the focused one is removed, the other gets the focus. Each of them takes the returned ref.
 */
export function useFocusHandover(): RefCallback<HTMLElement> {
  const hadFocus = useRef(false);
  return useCallback((button) => {
    if (hadFocus.current) button?.focus();
    hadFocus.current = false;
    return () => {
      hadFocus.current = button === document.activeElement;
    };
  }, []);
}
