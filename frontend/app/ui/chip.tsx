import type { ReactNode } from "react";
import type { NavigationState } from "#app/lib/search/navigation-state.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

interface ChipProps {
  children: ReactNode;
  /** Accessible name of the action that removes the chip. */
  remove: string;
  /** The address of the page without this choice. */
  to: string;
  /** History state of the link. */
  state?: NavigationState;
}

/** A choice that was made; pressing it removes the choice. */
export function Chip({ children, remove, to, state }: ChipProps) {
  return (
    <Link to={to} state={state} preventScrollReset aria-label={remove} className="chip">
      {children}
      <Icon name="close" className="size-4 print:hidden" />
    </Link>
  );
}
