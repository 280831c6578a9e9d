import { useNavigate } from "react-router";
import { withNext } from "#app/lib/account/next-path.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { HomeChange } from "#app/lib/my-homes/my-home.ts";
import { type ChangeOutcome, changeHome, myHomes } from "#app/lib/my-homes/store.ts";
import { keepAhead } from "#app/lib/offline/keep-offline.tsx";
import { addToast, UNDO_MS } from "#app/lib/toast/toasts.ts";
import { myHomesMessages } from "./messages.ts";

/** Whoever has the first one learns where they are; later ones are counted beside the header's heart. */
const isFirst = () => [...myHomes().values()].filter(({ favourite }) => favourite).length === 1;

/**
 * Changes what the visitor made of a home, and says what became of it: to the visitor, and to who
 * calls. The page at `path`, without its language, is kept for a time without a connection where the
 * home becomes a favourite: nobody may have opened it yet.
 */
export function useChangeHome(
  reference: string,
  path?: string,
): (change: HomeChange) => Promise<ChangeOutcome> {
  const t = useMessages(myHomesMessages);
  const locale = useLocale();
  const navigate = useNavigate();
  const leadTo = (label: string, path: string) => ({
    label,
    click: () => void navigate(localizedPath(locale, path)),
  });
  const tellSignedOut = useTellSignedOut();
  return async (change) => {
    const outcome = await changeHome(reference, change);
    if (outcome === "kept" && change.favourite && path) void keepAhead(localizedPath(locale, path));
    if (outcome === "failed") {
      // That its page is open nobody has asked to be kept.
      if (!change.seen) addToast({ title: t.failed, icon: "alert", color: "clay" });
    } else if (outcome === "signed-out") tellSignedOut();
    else if (outcome === "too-many") {
      addToast({
        title: t.tooMany,
        icon: "compare",
        actions: [leadTo(t.toComparison, "/account/compare")],
      });
    } else if (change.favourite && isFirst()) {
      addToast({ title: t.added, icon: "heart", actions: [leadTo(t.look, "/account")] });
    } else if (change.hidden) {
      addToast({
        title: t.hiddenNow(reference),
        icon: "eye-off",
        timeout: UNDO_MS,
        actions: [{ label: t.undo, click: () => void changeHome(reference, { hidden: false }) }],
      });
    } else if (change.note !== undefined) {
      addToast({ title: t.noteKept, icon: "check", color: "leaf" });
    }
    return outcome;
  };
}

/** Says that the session has ended, as a change was the first to learn. */
export function useTellSignedOut(): () => void {
  const t = useMessages(myHomesMessages);
  const locale = useLocale();
  // By a new document: the frame of this page takes the session for one that goes on.
  const signIn = () => {
    const next = localizedPath(locale, "/account");
    location.assign(withNext(localizedPath(locale, "/login"), next));
  };
  return () => {
    addToast({
      title: t.signedOut,
      icon: "alert",
      color: "clay",
      timeout: UNDO_MS,
      actions: [{ label: t.toAccount, click: signIn }],
    });
  };
}
