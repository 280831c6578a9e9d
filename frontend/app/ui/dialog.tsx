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
  /** The button that opens it; none where `open` says when. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

/**
 * Something to answer before one goes on. Not the browser's own `dialog`, over which a menu, a
 * combobox's list or a toast could not be seen. It needs a script, and so does what opens it: load it
 * with what it holds.
 */
export function Dialog(props: DialogProps) {
  return <Frame className="dialog" {...props} />;
}

/** The same at the window's edge, for more than a question: from below on small screens. */
export function Sheet(props: DialogProps) {
  return <Frame className="sheet" {...props} />;
}

/** What is open or not: its own affair, unless `open` says. A telephone's Back closes it as Escape does. */
function Root({
  open,
  onOpenChange,
  children,
}: Pick<DialogProps, "open" | "onOpenChange" | "children">) {
  const [own, setOwn] = useState(false);
  const isOpen = open ?? own;
  const change = (next: boolean) => {
    setOwn(next);
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
  /** Where the focus starts, and where it goes back to. */
  first: RefObject<HTMLElement | null>;
  opener: RefObject<HTMLElement | null>;
  className: string;
  children: ReactNode;
}

/** One that takes the whole window and draws everything in it by itself. */
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

/** Has a button inside close it. */
export function CloseDialog({ children }: { children: ReactElement }) {
  return <Base.Close render={children} />;
}
