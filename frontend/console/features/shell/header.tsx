import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { formatNumber } from "#app/lib/format/format.ts";
import { neutralPath, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Link } from "#app/ui/link.tsx";
import { AlmijaraLogo } from "#app/ui/logo.tsx";
import { useOverview } from "#console/lib/live/connection.ts";
import { AccountPanel } from "./account-panel.tsx";
import { LiveMark } from "./live-note.tsx";
import { shellMessages } from "./messages.ts";
import { countsByPart, PARTS } from "./parts.ts";

/** The console's name, the state of the live connection, the account, and the navigation. */
export function Header() {
  const t = useMessages(shellMessages);
  return (
    <header className="border-b border-line bg-canvas">
      <div className="list-width flex h-16 items-center gap-3">
        <Link to="/" className="-my-1 flex items-center gap-3 py-1">
          <span className="sr-only">{t.home}</span>
          <AlmijaraLogo width={104} />
          <span
            aria-hidden="true"
            className="border-l border-line pl-3 font-display text-lg narrow:hidden"
          >
            {t.console}
          </span>
        </Link>
        <div className="ml-auto flex items-center gap-2">
          <LiveMark />
          <AccountPanel />
        </div>
      </div>
      <Parts />
    </header>
  );
}

function Parts() {
  const t = useMessages(shellMessages);
  const { pathname } = useLocation();
  const path = neutralPath(pathname);
  const marks = countsByPart(useOverview().overview?.queues ?? []);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const row = list.current;
    if (!row) return;
    const show = () => keepInSight(row, path);
    show();
    // Fonts and counts that load later change the positions within the row.
    const observer = new ResizeObserver(show);
    for (const each of [row, ...row.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [path]);
  return (
    <nav aria-label={t.parts} className="list-width">
      <ul ref={list} className="console-parts relative">
        {PARTS.map(([part, to]) => (
          <li key={part}>
            <Link
              to={to}
              data-part={to}
              aria-current={path === to ? "page" : undefined}
              className="console-part"
            >
              {t[part]}
              <Mark count={marks[part] ?? 0} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The number of items in a part that need an operator. */
function Mark({ count }: { count: number }) {
  const t = useMessages(shellMessages);
  const locale = useLocale();
  if (count === 0) return null;
  return (
    <small>
      {formatNumber(locale, count)}
      <span className="sr-only"> {t.needSomebody(count)}</span>
    </small>
  );
}

/** Scrolls the row of parts, which on a phone is wider than the window, until the current part is visible. */
function keepInSight(row: HTMLElement, path: string): void {
  const part = row.querySelector<HTMLElement>(`[data-part="${CSS.escape(path)}"]`);
  if (!part) return;
  const { left, right } = part.getBoundingClientRect();
  const visible = row.getBoundingClientRect();
  if (left < visible.left || right > visible.right)
    row.scrollLeft += left - visible.left - visible.width / 3;
}
