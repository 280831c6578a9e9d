import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

interface ChipProps {
  children: ReactNode;
  /** What taking it away is called. */
  remove: string;
  /** Where it leads without it, or what takes it away. */
  to?: string;
  /** What the history is told of that step. */
  state?: unknown;
  onRemove?: () => void;
}

/** A choice that was made, and that a press takes back. */
export function Chip({ children, remove, to, state, onRemove }: ChipProps) {
  const inside = (
    <>
      {children}
      <Icon name="close" className="size-4 print:hidden" />
    </>
  );
  return to === undefined ? (
    <button type="button" aria-label={remove} onClick={onRemove} className="chip">
      {inside}
    </button>
  ) : (
    <Link to={to} state={state} preventScrollReset aria-label={remove} className="chip">
      {inside}
    </Link>
  );
}
