import type { MyHome } from "#app/lib/my-homes/my-home.ts";

/** A marker that is hovered, focused or highlighted from the list is above the others. */
export const ITEM = "absolute top-0 left-0 hover:z-20 focus-within:z-20 has-data-lit:z-20";
export const CLUSTER =
  "grid aspect-square place-items-center rounded-full border-2 border-on-sun/25 bg-sun text-sm font-semibold text-on-sun tabular-nums shadow-[0_0_0_5px_color-mix(in_oklch,var(--sun)_35%,transparent),0_2px_8px_var(--shadow)] hover:bg-sun-strong focus-visible:outline-offset-6 data-lit:bg-ink data-lit:text-canvas";
/** A pill with a pointer at its lower edge, whose tip marks the position. */
const PIN =
  "relative mb-1.5 flex flex-col items-center gap-0.5 rounded-full border px-2.5 py-1.5 text-[0.8125rem] leading-none font-semibold whitespace-nowrap tabular-nums shadow-[0_2px_6px_var(--shadow)] after:absolute after:top-full after:left-1/2 after:-mt-[0.28rem] after:size-2 after:-translate-x-1/2 after:rotate-45 after:border-r after:border-b after:border-inherit after:bg-inherit hover:border-ink focus-visible:border-ink aria-expanded:border-ink aria-expanded:bg-ink aria-expanded:text-canvas data-lit:border-ink data-lit:bg-ink data-lit:text-canvas";

/** The visitor's mark of a home, as far as its pin shows it. */
export type PinMark = "favourite" | "seen" | "hidden";

export function markOf(home: MyHome | undefined): PinMark | undefined {
  if (home?.hidden) return "hidden";
  if (home?.favourite) return "favourite";
  return home?.seenAt ? "seen" : undefined;
}

export function pinStyle(forSale: boolean, mine?: PinMark): string {
  if (mine === "hidden") return `${PIN} border-dashed border-line-strong bg-sunk text-muted`;
  if (!forSale) return `${PIN} border-line-strong bg-surface text-ink`;
  return `${PIN} border-on-sun/25 ${mine === "seen" ? "bg-sun-wash text-ink" : "bg-sun text-on-sun"}`;
}

/** Returns the width of a cluster in pixels. It grows with the count, but far less than in proportion. */
export function clusterWidth(count: number): number {
  return Math.round(32 + 6 * Math.log10(count) ** 1.6);
}
