import type { Passed } from "#console/lib/api/types.ts";

/** The number of bars. Each covers the same length of time. */
const BARS = 60;
/** The length of the history that the service keeps, in milliseconds. */
export const SPAN_MS = 15 * 60 * 1_000;

interface Counts {
  /** The count within each bar's time, the oldest first. */
  bars: number[];
  lastMinute: number;
  all: number;
}

/** Counts what passed within `SPAN_MS`, up to the last known moment. */
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

/** Returns the SVG path of the bars in a box of `width` by `height`. A count above zero is always visible. */
export function barsPath(bars: readonly number[], width: number, height: number): string {
  const max = Math.max(...bars, 1);
  const step = width / bars.length;
  return bars
    .map((count, index) => {
      if (count === 0) return "";
      const tall = Math.max((count / max) * height, 3);
      return `M${round(index * step + step * 0.15)} ${height}v${round(-tall)}h${round(step * 0.7)}v${round(tall)}z`;
    })
    .join("");
}

const round = (value: number) => Math.round(value * 100) / 100;
