import type { CSSProperties } from "react";
import type { Picture } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { mediaUrl, sourceSet, WIDE_WIDTHS } from "#app/ui/picture.tsx";
import { lightboxMessages } from "./messages.ts";
import type { Outcome } from "./state.ts";
import type { Size, View } from "./view.ts";

interface SlideProps {
  picture: Picture;
  alt: string;
  /** The position relative to the current picture: -1, 0 or 1. */
  offset: number;
  fitted: Size;
  view: View;
  pull: number;
  /** Whether movements are animated; while the visitor drags they are immediate. */
  eased: boolean;
  outcome: Outcome | undefined;
  onOutcome: (outcome: Outcome) => void;
}

/** One picture on the stage: loading, loaded, or broken. */
export function Slide(props: SlideProps) {
  const { picture, alt, offset, fitted, view, pull, eased, outcome, onOutcome } = props;
  const t = useMessages(lightboxMessages);
  const current = offset === 0;
  const easing = eased ? "transition-transform duration-250 ease-out" : "";
  const box: CSSProperties = {
    width: fitted.width,
    height: fitted.height,
    // While the picture loads, its enlarged thumbnail, which is already cached, shows the right colours.
    backgroundImage: `url("${mediaUrl(picture, 160, "webp")}")`,
    ...(current && {
      transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
    }),
  };
  const sizes = `${Math.ceil(fitted.width * Math.max(1, current ? view.scale : 1))}px`;
  return (
    <div
      aria-hidden={current ? undefined : true}
      aria-busy={outcome === undefined}
      className={`pointer-events-none absolute inset-0 flex items-center justify-center ${easing}`}
      style={{ transform: `translateX(calc(${offset * 100}% + ${pull}px))` }}
    >
      {outcome === "broken" ? (
        <p className="flex flex-col items-center gap-3 text-muted">
          <Icon name="broken" className="size-10" />
          {t.broken}
        </p>
      ) : (
        <picture
          className={`block shrink-0 bg-cover overflow-hidden rounded-lg ${easing}`}
          style={box}
        >
          <source
            type="image/avif"
            srcSet={sourceSet(picture, "avif", WIDE_WIDTHS)}
            sizes={sizes}
          />
          <source
            type="image/webp"
            srcSet={sourceSet(picture, "webp", WIDE_WIDTHS)}
            sizes={sizes}
          />
          <img
            src={mediaUrl(picture, 1280, "jpg")}
            alt={alt}
            draggable={false}
            decoding="async"
            onLoad={() => onOutcome("loaded")}
            onError={() => onOutcome("broken")}
            className={`size-full object-contain transition-opacity duration-250 ${outcome === "loaded" ? "" : "opacity-0"}`}
          />
        </picture>
      )}
    </div>
  );
}
