import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from "react";
import { isPlainClick } from "#app/lib/browser/is-plain-click.ts";
import { formatNumber } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMyHomes } from "#app/lib/my-homes/use-my-homes.ts";
import { Link } from "#app/ui/link.tsx";
import type { LiveMap } from "./engine.ts";
import type { Cluster, Pin } from "./map-query.ts";
import { CLUSTER, clusterWidth, ITEM, markOf, pinStyle } from "./marker-style.ts";
import { mapMessages } from "./messages.ts";
import { nextMarker } from "./next-marker.ts";
import { PinLabel } from "./pin-label.tsx";

interface MarkersProps {
  readonly map: LiveMap;
  readonly clusters: readonly Cluster[];
  readonly pins: readonly Pin[];
  /** The home whose card is open. */
  readonly open: string | undefined;
  /** A newer answer is loading. */
  readonly stale: boolean;
  /** The markers are visible, but take no input. */
  readonly inert: boolean;
  onCluster(cluster: Cluster): void;
  onPin(pin: Pin): void;
}

/**
 * The homes on the map: a list of links for homes and of buttons for clusters. The list is a single tab
 * stop, and the arrow keys move from marker to marker.
 */
export function Markers(props: MarkersProps) {
  const { map, clusters, pins, open, stale, inert, onCluster, onPin } = props;
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const mine = useMyHomes();
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string>();
  const keys = [...clusters.map(keyOf), ...pins.map(({ ref }) => ref)];
  const tabStop = focused !== undefined && keys.includes(focused) ? focused : keys[0];

  useLayoutEffect(() => {
    const spots = [...clusters, ...pins];
    const place = () => {
      const isMoving = map.isMoving();
      for (const [index, item] of [...(list.current?.children ?? [])].entries()) {
        const spot = spots[index];
        if (!spot || !(item instanceof HTMLElement)) continue;
        const { x, y } = map.project(spot);
        const [left, top] = isMoving ? [x, y] : [Math.round(x), Math.round(y)];
        // Rounded to whole pixels unless the map is moving, because text between two pixels is blurred.
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

  const moveFocus = (event: KeyboardEvent<HTMLUListElement>) => {
    const from = event.target as HTMLElement;
    const next = nextMarker(from, event.currentTarget.querySelectorAll("a, button"), event.key);
    // A key for a marker must not reach the map under it.
    event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    next?.focus();
  };
  const openCard = (event: MouseEvent, pin: Pin) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onPin(pin);
  };
  return (
    <ul
      ref={list}
      aria-label={t.homes}
      inert={inert}
      className={`absolute top-0 left-0 transition-opacity duration-200 ${stale ? "opacity-80" : ""} ${inert ? "" : "*:pointer-events-auto"}`}
      onKeyDown={moveFocus}
      onFocus={({ target }) => setFocused(target.dataset.marker)}
    >
      {clusters.map((cluster) => (
        <li key={keyOf(cluster)} className={ITEM}>
          <button
            type="button"
            data-marker={keyOf(cluster)}
            tabIndex={tabStop === keyOf(cluster) ? 0 : -1}
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
            tabIndex={tabStop === pin.ref ? 0 : -1}
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
