import { type ComponentType, useEffect, useState } from "react";
import { onToast } from "#app/lib/toast/toasts.ts";

/**
 * The corner where toasts appear. It is there from the start, so that they are read out; what shows them
 * comes with the first.
 */
export function ToastArea() {
  const [Toasts, setToasts] = useState<ComponentType>();
  useEffect(
    () =>
      onToast(() => {
        import("./toasts.tsx")
          .then((module) => setToasts(() => module.Toasts))
          // What it would have said can be seen without it.
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
