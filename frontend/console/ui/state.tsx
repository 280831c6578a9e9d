import type { ReactNode } from "react";
import type { BadgeDot } from "#app/ui/badge.tsx";
import { Badge } from "#app/ui/badge.tsx";

export type Tone = "well" | "warning" | "wrong" | "resting" | "unknown";

const DOTS: Record<Tone, BadgeDot> = {
  well: "leaf",
  warning: "sun",
  wrong: "clay",
  resting: "sea",
  unknown: "muted",
};

/** A state as a word with a coloured dot. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <Badge dot={DOTS[tone]}>{children}</Badge>;
}
