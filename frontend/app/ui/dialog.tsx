import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactElement, type ReactNode, type RefObject, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "./icon.tsx";
import { overlayMessages } from "./messages.ts";
import { useCloseRequest } from "./use-close-request.ts";
import "../styles/overlays.css";

interface DialogProps {
  title: string;
  description?: ReactNode;
  /** The button that opens it; omitted where `open` controls it. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/**
 * A modal dialog. It does not use the browser's own `dialog`, which would cover menus, combobox lists and
 * toasts. Both the dialog and its opener need a script: load the dialog in the same chunk as its contents.
 */
export function Dialog(props: DialogProps) {
  return <Frame className="dialog" {...props} />;
}

/** A dialog at the edge of the window, for more than a question; at the bottom edge on small screens. */
export function Sheet(props: DialogProps) {
  return <Frame className="sheet" {...props} />;
}

/** Holds the open state, unless `open` controls it. A phone's Back button closes it like Escape. */
function Root({
  open,
  onOpenChange,
  children,
}: Pick<DialogProps, "open" | "onOpenChange" | "children">) {
  const [ownOpen, setOwnOpen] = useState(false);
  const isOpen = open ?? ownOpen;
  const change = (next: boolean) => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  useCloseRequest(isOpen, () => change(false));
  return (
    <Base.Root open={isOpen} onOpenChange={change}>
      {children}
    </Base.Root>
  );
}

function Frame({
  title,
  description,
  trigger,
  children,
  className,
  ...root
}: DialogProps & { className: string }) {
  const t = useMessages(overlayMessages);
  return (
    <Root {...root}>
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={className}>
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-2xl">{title}</Base.Title>
            <Base.Close className="close-button" aria-label={t.close}>
              <Icon name="close" />
            </Base.Close>
          </div>
          {description ? (
            <Base.Description className="mt-1.5 text-muted">{description}</Base.Description>
          ) : null}
          <div className="mt-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Root>
  );
}

interface FullDialogProps {
  label: string;
  open: boolean;
  onClose: () => void;
  /** The element that gets the focus first, and `opener`, the one that gets it back. */
  first: RefObject<HTMLElement | null>;
  opener: RefObject<HTMLElement | null>;
  className: string;
  children: ReactNode;
}

/** A dialog that covers the whole window and brings its own header and controls. */
export function FullDialog({
  label,
  open,
  onClose,
  first,
  opener,
  className,
  children,
}: FullDialogProps) {
  return (
    <Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Popup
          aria-label={label}
          initialFocus={first}
          finalFocus={opener}
          className={`full-dialog ${className}`}
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Root>
  );
}

/** Makes the button inside it close the surrounding dialog. */
export function CloseDialog({ children }: { children: ReactElement }) {
  return <Base.Close render={children} />;
}
