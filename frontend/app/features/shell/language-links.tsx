import { useLocation } from "react-router";
import {
  LANGUAGE_NAME,
  LANGUAGE_TAG,
  LOCALES,
  type Locale,
  localizedPath,
  useLocale,
} from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { carryState } from "#app/lib/router-internals/carried-state.ts";
import { Icon } from "#app/ui/icon.tsx";
import { shellMessages } from "./messages.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Stores the choice for the next visit to `/`. It never changes what another address shows. */
function remember(locale: Locale): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = `language=${locale}; max-age=${YEAR_SECONDS}; path=/; samesite=lax`;
}

/** Links to the same page in each language. */
export function LanguageLinks() {
  const locale = useLocale();
  const { pathname, search, state } = useLocation();
  const t = useMessages(shellMessages);
  return (
    <ul aria-label={t.language} className="flex items-center gap-1 text-sm">
      {LOCALES.map((each) => (
        <li key={each}>
          {/* Loads a new document: its language, texts and fonts belong together. */}
          <a
            href={localizedPath(each, pathname) + search}
            hrefLang={LANGUAGE_TAG[each]}
            lang={LANGUAGE_TAG[each]}
            aria-current={each === locale ? "true" : undefined}
            onClick={({ currentTarget }) => {
              remember(each);
              carryState(localizedPath(each, pathname) + search, state);
              // The server never receives the fragment, so it can't be part of the HTML.
              currentTarget.hash = location.hash;
            }}
            className="language-link"
          >
            <Icon name={`flag-${each}`} />
            {LANGUAGE_NAME[each]}
          </a>
        </li>
      ))}
    </ul>
  );
}
