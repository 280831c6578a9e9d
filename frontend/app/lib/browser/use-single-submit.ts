import { type FormEvent, useEffect, useRef, useState } from "react";

/** When a form may be resent: the visitor may have cancelled the request, or the connection may hang. */
const RESEND_AFTER_MS = 20_000;

interface SentOnce {
  /** Whether the form is being sent. */
  isSending: boolean;
  onSubmit: (event: FormEvent) => void;
}

/**
 * Prevents a second submission of a form that the browser itself sends as a page load. What the form carries
 * may work only once, and the visitor would see the second response.
 */
export function useSingleSubmit(): SentOnce {
  const [isSending, setSending] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // A step back restores the page as it was left.
    const reset = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      clearTimeout(timer.current);
      setSending(false);
    };
    addEventListener("pageshow", reset);
    return () => {
      clearTimeout(timer.current);
      removeEventListener("pageshow", reset);
    };
  }, []);
  const onSubmit = (event: FormEvent) => {
    if (isSending) return event.preventDefault();
    setSending(true);
    timer.current = setTimeout(() => setSending(false), RESEND_AFTER_MS);
  };
  return { isSending, onSubmit };
}
