import type { Passed } from "#console/lib/api/types.ts";

/** As many bars are drawn, each of as long a time. */
const BARS = 60;
/** What the service remembers, in milliseconds. */
export const SPAN_MS = 15 * 60 * 1_000;

interface Counts {
  /** How much passed in each bar's time, the oldest first. */
  bars: number[];
  lastMinute: number;
  all: number;
}

/** How much passed lately, up to the last moment that is known. */
export function countsOf(history: readonly Passed[], kind: "published" | "rendered"): Counts {
  const bars = new Array<number>(BARS).fill(0);
  const end = Date.parse(history.at(-1)?.at ?? "");
  let lastMinute = 0;
  let all = 0;
  for (const point of history) {
    const age = end - Date.parse(point.at);
    const count = point[kind];
    if (!(age >= 0 && age < SPAN_MS)) continue;
    const bar = BARS - 1 - Math.floor((age / SPAN_MS) * BARS);
    bars[bar] = (bars[bar] ?? 0) + count;
    all += count;
    if (age < 60_000) lastMinute += count;
  }
  return { bars, lastMinute, all };
}

/** Where the bars stand in a box of `width` by `height`: what passed at all is seen, be it ever so little. */
export function barsPath(bars: readonly number[], width: number, height: number): string {
  const most = Math.max(...bars, 1);
  const step = width / bars.length;
  return bars
    .map((count, index) => {
      if (count === 0) return "";
      const tall = Math.max((count / most) * height, 3);
      return `M${round(index * step + step * 0.15)} ${height}v${round(-tall)}h${round(step * 0.7)}v${round(tall)}z`;
    })
    .join("");
}

const round = (value: number) => Math.round(value * 100) / 100;
