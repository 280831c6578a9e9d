import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { formatPrice } from "#app/lib/format/format.ts";
import { foreignTag, useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useEnergyInShort } from "#app/lib/property/energy.ts";
import { propertyQuery } from "#app/lib/property/queries.ts";
import { placeLabel } from "#app/lib/site/place-label.ts";
import { ImperialFigure } from "#app/lib/units/imperial-figure.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { Pin } from "./map-query.ts";
import { mapMessages } from "./messages.ts";

interface PinCardProps {
  pin: Pin;
  /** Buttons to mark the home as a favourite and the like. */
  tools: ReactNode;
  onClose(): void;
}

/** The card of a home that was chosen on the map: its picture, its price, and a link to its page. */
export function PinCard({ pin, tools, onClose }: PinCardProps) {
  const locale = useLocale();
  const t = useMessages(mapMessages);
  const { data } = useQuery(propertyQuery(locale, pin.ref));
  const home = data?.body;
  const [cover] = home?.images ?? [];
  // The pin has the values of when it was pressed. The query's answer is kept up to date.
  const { price, title } = home ?? pin;
  const energyInShort = useEnergyInShort();
  const energy = home && energyInShort(home.kind, home.energy?.rating);
  const link = useRef<HTMLAnchorElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card of another home takes the focus again
  useEffect(() => link.current?.focus({ preventScroll: true }), [pin.ref]);
  return (
    <div
      role="dialog"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
      className="absolute inset-x-3 bottom-3 z-30 flex max-w-md overflow-clip rounded-card border border-line bg-surface shadow-[0_6px_24px_var(--shadow)]"
    >
      <div className="plaster relative w-32 flex-none sm:w-40">
        {cover ? (
          <Picture
            key={pin.ref}
            picture={cover}
            alt={title}
            sizes="10rem"
            className="absolute inset-0 size-full object-cover"
          />
        ) : null}
      </div>
      <div className="flex min-h-28 min-w-0 flex-col justify-center gap-1 py-3 pr-12 pl-4">
        <p className="price text-lg leading-tight">
          <span>{price == null ? t.onRequest : formatPrice(locale, price)}</span>
          <ImperialFigure price={price} />
        </p>
        <Link
          ref={link}
          to={pin.url}
          lang={home && foreignTag(home.language, locale)}
          className="spread-link line-clamp-2 font-medium"
        >
          {title}
        </Link>
        <p className="text-sm text-muted">
          {[home && placeLabel(home.location.name), energy].filter(Boolean).join(" · ")}
        </p>
      </div>
      <button
        type="button"
        aria-label={t.closeCard}
        onClick={onClose}
        className="absolute top-0 right-0 grid size-11 place-items-center rounded-card hover:bg-sunk"
      >
        <Icon name="close" />
      </button>
      <div className="absolute right-0 bottom-0 z-10">{tools}</div>
    </div>
  );
}
