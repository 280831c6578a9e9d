import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { Link } from "./link.tsx";
import "../styles/overlays.css";

interface MenuEntry {
  label: string;
  icon?: IconName;
  /** A link target. Without `to`, the entry calls `onChoose`. */
  to?: string;
  onChoose?: () => void;
  disabled?: boolean;
}

/** A menu of links and actions, opened by its trigger button. */
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
              const content = (
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
                  {content}
                </Base.Item>
              ) : (
                <Base.LinkItem key={label} className="menu-entry" render={<Link to={to} />}>
                  {content}
                </Base.LinkItem>
              );
            })}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
