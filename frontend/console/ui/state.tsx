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

/** A state by its word, with the colour that goes with it. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <Badge dot={DOTS[tone]}>{children}</Badge>;
}
