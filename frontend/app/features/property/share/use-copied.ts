import { useEffect, useRef, useState } from "react";

/** How long a button shows that it has copied. */
const COPIED_MS = 1_500;

/** Returns `copied`, true for a moment after copying, and `copy`, which copies a text and then calls `then`. */
export function useCopied(then?: () => void): [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setCopied(false), COPIED_MS);
        then?.();
      },
      // The visitor or the browser refused: nothing was copied, so nothing is shown.
      () => undefined,
    );
  };
  return [copied, copy];
}
