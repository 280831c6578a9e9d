import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { isPlainClick } from "#app/lib/browser/is-plain-click.ts";
import {
  LANGUAGE_NAME,
  LANGUAGE_TAG,
  LOCALES,
  localizedPath,
  useLocale,
} from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import { sendJson } from "#console/lib/api/call.ts";
import { isSignedOut } from "#console/lib/api/call-error.ts";
import { SESSION } from "#console/lib/api/queries.ts";
import { chooseLanguage } from "#console/lib/language.ts";
import { useSession } from "#console/lib/session.ts";
import { Failure } from "#console/ui/failure.tsx";
import { Moment } from "#console/ui/moment.tsx";
import { shellMessages } from "./messages.ts";

const PANEL = "account";

/** A panel with the operator's name, session, language and colours. */
export function AccountPanel() {
  const t = useMessages(shellMessages);
  const session = useSession();
  if (!session) return null;
  const { operator, viaProxy, expiresAt } = session;
  return (
    <>
      <button
        type="button"
        popoverTarget={PANEL}
        aria-label={t.account(operator.name)}
        className="-mr-3 inline-flex min-h-11 items-center gap-2 rounded-full px-3 font-medium hover:bg-sunk"
      >
        <Icon name="key" className="size-5" />
        <span className="max-w-32 truncate max-sm:hidden">{operator.name}</span>
        <Icon name="chevron" className="size-4 text-muted" />
      </button>
      <section
        id={PANEL}
        popover="auto"
        aria-label={t.account(operator.name)}
        className="popover w-72"
      >
        <div className="grid gap-5 p-5">
          <div>
            <p className="text-sm text-muted">{t.signedInAs}</p>
            <p className="text-lg font-semibold wrap-anywhere">{operator.name}</p>
            <p className="text-sm">{operator.mayAct ? t.mayAct : t.maySee}</p>
            <p className="mt-1 text-sm text-muted">
              {viaProxy ? (
                t.byProxy
              ) : (
                <>
                  {t.until} <Moment at={expiresAt} />
                </>
              )}
            </p>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <LanguageChoice />
            <ThemeChoice />
          </div>
          {viaProxy ? null : <SignOut />}
        </div>
      </section>
    </>
  );
}

/** A link to the same page in the other language, which is then stored as this device's choice. */
export function LanguageChoice() {
  const locale = useLocale();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const t = useMessages(shellMessages);
  return (
    <ul aria-label={t.language} className="-ml-2 flex items-center text-sm">
      {LOCALES.map((each) => (
        <li key={each}>
          <a
            href={localizedPath(each, pathname) + search}
            hrefLang={LANGUAGE_TAG[each]}
            lang={LANGUAGE_TAG[each]}
            aria-current={each === locale ? "true" : undefined}
            onClick={(event) => {
              chooseLanguage(each);
              if (!isPlainClick(event)) return;
              event.preventDefault();
              void navigate(localizedPath(each, pathname) + search, { replace: true });
            }}
            className="language-link"
          >
            {LANGUAGE_NAME[each]}
          </a>
        </li>
      ))}
    </ul>
  );
}

function SignOut() {
  const t = useMessages(shellMessages);
  const locale = useLocale();
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await navigate(localizedPath(locale, "/sign-in"));
    // The next operator on this device must not find cached answers.
    client.clear();
  };
  const out = useMutation({
    mutationFn: () => sendJson(SESSION, undefined, "DELETE"),
    meta: { signsIn: true },
    onSuccess: leave,
    onError: (error) => {
      if (isSignedOut(error)) void leave();
    },
  });
  return (
    <>
      <Failure error={isSignedOut(out.error) ? null : out.error} />
      <Button look="outline" busy={out.isPending} onClick={() => out.mutate()}>
        {t.signOut}
      </Button>
    </>
  );
}
