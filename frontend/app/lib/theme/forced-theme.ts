import { useEffect, useLayoutEffect, useRef } from "react";
import { useMatches } from "react-router";
import {
  forcedTheme,
  forcedThemeWarning,
  requestedTheme,
  showTheme,
  storedTheme,
} from "./theme.ts";

function useRequestedTheme(): unknown {
  return requestedTheme(useMatches().map(({ handle }) => handle));
}

/** Returns the theme that the current page forces, regardless of the visitor's choice. */
export function useForcedTheme() {
  return forcedTheme(useRequestedTheme());
}

/** Applies the theme that each page forces, or else the visitor's own, on navigation. */
export function ForcedTheme() {
  const requested = useRequestedTheme();
  const forced = forcedTheme(requested);
  const previous = useRef(forced);
  useLayoutEffect(() => {
    // A document is rendered in its page's theme already.
    if (previous.current === forced) return;
    previous.current = forced;
    showTheme(forced ?? storedTheme());
  }, [forced]);
  useEffect(() => {
    const warning = forcedThemeWarning(requested);
    if (warning) console.warn(warning);
  }, [requested]);
  return null;
}
