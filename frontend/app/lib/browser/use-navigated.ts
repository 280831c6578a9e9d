import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/**
 * Calls `then` after each step to another page. Not when the script takes a page over: what a visitor
 * has opened before stays open.
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
