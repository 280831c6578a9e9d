import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import "../styles/overlays.css";

interface TooltipProps {
  /** What the button is called for those who see it; it says so itself to those who don't. */
  text: string;
  /** A button with a name of its own. */
  children: ReactElement;
}

/** Words to a drawing that is pointed at, or that the keyboard stands on. Never what can't be done without. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={400} />
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={8} collisionPadding={8}>
          <Base.Popup className="tooltip">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
