import { useRef } from "react";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { ClosePanel } from "#app/ui/close-panel.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { docParts, docPath } from "./doc-tree.ts";
import { contentMessages } from "./messages.ts";
import type { DocLink } from "./queries.ts";

const PANEL = "doc-menu";

interface DocMenuProps {
  links: readonly DocLink[];
  /** The current page. */
  slug: string;
}

/** The menu of all guides: a column on large screens, a native popover on small ones. */
export function DocMenu({ links, slug }: DocMenuProps) {
  const t = useMessages(contentMessages);
  const panel = useRef<HTMLElement>(null);
  useNavigated(() => {
    if (panel.current?.matches(":popover-open")) panel.current.hidePopover();
  });
  return (
    <div className="lg:sticky lg:top-24 lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto">
      <Button look="outline" popoverTarget={PANEL} className="lg:hidden print:hidden">
        <Icon name="menu" />
        {t.allGuides}
      </Button>
      <nav
        ref={panel}
        id={PANEL}
        popover="auto"
        aria-label={t.allGuides}
        className="panel column-panel"
      >
        <div className="panel-head sticky top-0 z-10 short:static flex h-16 items-center justify-between border-b border-line bg-canvas px-5">
          <p className="font-display text-xl">{t.allGuides}</p>
          <ClosePanel panel={PANEL} label={t.closeGuides} />
        </div>
        <ul className="flex flex-col gap-6 p-5 lg:p-0 lg:pr-4">
          {docParts(links).map(({ part, pages }) => (
            <li key={part.slug}>
              <MenuLink link={part} slug={slug} className="font-display text-lg" />
              <ul className="mt-1 border-l border-line">
                {pages.map((link) => (
                  <li key={link.slug}>
                    <MenuLink
                      link={link}
                      slug={slug}
                      className="doc-link text-[0.9375rem] leading-snug text-muted hover:text-ink aria-[current=page]:text-ink"
                    />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function MenuLink({ link, slug, className }: { link: DocLink; slug: string; className: string }) {
  return (
    <Link
      to={docPath(link.slug)}
      aria-current={link.slug === slug ? "page" : undefined}
      className={`block py-1.5 decoration-sun-strong decoration-2 underline-offset-4 hover:underline aria-[current=page]:font-semibold ${className}`}
    >
      {link.title}
    </Link>
  );
}
