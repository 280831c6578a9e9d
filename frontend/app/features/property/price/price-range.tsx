import type { ComparableHomes } from "#app/lib/api/types.ts";
import { useHydrated } from "#app/lib/browser/use-hydrated.ts";
import { formatPrice } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { comparedMessages } from "./compared-messages.ts";

const WIDTH = 400;
const LINE = 36;
/** Space for half of the home's circle at either end. */
const EDGE = 9;
/** The minimum distance between the two ends for labels to fit below them. */
const MIN_LABEL_DISTANCE = 150;

/**
 * Draws the price range, its median, and the home's price. Decorative: the text above says the same, so the
 * document has only its space.
 */
export function PriceRange({ homes }: { homes: ComparableHomes }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 64`}
      aria-hidden="true"
      className="mt-5 w-full max-w-xl text-muted noscript:hidden"
    >
      {useHydrated() ? <RangeDrawing homes={homes} /> : null}
    </svg>
  );
}

export function RangeDrawing({ homes }: { homes: ComparableHomes }) {
  const locale = useLocale();
  const t = useMessages(comparedMessages);
  const { lowest, highest, median, price } = homes;
  const x = scale(Math.min(lowest, price), Math.max(highest, price));
  const [left, middle, right] = [x(lowest), x(median), x(highest)];
  const euros = (amount: number) => formatPrice(locale, amount);
  return (
    <g fill="currentColor" fontSize={13}>
      <path d={`M${left} ${LINE}H${right}`} stroke="currentColor" strokeWidth={2} />
      <path
        d={`M${left} ${LINE - 5}v10M${middle} ${LINE - 11}v22M${right} ${LINE - 5}v10`}
        stroke="currentColor"
        strokeWidth={2}
      />
      <text x={middle} y={16} textAnchor={anchorAt(middle)}>
        {t.median}
      </text>
      {right - left >= MIN_LABEL_DISTANCE ? (
        <>
          <text x={left} y={60} textAnchor={left < WIDTH / 3 ? "start" : "middle"}>
            {euros(lowest)}
          </text>
          <text x={right} y={60} textAnchor={right > (WIDTH * 2) / 3 ? "end" : "middle"}>
            {euros(highest)}
          </text>
        </>
      ) : null}
      <circle cx={x(price)} cy={LINE} r={7} className="fill-sun stroke-on-sun" strokeWidth={2} />
    </g>
  );
}

/** Returns a function that maps an amount between `min` and `max` to its x coordinate. */
function scale(min: number, max: number): (amount: number) => number {
  const span = max - min;
  const width = WIDTH - 2 * EDGE;
  return (amount) => (span > 0 ? EDGE + Math.round(((amount - min) / span) * width) : WIDTH / 2);
}

function anchorAt(x: number): "start" | "middle" | "end" {
  if (x < WIDTH / 8) return "start";
  return x > (WIDTH * 7) / 8 ? "end" : "middle";
}
