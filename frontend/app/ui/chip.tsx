import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

interface ChipProps {
  children: ReactNode;
  /** Accessible name of the action that removes the chip. */
  remove: string;
  /** The address of the page without this choice. Without `to`, the chip is a button that calls `onRemove`. */
  to?: string;
  /** History state of the link to `to`. */
  state?: unknown;
  onRemove?: () => void;
}

/** A choice that was made; pressing it removes the choice. */
export function Chip({ children, remove, to, state, onRemove }: ChipProps) {
  const content = (
    <>
      {children}
      <Icon name="close" className="size-4 print:hidden" />
    </>
  );
  return to === undefined ? (
    <button type="button" aria-label={remove} onClick={onRemove} className="chip">
      {content}
    </button>
  ) : (
    <Link to={to} state={state} preventScrollReset aria-label={remove} className="chip">
      {content}
    </Link>
  );
}
