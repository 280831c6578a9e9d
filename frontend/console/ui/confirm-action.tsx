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
  /** What the button says, and the one in the dialog that does it. */
  label: string;
  /** Whether it is asked, where another button asks: then it has none of its own. */
  opened?: readonly [open: boolean, setOpen: (open: boolean) => void];
  look?: keyof typeof buttonStyle;
  disabled?: boolean;
  title: string;
  /** What will happen, and what will not. */
  what: ReactNode;
  /** What exactly it is done to: each by what it is known by. */
  ids?: readonly string[];
  /** More to answer; named fields whose values `body` gets. */
  children?: ReactNode;
  path: string;
  body?: unknown | ((answers: FormData) => unknown);
  /** What is wrong with the answers, if anything. */
  check?: (answers: FormData) => boolean;
  /** Paths whose answers are other ones afterwards. */
  changes: readonly string[];
  /** What to say once it is done. */
  done: (answer: Done) => string;
  onDone?: () => void;
}

/**
 * Something that an operator may have done: a button, and the question whether they mean it. It is not
 * there for who may only look; the frame says why, once. What the service refuses is said in the
 * dialog, which stays.
 */
export function ConfirmAction<Done = unknown>(props: ConfirmActionProps<Done>) {
  return useMayAct() ? <MayAct {...props} /> : null;
}

function MayAct<Done>(props: ConfirmActionProps<Done>) {
  const { label, look = "outline", disabled = false, opened } = props;
  const { children, check, changes, onDone } = props;
  const t = useMessages(uiMessages);
  const client = useQueryClient();
  const own = useState(false);
  const [open, setOpen] = opened ?? own;
  // What is confirmed is what was asked, whatever the lists behind have become meanwhile.
  const [kept, setKept] = useState(props);
  const asked = opened ? props : kept;
  const act = useMutation({
    mutationFn: (sent: unknown) => sendJson<Done>(asked.path, sent),
    onSuccess: (answer) => {
      setOpen(false);
      onDone?.();
      addToast({ title: asked.done(answer) });
    },
    // Also where no answer came: it may have been done.
    onSettled: () => reread(client, changes).then(keepFocus),
  });
  const change = (next: boolean) => {
    // What has been sent is on its way: the answer is waited for.
    if (act.isPending || (next && disabled)) return;
    act.reset();
    if (next) setKept(props);
    setOpen(next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = new FormData(form);
    // Answered already, it takes presses until it has faded out.
    if (act.isPending || !open) return;
    const isRight = flushSync(() => check?.(answers) ?? true);
    if (!isRight) {
      // What was refused before has been changed since.
      act.reset();
      // What is wrong stands at the field, and is read out with it.
      form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
      return;
    }
    act.mutate(typeof asked.body === "function" ? asked.body(answers) : asked.body);
  };
  return (
    <Dialog
      title={asked.title}
      description={asked.what}
      open={open}
      onOpenChange={change}
      {...(!opened && {
        // It keeps the focus, which comes back to it from the dialog.
        trigger: (
          <Button look={look} aria-disabled={disabled || undefined}>
            {label}
          </Button>
        ),
      })}
    >
      <form noValidate onSubmit={submit} className="grid gap-5">
        <Ids ids={asked.ids ?? []} />
        {children}
        <Failure error={act.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <CloseDialog>
            <Button look="quiet">{t.leave}</Button>
          </CloseDialog>
          <Button type="submit" busy={act.isPending}>
            {asked.label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What it is done to. */
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

/** Has the questions at these paths asked again, whatever their parameters; and the trail, which has grown. */
function reread(client: QueryClient, paths: readonly string[]): Promise<void> {
  const changed = new Set([...paths, "/api/audit"]);
  return client.invalidateQueries({
    predicate: ({ queryKey }) => changed.has(String(queryKey[0]).split("?")[0] ?? ""),
  });
}
