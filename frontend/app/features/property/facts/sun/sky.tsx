import type { ReactNode } from "react";

export const SKY = { width: 460, height: 320 } as const;

/** The sky over a home from above; empty, it keeps the room of what will be drawn on it. */
export function Sky({ children }: { children?: ReactNode }) {
  return (
    <svg
      viewBox={`0 0 ${SKY.width} ${SKY.height}`}
      aria-hidden="true"
      className="mt-5 w-full max-w-md text-muted"
    >
      {children}
    </svg>
  );
}
