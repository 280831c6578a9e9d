import { useNavigate } from "react-router";
import { withNext } from "#app/lib/account/next-path.ts";
import { localizedPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { HomeChange } from "#app/lib/my-homes/my-home.ts";
import { type ChangeOutcome, changeHome, myHomes } from "#app/lib/my-homes/store.ts";
import { cacheFavourite } from "#app/lib/offline/keep-offline.tsx";
import { addToast, UNDO_MS } from "#app/lib/toast/toasts.ts";
import { myHomesMessages } from "./messages.ts";

/** Only the first favourite shows where favourites are; later ones are counted beside the header's heart. */
const isFirstFavourite = () =>
  [...myHomes().values()].filter(({ favourite }) => favourite).length === 1;

/**
 * Returns a function that changes what the visitor stored about a home. It shows the outcome in a toast, and
 * resolves to it. If the home becomes a favourite, its page at `path` (without the language prefix) is cached
 * for offline use, since it may never have been opened.
 */
export function useChangeHome(
  reference: string,
  path?: string,
): (change: HomeChange) => Promise<ChangeOutcome> {
  const t = useMessages(myHomesMessages);
  const locale = useLocale();
  const navigate = useNavigate();
  const linkAction = (label: string, path: string) => ({
    label,
    click: () => void navigate(localizedPath(locale, path)),
  });
  const showSignedOut = useSignedOutToast();
  return async (change) => {
    const outcome = await changeHome(reference, change);
    if (outcome === "kept" && change.favourite && path) {
      void cacheFavourite(localizedPath(locale, path));
    }
    if (outcome === "failed") {
      // Recording a visit is not the visitor's action, so its failure is not reported.
      if (!change.seen) addToast({ title: t.failed, icon: "alert", color: "clay" });
    } else if (outcome === "signed-out") showSignedOut();
    else if (outcome === "too-many") {
      addToast({
        title: t.tooMany,
        icon: "compare",
        actions: [linkAction(t.toComparison, "/account/compare")],
      });
    } else if (change.favourite && isFirstFavourite()) {
      addToast({ title: t.added, icon: "heart", actions: [linkAction(t.look, "/account")] });
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

/** Returns a function that shows that the session has ended, for changes that discover it. */
export function useSignedOutToast(): () => void {
  const t = useMessages(myHomesMessages);
  const locale = useLocale();
  // Loads a new document, since the layout of this page still takes the visitor for signed in.
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
