import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from "react";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";
import { Link } from "#app/ui/link.tsx";
import type { LiveMap } from "./engine.ts";
import type { Cluster, Pin } from "./map-query.ts";
import { CLUSTER, clusterWidth, ITEM, markOf, pinStyle } from "./marker-style.ts";
import { mapMessages } from "./messages.ts";
import { nextOnTheWay } from "./next-marker.ts";
import { PinLabel } from "./pin-label.tsx";

interface MarkersProps {
  readonly map: LiveMap;
  readonly clusters: readonly Cluster[];
  readonly pins: readonly Pin[];
  /** The home whose card is open. */
  readonly open: string | undefined;
  /** A newer answer is on its way. */
  readonly stale: boolean;
  /** They are to be seen, and not in the way. */
  readonly inert: boolean;
  onCluster(cluster: Cluster): void;
  onPin(pin: Pin): void;
}

/**
 * The homes on the map: a list of links, and of buttons where several stand together. One stop of
 * the Tab key; the arrow keys go from marker to marker.
 */
export function Markers(props: MarkersProps) {
  const { map, clusters, pins, open, stale, inert, onCluster, onPin } = props;
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const mine = useMyHomes();
  const list = useRef<HTMLUListElement>(null);
  const [chosen, setChosen] = useState<string>();
  const keys = [...clusters.map(keyOf), ...pins.map(({ ref }) => ref)];
  const stop = chosen !== undefined && keys.includes(chosen) ? chosen : keys[0];

  useLayoutEffect(() => {
    const spots = [...clusters, ...pins];
    const place = () => {
      const exact = map.isMoving();
      for (const [index, item] of [...(list.current?.children ?? [])].entries()) {
        const spot = spots[index];
        if (!spot || !(item instanceof HTMLElement)) continue;
        const { x, y } = map.project(spot);
        const [left, top] = exact ? [x, y] : [Math.round(x), Math.round(y)];
        // Whole pixels at rest: letters between two pixels are blurred.
        item.style.transform = `translate(${left}px,${top}px) translate(-50%,${"count" in spot ? "-50%" : "-100%"})`;
      }
    };
    place();
    const subscriptions = (["move", "moveend", "resize"] as const).map((name) =>
      map.on(name, place),
    );
    return () => {
      for (const { unsubscribe } of subscriptions) unsubscribe();
    };
  }, [map, clusters, pins]);

  const step = (event: KeyboardEvent<HTMLUListElement>) => {
    const from = event.target as HTMLElement;
    const next = nextOnTheWay(from, event.currentTarget.querySelectorAll("a, button"), event.key);
    // What is meant for a marker is not meant for the map under it.
    event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    next?.focus();
  };
  const openCard = (event: MouseEvent, pin: Pin) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onPin(pin);
  };
  return (
    <ul
      ref={list}
      aria-label={t.homes}
      inert={inert}
      className={`absolute top-0 left-0 transition-opacity duration-200 ${stale ? "opacity-80" : ""} ${inert ? "" : "*:pointer-events-auto"}`}
      onKeyDown={step}
      onFocus={({ target }) => setChosen(target.dataset.marker)}
    >
      {clusters.map((cluster) => (
        <li key={keyOf(cluster)} className={ITEM}>
          <button
            type="button"
            data-marker={keyOf(cluster)}
            tabIndex={stop === keyOf(cluster) ? 0 : -1}
            aria-label={t.group(cluster.count)}
            onClick={() => onCluster(cluster)}
            className={CLUSTER}
            style={{ inlineSize: `${clusterWidth(cluster.count)}px` }}
          >
            {formatNumber(locale, cluster.count)}
          </button>
        </li>
      ))}
      {pins.map((pin) => (
        <li key={pin.ref} className={ITEM}>
          <Link
            to={pin.url}
            draggable={false}
            data-ref={pin.ref}
            data-marker={pin.ref}
            aria-haspopup="dialog"
            aria-expanded={pin.ref === open}
            tabIndex={stop === pin.ref ? 0 : -1}
            onClick={(event) => openCard(event, pin)}
            className={pinStyle(pin.status === "for_sale", markOf(mine.get(pin.ref)))}
          >
            <PinLabel pin={pin} mine={markOf(mine.get(pin.ref))} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function keyOf({ lat, lng, count }: Cluster): string {
  return `${count}@${lat},${lng}`;
}
