import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import {
  onToast,
  type ToastColor,
  type Toast as ToastContent,
  takeToasts,
} from "#app/lib/toast/toasts.ts";
import { Avatar } from "./avatar.tsx";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { overlayMessages } from "./messages.ts";
import "../styles/overlays.css";

const COLORS: Record<ToastColor, string> = {
  ink: "text-ink",
  leaf: "text-leaf",
  clay: "text-clay",
  sea: "text-sea",
};

/** All toasts of `addToast` that are still open, one below the other. */
export function Toasts() {
  const t = useMessages(overlayMessages);
  return (
    <Toast.Provider>
      {/* `ToastArea` around it is the live region, since it existed before the first toast. */}
      <Toast.Viewport
        aria-label={t.toasts}
        // biome-ignore lint/a11y/useValidAriaValues: `ToastArea` is the live region
        aria-live={undefined}
        className="flex flex-col gap-3 *:last:mb-4"
      >
        <ToastList />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function ToastList() {
  const t = useMessages(overlayMessages);
  const { toasts, add, close } = Toast.useToastManager<ToastContent>();
  useEffect(() => {
    const show = () => {
      for (const content of takeToasts()) {
        const { title, description, timeout, callback, signal } = content;
        if (signal?.aborted) continue;
        const id = String(content.id);
        add({ id, title, description, timeout, onClose: callback, data: content });
        signal?.addEventListener("abort", () => close(id));
      }
    };
    show();
    return onToast(show);
  }, [add, close]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      {toast.data ? <ToastMark of={toast.data} /> : null}
      <div className="flex-1">
        <Toast.Title render={<p />} className="font-semibold">
          {toast.data?.click ? (
            <button type="button" className="toast-title" onClick={toast.data.click}>
              {toast.title}
            </button>
          ) : (
            toast.title
          )}
        </Toast.Title>
        <Toast.Description className="mt-1 text-muted" />
        <p className="relative mt-3 flex flex-wrap gap-2 empty:hidden">
          {toast.data?.actions.map(({ label, click }) => (
            <Button
              key={label}
              look="outline"
              onClick={() => {
                close(toast.id);
                click();
              }}
            >
              {label}
            </Button>
          ))}
        </p>
      </div>
      {toast.data?.closeButton ? (
        // Always exposed to assistive technology: here toasts are never stacked behind one another.
        <Toast.Close
          aria-label={t.close}
          aria-hidden={false}
          className="close-button relative -m-2.5"
        >
          <Icon name="close" className="size-4.5" />
        </Toast.Close>
      ) : null}
    </Toast.Root>
  ));
}

function ToastMark({ of: { avatar, icon, color } }: { of: ToastContent }) {
  if (avatar) return <Avatar {...avatar} />;
  return icon ? <Icon name={icon} className={`mt-0.5 ${COLORS[color]}`} /> : null;
}
