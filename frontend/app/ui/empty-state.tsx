import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** What the visitor can do about it. */
  children?: ReactNode;
}

/** Shown in place of an empty list, such as no homes or no enquiries yet. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card bg-sunk px-6 py-16 text-center">
      <span aria-hidden="true" className="size-16 rounded-full bg-sun" />
      <h2 className="mt-6 text-heading">{title}</h2>
      {children}
    </div>
  );
}
