import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { onToast, type ToastAction, takeToasts } from "#app/lib/toast/toasts.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { overlayMessages } from "./messages.ts";

interface ToastData {
  actions: readonly ToastAction[];
}

/** What `addToast` has said and still says, one under the other. */
export function Toasts() {
  const t = useMessages(overlayMessages);
  return (
    <Toast.Provider>
      {/* It is the area around it that is read out, since that was there before the first toast. */}
      <Toast.Viewport
        aria-label={t.toasts}
        // biome-ignore lint/a11y/useValidAriaValues: no region of its own
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
  const { toasts, add, close } = Toast.useToastManager<ToastData>();
  useEffect(() => {
    const show = () => {
      for (const { id, actions, ...toast } of takeToasts()) {
        add({ ...toast, id: String(id), data: { actions } });
      }
    };
    show();
    return onToast(show);
  }, [add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <div className="flex-1">
        <Toast.Title render={<p />} className="font-semibold" />
        <Toast.Description className="mt-1 text-muted" />
        <p className="mt-3 flex flex-wrap gap-2 empty:hidden">
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
      {/* Said too while nobody is near: here no toast lies behind another. */}
      <Toast.Close aria-label={t.close} aria-hidden={false} className="close-button -m-2.5">
        <Icon name="close" className="size-4.5" />
      </Toast.Close>
    </Toast.Root>
  ));
}
