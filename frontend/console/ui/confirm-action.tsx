import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { addToast } from "#app/lib/toast/toasts.ts";
import { Button, type buttonStyle } from "#app/ui/button.tsx";
import { CloseDialog, Dialog } from "#app/ui/dialog.tsx";
import { sendJson } from "#console/lib/api/call.ts";
import { keepFocus } from "#console/lib/keep-focus.ts";
import { useMayAct } from "#console/lib/session.ts";
import { Failure } from "./failure.tsx";
import { uiMessages } from "./messages.ts";

export interface ConfirmActionProps<Done> {
  /** The text of the button, and of the confirming button in the dialog. */
  label: string;
  /** The dialog's state, if another button opens it. Then the component has no button of its own. */
  opened?: readonly [open: boolean, setOpen: (open: boolean) => void];
  look?: keyof typeof buttonStyle;
  disabled?: boolean;
  title: string;
  /** What will happen, and what will not. */
  what: ReactNode;
  /** The ids of the items that the action applies to. */
  ids?: readonly string[];
  /** Further form fields, whose values `body` receives. */
  children?: ReactNode;
  path: string;
  body?: unknown | ((answers: FormData) => unknown);
  /** Whether the form's values are valid. */
  check?: (answers: FormData) => boolean;
  /** The paths to refetch afterwards. */
  changes: readonly string[];
  /** Returns the message to show after success. */
  done: (answer: Done) => string;
  onDone?: () => void;
}

/**
 * An action of an operator: a button, and a dialog that asks for confirmation. It is absent for operators
 * who may only look; the frame explains that once. A refusal of the service is shown in the dialog, which
 * stays open.
 */
export function ConfirmAction<Done = unknown>(props: ConfirmActionProps<Done>) {
  return useMayAct() ? <AllowedAction {...props} /> : null;
}

function AllowedAction<Done>(props: ConfirmActionProps<Done>) {
  const { label, look = "outline", disabled = false, opened } = props;
  const { children, check, changes, onDone } = props;
  const t = useMessages(uiMessages);
  const client = useQueryClient();
  const own = useState(false);
  const [open, setOpen] = opened ?? own;
  // The confirmation applies to what the dialog showed when it opened, though the list may have changed.
  const [openedProps, setOpenedProps] = useState(props);
  const confirmed = opened ? props : openedProps;
  const act = useMutation({
    mutationFn: (sent: unknown) => sendJson<Done>(confirmed.path, sent),
    onSuccess: (answer) => {
      setOpen(false);
      onDone?.();
      addToast({ title: confirmed.done(answer) });
    },
    // Also without an answer: the action may have been done.
    onSettled: () => refetchPaths(client, changes).then(keepFocus),
  });
  const change = (next: boolean) => {
    // A sent action can't be cancelled: the dialog waits for the answer.
    if (act.isPending || (next && disabled)) return;
    act.reset();
    if (next) setOpenedProps(props);
    setOpen(next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = new FormData(form);
    // A confirmed dialog still receives presses until it has faded out.
    if (act.isPending || !open) return;
    const isRight = flushSync(() => check?.(answers) ?? true);
    if (!isRight) {
      // The earlier refusal belongs to other values.
      act.reset();
      // The message is at the field, and is announced with it.
      form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
      return;
    }
    act.mutate(typeof confirmed.body === "function" ? confirmed.body(answers) : confirmed.body);
  };
  return (
    <Dialog
      title={confirmed.title}
      description={confirmed.what}
      open={open}
      onOpenChange={change}
      {...(!opened && {
        // Not `disabled`: the button has to stay focusable for the focus to return from the dialog.
        trigger: (
          <Button look={look} aria-disabled={disabled || undefined}>
            {label}
          </Button>
        ),
      })}
    >
      <form noValidate onSubmit={submit} className="grid gap-5">
        <Ids ids={confirmed.ids ?? []} />
        {children}
        <Failure error={act.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <CloseDialog>
            <Button look="quiet">{t.leave}</Button>
          </CloseDialog>
          <Button type="submit" busy={act.isPending}>
            {confirmed.label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The items that the action applies to. */
function Ids({ ids }: { ids: readonly string[] }) {
  const t = useMessages(uiMessages);
  if (ids.length === 0) return null;
  return (
    <div>
      <p className="font-medium">{t.ids(ids.length)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
      <ul tabIndex={0} aria-label={t.ids(ids.length)} className="id-list">
        {ids.map((id) => (
          <li key={id}>{id}</li>
        ))}
      </ul>
    </div>
  );
}

/** Refetches these paths with any parameters, and the audit trail, which has a new line. */
function refetchPaths(client: QueryClient, paths: readonly string[]): Promise<void> {
  const changed = new Set([...paths, "/api/audit"]);
  return client.invalidateQueries({
    predicate: ({ queryKey }) => changed.has(String(queryKey[0]).split("?")[0] ?? ""),
  });
}
