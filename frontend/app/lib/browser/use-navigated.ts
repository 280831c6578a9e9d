import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Calls `then` after each navigation to another page, but not on hydration: what a visitor has opened before
 * stays open.
 */
export function useNavigated(then: () => void): void {
  const { key } = useLocation();
  const lastKey = useRef(key);
  useEffect(() => {
    if (lastKey.current === key) return;
    lastKey.current = key;
    then();
  });
}
