import { useEffect, useRef, useSyncExternalStore } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Countdown } from "#app/lib/toast/countdown.ts";
import { onToasts, removeToast, type Toast, toasts } from "#app/lib/toast/toasts.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Icon } from "#app/ui/icon.tsx";
import { toastMessages } from "./messages.ts";

const NONE: readonly Toast[] = [];

/** The corner where toasts appear. It is there from the start, so that they are read out. */
export function ToastArea() {
  const shown = useSyncExternalStore(onToasts, toasts, () => NONE);
  return (
    <ol aria-live="polite" className="mx-4 flex flex-col gap-3 *:last:mb-4 sm:ml-auto sm:w-96">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </ol>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const t = useMessages(toastMessages);
  const countdown = useRef<Countdown>(undefined);
  const { id, timeout } = toast;
  useEffect(() => {
    const own = new Countdown(timeout, () => removeToast(id));
    countdown.current = own;
    own.resume();
    return () => own.pause();
  }, [id, timeout]);
  // The pointer may leave while the keyboard is still here, and the other way round.
  const held = useRef(new Set<"pointer" | "focus">());
  const hold = (by: "pointer" | "focus") => {
    held.current.add(by);
    countdown.current?.pause();
  };
  const release = (by: "pointer" | "focus") => {
    held.current.delete(by);
    if (held.current.size === 0) countdown.current?.resume();
  };
  return (
    <li
      className="toast pointer-events-auto flex items-start gap-3 rounded-card border border-line bg-surface p-4 shadow-lg"
      onPointerEnter={() => hold("pointer")}
      onPointerLeave={() => release("pointer")}
      onFocus={() => hold("focus")}
      onBlur={() => release("focus")}
    >
      <div className="flex-1">
        <p className="font-semibold">{toast.title}</p>
        {toast.description ? <p className="mt-1 text-muted">{toast.description}</p> : null}
        {toast.actions.length > 0 ? (
          <p className="mt-3 flex flex-wrap gap-2">
            {toast.actions.map(({ label, click }) => (
              <button
                key={label}
                type="button"
                className={buttonStyle.outline}
                onClick={() => {
                  removeToast(id);
                  click();
                }}
              >
                {label}
              </button>
            ))}
          </p>
        ) : null}
      </div>
      <button
        type="button"
        aria-label={t.close}
        onClick={() => removeToast(id)}
        className="-m-2 inline-flex size-10 items-center justify-center rounded-full text-muted hover:text-ink"
      >
        <Icon name="close" className="size-4.5" />
      </button>
    </li>
  );
}
