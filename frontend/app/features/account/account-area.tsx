import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { reloadOnceSignedOut } from "#app/lib/account/signed-out.ts";
import { localizedPath, neutralPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostForm, SubmitButton } from "#app/ui/post-form.tsx";
import { accountAreaMessages } from "./area-messages.ts";
import { ACCOUNT_PARTS, PUBLIC_PARTS } from "./area-parts.ts";

interface AccountAreaProps {
  signedIn: boolean;
  children: ReactNode;
}

/** The frame of the client area: heading, navigation, and the button to sign in or out. */
export function AccountArea({ signedIn, children }: AccountAreaProps) {
  const locale = useLocale();
  const t = useMessages(accountAreaMessages);
  useEffect(() => (signedIn ? reloadOnceSignedOut() : undefined), [signedIn]);
  const currentPath = neutralPath(useLocation().pathname);
  const parts = signedIn ? [...PUBLIC_PARTS, ...ACCOUNT_PARTS] : PUBLIC_PARTS;
  return (
    <div className="page-width py-10 sm:py-14">
      <div className="flex flex-wrap items-center justify-between gap-4 print:hidden">
        <h1 className="text-title">{t.title}</h1>
        {signedIn ? (
          <PostForm action={localizedPath(locale, "/account/details")}>
            <SubmitButton look="outline" name="intent" value="sign-out">
              {t.signOut}
            </SubmitButton>
          </PostForm>
        ) : (
          <Link to="/login" className={buttonStyle.outline}>
            {t.signIn}
          </Link>
        )}
      </div>
      <nav aria-label={t.parts} className="mt-6 overflow-x-auto border-b border-line print:hidden">
        <ul className="flex gap-6">
          {parts.map(([path, name]) => (
            <li key={path}>
              <Link
                ref={path === currentPath ? scrollIntoRow : undefined}
                to={path}
                aria-current={path === currentPath ? "page" : undefined}
                className="area-part"
              >
                {t[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-8">{children}</div>
    </div>
  );
}

/** Scrolls the navigation row, which is wider than a phone's screen, to the current part; the page itself stays put. */
function scrollIntoRow(part: HTMLAnchorElement | null): void {
  const row = part?.closest("nav");
  if (!part || !row) return;
  const [partBox, rowBox] = [part, row].map((it) => it.getBoundingClientRect());
  if (!partBox || !rowBox) return;
  row.scrollLeft += partBox.left + partBox.width / 2 - rowBox.left - rowBox.width / 2;
}
