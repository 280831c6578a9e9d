import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { Link } from "./link.tsx";
import "../styles/overlays.css";

interface MenuEntry {
  label: string;
  icon?: IconName;
  /** Where it leads, or what it does. */
  to?: string;
  onChoose?: () => void;
  disabled?: boolean;
}

/** What can be done with something, under the button that stands for it. */
export function Menu({
  trigger,
  entries,
}: {
  trigger: ReactElement;
  entries: readonly MenuEntry[];
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="floating" align="end" sideOffset={8} collisionPadding={8}>
          <Base.Popup className="menu">
            {entries.map(({ label, icon, to, onChoose, disabled = false }) => {
              const words = (
                <>
                  {icon ? <Icon name={icon} className="size-4.5 text-muted" /> : null}
                  {label}
                </>
              );
              return to === undefined ? (
                <Base.Item
                  key={label}
                  className="menu-entry"
                  disabled={disabled}
                  onClick={() => onChoose?.()}
                >
                  {words}
                </Base.Item>
              ) : (
                <Base.LinkItem key={label} className="menu-entry" render={<Link to={to} />}>
                  {words}
                </Base.LinkItem>
              );
            })}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
