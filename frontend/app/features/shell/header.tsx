import { useRef } from "react";
import type { NavigationItem } from "#app/lib/api/types.ts";
import { AfterHydration } from "#app/lib/browser/after-hydration.tsx";
import { useNavigated } from "#app/lib/browser/use-navigated.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { lazy } from "#app/lib/release/lazy.ts";
import { useSite } from "#app/lib/site/site-query.ts";
import { ClosePanel } from "#app/ui/close-panel.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { AlmijaraLogo, ProadnerLogo } from "#app/ui/logo.tsx";
import { ThemeChoice } from "#app/ui/theme-choice.tsx";
import { HeaderDropdown } from "./header-dropdown.tsx";
import { LanguageLinks } from "./language-links.tsx";
import { shellMessages } from "./messages.ts";
import { MenuLinks, NavLink } from "./nav-link.tsx";

const ADMINISTRATION = "/proadner-property-administration";
const MENU_ID = "menu";

/** Loaded after hydration: the HTML of a page is the same for all visitors. */
const FavouritesCount = lazy(() => import("./favourites-count.tsx"));

export function Header() {
  const { navigation, settings } = useSite();
  const t = useMessages(shellMessages);
  return (
    <header className="site-header sticky top-0 z-40 short:static border-b border-line/60 bg-canvas/85 backdrop-blur-md">
      <div className="list-width flex h-16 items-center gap-6">
        <Link to="/" className="-my-1 py-1" aria-label={t.home(settings.companyName)}>
          <AlmijaraLogo width={112} />
        </Link>
        <nav aria-label={t.mainMenu} className="hidden lg:block">
          <ul className="flex items-center gap-1">
            {navigation.header.map((item) => (
              <li key={item.label}>
                {item.children?.length ? (
                  <HeaderDropdown item={item} />
                ) : (
                  <NavLink item={item} className="header-entry" />
                )}
              </li>
            ))}
          </ul>
        </nav>
        <Link
          to="/account"
          className="relative -mr-4 narrow:-mr-5 ml-auto grid h-11 w-[44px] flex-none place-items-center rounded-full hover:bg-sunk lg:mr-0"
        >
          <Icon name="heart" />
          <span className="sr-only">{t.favourites}</span>
          <AfterHydration>
            <FavouritesCount />
          </AfterHydration>
        </Link>
        <div className="hidden items-center gap-6 lg:flex">
          <LanguageLinks />
          <Link
            to={ADMINISTRATION}
            className="opacity-85 hover:opacity-100"
            aria-label={t.administration}
          >
            <ProadnerLogo width={120} />
          </Link>
        </div>
        <button
          type="button"
          popoverTarget={MENU_ID}
          className="-mr-3 inline-flex narrow:-mr-1 narrow:px-1 min-h-11 items-center gap-2 rounded-full px-3 font-medium lg:hidden"
        >
          <Icon name="menu" />
          {t.openMenu}
        </button>
      </div>
      <MobileMenu items={navigation.header} />
    </header>
  );
}

/**
 * The full-screen menu of small screens. The browser opens it without a script, which the kit's sheet
 * needs. The script only closes it: after a navigation, and in a window that has grown large.
 */
function MobileMenu({ items }: { items: readonly NavigationItem[] }) {
  const t = useMessages(shellMessages);
  const panel = useRef<HTMLElement>(null);
  useNavigated(() => {
    if (panel.current?.matches(":popover-open")) panel.current.hidePopover();
  });
  return (
    <nav ref={panel} id={MENU_ID} popover="auto" aria-label={t.mainMenu} className="panel">
      <div className="page-width flex min-h-full flex-col gap-8 pb-10">
        <div className="flex h-16 items-center justify-between">
          <AlmijaraLogo width={112} again />
          <ClosePanel panel={MENU_ID} label={t.closeMenu} />
        </div>
        <ul className="panel-menu">
          {items.map((item) => (
            <li key={item.label}>
              {item.children?.length ? (
                <>
                  <p>{item.label}</p>
                  <MenuLinks items={item.children} />
                </>
              ) : (
                <NavLink item={item} className="block font-display text-3xl" />
              )}
            </li>
          ))}
        </ul>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-6 border-t border-line pt-6">
          <div className="-ml-2.5">
            <LanguageLinks />
          </div>
          <ThemeChoice />
        </div>
      </div>
    </nav>
  );
}
