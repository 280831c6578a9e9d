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
import { marksOf, PARTS } from "./parts.ts";

/** The name, how the page stands to what happens, who is signed in, and the parts of the console. */
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
  const marks = marksOf(useOverview().overview?.queues ?? []);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const row = list.current;
    if (!row) return;
    const show = () => keepInSight(row, path);
    show();
    // Letters and marks that come later move what stands behind them.
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

/** How many things of a part wait for somebody. */
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

/** On a telephone the row is wider than the window: the part that is shown is moved into it. */
function keepInSight(row: HTMLElement, path: string): void {
  const part = row.querySelector<HTMLElement>(`[data-part="${CSS.escape(path)}"]`);
  if (!part) return;
  const { left, right } = part.getBoundingClientRect();
  const room = row.getBoundingClientRect();
  if (left < room.left || right > room.right) row.scrollLeft += left - room.left - room.width / 3;
}
