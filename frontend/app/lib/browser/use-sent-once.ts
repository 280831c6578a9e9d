import { type FormEvent, useEffect, useRef, useState } from "react";

/** A browser whose visitor has called the sending off, or whose line hangs, may try again after so long. */
const PATIENCE_MS = 20_000;

interface SentOnce {
  /** Whether the form is on its way. */
  isSending: boolean;
  onSubmit: (event: FormEvent) => void;
}

/**
 * For a form that the browser itself sends, to another page: pressed twice, it is sent once. What it
 * carries may work only once, and the second answer would be what is seen.
 */
export function useSentOnce(): SentOnce {
  const [isSending, setSending] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A step back brings the page as it was left.
    const again = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      clearTimeout(timer.current);
      setSending(false);
    };
    addEventListener("pageshow", again);
    return () => {
      clearTimeout(timer.current);
      removeEventListener("pageshow", again);
    };
  }, []);
  const onSubmit = (event: FormEvent) => {
    if (isSending) return event.preventDefault();
    setSending(true);
    timer.current = setTimeout(() => setSending(false), PATIENCE_MS);
  };
  return { isSending, onSubmit };
}
