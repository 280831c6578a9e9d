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
  /** The colour of a state; the text beside it names the state. */
  dot?: BadgeDot;
  children: ReactNode;
}

/** A short label that can be read at a glance, such as a state or a mark. */
export function Badge({ look = "plain", dot, children }: BadgeProps) {
  return (
    <span className={`badge ${LOOKS[look]}`}>
      {dot ? <Dot color={dot} /> : null}
      {children}
    </span>
  );
}

/** A dot in the colour of a state. Decorative: the text beside it must name the state. */
export function Dot({ color }: { color: BadgeDot }) {
  return <span className={`size-2 shrink-0 rounded-full ${DOTS[color]}`} aria-hidden="true" />;
}
