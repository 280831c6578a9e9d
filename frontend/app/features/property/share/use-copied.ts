import { useEffect, useRef, useState } from "react";

/** How long a button says that it has copied. */
const COPIED_MS = 1_500;

/** Copies a text, tells for a moment that it did, and then calls `then`, if given. */
export function useCopied(then?: () => void): [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        clearTimeout(rest.current);
        rest.current = setTimeout(() => setCopied(false), COPIED_MS);
        then?.();
      },
      // The visitor or the browser refused: nothing was copied, so nothing is said.
      () => undefined,
    );
  };
  return [copied, copy];
}
