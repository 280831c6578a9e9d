import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { NavigationItem } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { localeOf, localizedPath, neutralPath } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { isIconName } from "#app/lib/icon-names.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { shellMessages } from "./messages.ts";

interface NavLinkProps {
  item: NavigationItem;
  className?: string | undefined;
  children?: ReactNode;
}

/** An entry of an editors' menu: a page of the site, an external address, or plain text. */
export function NavLink({ item, className, children = item.label }: NavLinkProps) {
  const t = useMessages(shellMessages);
  const { pathname } = useLocation();
  const isHere = neutralPath(pathname) === item.url;
  const badge = item.badge ? (
    <span className="ml-2 rounded-full bg-sun px-2 py-0.5 text-xs font-semibold text-on-sun">
      {item.badge}
    </span>
  ) : null;

  if (!item.url || item.disabled) {
    return (
      <span className={className ? `${className} text-muted` : "text-muted"}>
        {children}
        {badge}
      </span>
    );
  }
  // `tel:` and `mailto:` addresses open no window.
  const isWindow = item.target === "_blank" || /^https?:/.test(item.url);
  if (isWindow || !item.url.startsWith("/")) {
    return (
      <a
        href={localizedPath(localeOf(pathname), item.url)}
        className={className}
        {...(isWindow && { target: "_blank", rel: "noopener noreferrer" })}
      >
        {children}
        {badge}
        {isWindow ? <span className="sr-only">{` (${t.newWindow})`}</span> : null}
      </a>
    );
  }
  return (
    <Link to={item.url} className={className} aria-current={isHere ? "page" : undefined}>
      {children}
      {badge}
    </Link>
  );
}

interface MenuLinksProps {
  items: readonly NavigationItem[];
  className?: string;
}

/** The entries of an open menu. Their icons are added after hydration, to keep the document short. */
export function MenuLinks({ items, className }: MenuLinksProps) {
  const isHydrated = useHydrated();
  const drawn = items.some(({ icon }) => isIconName(icon));
  return (
    <ul className={className} data-drawn={drawn ? "" : undefined}>
      {items.map((item) => (
        <li key={item.label}>
          <MenuLink item={item} drawn={isHydrated} />
        </li>
      ))}
    </ul>
  );
}

/**
 * An entry of an open menu, with its icon, if there is one of that name, and its description. The icon is
 * the last element and displayed first: it is added after hydration, and a node that it would be inserted
 * before may have been replaced by then, for example by a translation extension.
 */
export function MenuLink({ item, drawn = true }: Pick<NavLinkProps, "item"> & { drawn?: boolean }) {
  return (
    <NavLink item={item}>
      <span>
        {item.label}
        {item.description ? <small>{item.description}</small> : null}
      </span>
      {drawn && isIconName(item.icon) ? <Icon name={item.icon} /> : null}
    </NavLink>
  );
}
