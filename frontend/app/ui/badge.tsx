import type { ReactNode } from "react";

const LOOKS = {
  /** On a photograph. */
  photo: "bg-surface text-ink",
  /** On a card. */
  plain: "bg-sunk text-ink",
  sun: "bg-sun text-on-sun",
} as const;

const DOTS = {
  leaf: "bg-leaf",
  sun: "bg-sun-strong",
  clay: "bg-clay",
  sea: "bg-sea",
  muted: "bg-muted",
} as const;

type BadgeLook = keyof typeof LOOKS;
export type BadgeDot = keyof typeof DOTS;

interface BadgeProps {
  look?: BadgeLook;
  /** A state's colour, beside the words that say it. */
  dot?: BadgeDot;
  children: ReactNode;
}

/** What is to be known at a glance: a state, a mark. */
export function Badge({ look = "plain", dot, children }: BadgeProps) {
  return (
    <span className={`badge ${LOOKS[look]}`}>
      {dot ? <Dot color={dot} /> : null}
      {children}
    </span>
  );
}

/** A state's colour alone, where words beside it say the state. */
export function Dot({ color }: { color: BadgeDot }) {
  return <span className={`size-2 shrink-0 rounded-full ${DOTS[color]}`} aria-hidden="true" />;
}
