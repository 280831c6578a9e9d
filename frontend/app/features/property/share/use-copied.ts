import { useEffect, useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { addToast, UNDO_MS } from "#app/lib/toast/toasts.ts";
import { detailMessages } from "../detail-messages.ts";

/** How long a button shows that it has copied. */
const COPIED_MS = 1_500;

/**
 * Returns `copied`, true for a moment after copying, and `copy`, which copies a text and then calls `then`. If
 * the browser refuses, a toast shows the text.
 */
export function useCopied(then?: () => void): [copied: boolean, copy: (text: string) => void] {
  const d = useMessages(detailMessages);
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    try {
      // Without https, and in the browser views of some apps, there is no clipboard at all.
      await navigator.clipboard.writeText(text);
    } catch {
      const toast = { title: d.notCopied, description: text, timeout: UNDO_MS };
      return void addToast({ ...toast, icon: "alert", color: "clay" });
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
    then?.();
  };
  return [copied, copy];
}
