import { askAgain } from "#app/lib/consent/ask-again.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnalytics } from "#app/lib/site/analytics.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { shellMessages } from "./messages.ts";
import { NavLink } from "./nav-link.tsx";

/** Links to the legal pages, and a button that asks for consent to analytics again, if analytics are on. */
export function LegalLinks() {
  const { navigation } = useSite();
  const t = useMessages(shellMessages);
  const counted = useAnalytics() !== undefined;
  return (
    <ul aria-label={t.legal} className="flex flex-wrap gap-x-5 gap-y-1">
      {navigation.legal.map((item) => (
        <li key={item.label}>
          <NavLink item={item} className="text-link" />
        </li>
      ))}
      {counted ? (
        <li className="noscript:hidden">
          <button type="button" className="text-link" onClick={askAgain}>
            {t.counting}
          </button>
        </li>
      ) : null}
    </ul>
  );
}
