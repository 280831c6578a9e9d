import { type KeyboardEvent, useState } from "react";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { statusNames } from "#app/lib/vocabulary/names.gen.ts";
import { Link } from "#app/ui/link.tsx";
import type { Cluster, Pin } from "./map-query.ts";
import { mapMessages } from "./messages.ts";
import { nextOnTheWay } from "./next-marker.ts";
import { placed } from "./placing.ts";
import { shortPrice } from "./short-price.ts";

interface MarkersProps {
  readonly clusters: readonly Cluster[];
  readonly pins: readonly Pin[];
  /** A newer answer is on its way. */
  readonly stale: boolean;
  onCluster(cluster: Cluster): void;
}

/**
 * The homes on the map: a list of links, and of buttons where several stand together. One stop of
 * the Tab key; the arrow keys go from marker to marker.
 */
export function Markers({ clusters, pins, stale, onCluster }: MarkersProps) {
  const t = useMessages(mapMessages);
  const [chosen, setChosen] = useState<string>();
  const keys = [...clusters.map(keyOf), ...pins.map(({ ref }) => ref)];
  const stop = chosen !== undefined && keys.includes(chosen) ? chosen : keys[0];
  const step = (event: KeyboardEvent<HTMLUListElement>) => {
    const from = event.target as HTMLElement;
    const next = nextOnTheWay(from, event.currentTarget.querySelectorAll("a, button"), event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  };
  return (
    <ul
      data-layer=""
      aria-label={t.homes}
      className={`absolute top-0 left-0 transition-opacity duration-200 ${stale ? "opacity-80" : ""}`}
      onKeyDown={step}
      onFocus={({ target }) => setChosen(target.dataset.marker)}
    >
      {clusters.map((cluster) => (
        <li key={keyOf(cluster)} className={ITEM} style={placed(cluster)}>
          <button
            type="button"
            data-marker={keyOf(cluster)}
            tabIndex={stop === keyOf(cluster) ? 0 : -1}
            aria-label={t.group(cluster.count)}
            onClick={() => onCluster(cluster)}
            className={CLUSTER}
            style={{ inlineSize: `${clusterWidth(cluster.count)}px` }}
          >
            {cluster.count}
          </button>
        </li>
      ))}
      {pins.map((pin) => (
        <li key={pin.ref} className={ITEM} style={placed(pin, "-50%,-100%")}>
          <PinLink pin={pin} stop={stop === pin.ref} />
        </li>
      ))}
    </ul>
  );
}

function PinLink({ pin, stop }: { pin: Pin; stop: boolean }) {
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const statuses = useMessages(statusNames);
  const open = pin.status === "for_sale";
  const known = pin.price ?? undefined;
  const price = known === undefined ? t.onRequest : shortPrice(locale, known);
  return (
    <Link
      to={pin.url}
      data-ref={pin.ref}
      data-marker={pin.ref}
      tabIndex={stop ? 0 : -1}
      className={`${PIN} ${open ? "border-on-sun/25 bg-sun text-on-sun" : "border-line-strong bg-surface text-ink"}`}
    >
      {open ? null : (
        <span className="text-[0.625rem] leading-none font-medium tracking-wide uppercase">
          {statuses[pin.status]}{" "}
        </span>
      )}
      {price}
      <span className="sr-only">, {pin.title}</span>
    </Link>
  );
}

const ITEM = "absolute top-0 left-0 hover:z-20 focus-within:z-20 has-data-lit:z-20";
const CLUSTER =
  "grid aspect-square place-items-center rounded-full border-2 border-on-sun/25 bg-sun text-sm font-semibold text-on-sun tabular-nums shadow-[0_0_0_5px_color-mix(in_oklch,var(--sun)_35%,transparent),0_2px_8px_var(--shadow)] hover:bg-sun-strong focus-visible:outline-offset-6 data-lit:bg-ink data-lit:text-canvas";
/** A pill with a point: the point is what stands on the place. */
const PIN =
  "relative mb-1.5 flex flex-col items-center gap-0.5 rounded-full border px-2.5 py-1.5 text-[0.8125rem] leading-none font-semibold whitespace-nowrap tabular-nums shadow-[0_2px_6px_var(--shadow)] after:absolute after:top-full after:left-1/2 after:-mt-[0.28rem] after:size-2 after:-translate-x-1/2 after:rotate-45 after:border-r after:border-b after:border-inherit after:bg-inherit hover:border-ink focus-visible:border-ink data-lit:border-ink data-lit:bg-ink data-lit:text-canvas";

function keyOf({ lat, lng, count }: Cluster): string {
  return `${count}@${lat},${lng}`;
}

/** Many are larger than few, by far not in proportion. */
function clusterWidth(count: number): number {
  return Math.round(32 + 6 * Math.log10(count) ** 1.6);
}
