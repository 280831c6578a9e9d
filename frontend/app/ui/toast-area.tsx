import { type ComponentType, useEffect, useState } from "react";
import { onToast } from "#app/lib/toast/toasts.ts";

/**
 * The corner where toasts appear. The live region is rendered from the start, so that screen readers announce
 * toasts; the component that shows them is loaded with the first one.
 */
export function ToastArea() {
  const [Toasts, setToasts] = useState<ComponentType>();
  useEffect(
    () =>
      onToast(() => {
        import("./toasts.tsx")
          .then((module) => setToasts(() => module.Toasts))
          // The result of the action is visible without the toast too.
          .catch(() => undefined);
      }),
    [],
  );
  return (
    <div aria-live="polite" className="mx-4 sm:ml-auto sm:w-96">
      {Toasts ? <Toasts /> : null}
    </div>
  );
}
