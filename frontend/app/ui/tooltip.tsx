import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import "../styles/overlays.css";

interface TooltipProps {
  /** The visible name of the button; the button has its own accessible name. */
  text: string;
  /** A button with an accessible name. */
  children: ReactElement;
}

/** Explains an icon button on hover or keyboard focus. Never put essential information in it. */
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
