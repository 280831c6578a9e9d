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

/** The colours that the page which is shown forces, whatever its visitor has chosen. */
export function useForcedTheme() {
  return forcedTheme(useRequestedTheme());
}

/** Goes on from page to page in the colours that each forces, or else in the visitor's own. */
export function ForcedTheme() {
  const requested = useRequestedTheme();
  const forced = forcedTheme(requested);
  const before = useRef(forced);
  useLayoutEffect(() => {
    // A document comes in its page's colours.
    if (before.current === forced) return;
    before.current = forced;
    showTheme(forced ?? storedTheme());
  }, [forced]);
  useEffect(() => {
    const warning = forcedThemeWarning(requested);
    if (warning) console.warn(warning);
  }, [requested]);
  return null;
}
