import type { NavigationItem } from "#app/lib/api/types.ts";
import { Disclosure } from "#app/ui/disclosure.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { MenuLinks } from "./nav-link.tsx";

/**
 * A menu of the header. The kit's own menu is not used: every page would load it first, and could not open
 * it before that. It is also meant for commands, not for links.
 */
export function HeaderDropdown({ item }: { item: NavigationItem }) {
  return (
    <Disclosure
      name="header"
      openerClassName="header-entry"
      opener={
        <>
          {item.label}
          <Icon name="chevron" />
        </>
      }
    >
      <MenuLinks items={item.children ?? []} className="dropdown" />
    </Disclosure>
  );
}
