import { type FocusEvent, type MouseEvent, useRef } from "react";
import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { ClosePanel } from "#app/ui/close-panel.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { CARD_WIDTHS, mediaUrl, Picture, WIDE_WIDTHS } from "#app/ui/picture.tsx";
import { detailMessages } from "../detail-messages.ts";
import { propertyMessages } from "../messages.ts";
import { CARRIED_PHOTO } from "./carry-photo.ts";
import { preloadLightbox, useLightbox } from "./lightbox/use-lightbox.tsx";

const PANEL = "photos";

const LARGE = "md:col-span-2 md:row-span-2";

/*
 * The `sizes` of a picture that fills the mosaic's height, half of it, or its width; on small screens the
 * strip's. A photograph is 3:2, and wider than its cell, which shows the middle of it.
 */
const FULL = "(min-width:66rem) 50rem,(min-width:48rem) 78vw,92vw";
const HALF = "(min-width:66rem) 25rem,(min-width:48rem) 39vw,92vw";
const ALONE = "(min-width:80rem) 75rem,100vw";

interface MosaicLayout {
  /** How many pictures it shows. */
  visible: number;
  /** The class names of its grid, and of the first picture. */
  grid: string;
  first: string;
  /** The sizes of the first picture, and of the others. */
  sizes: readonly [string, string];
}

/** Returns the layout on large screens. */
function mosaicLayout(count: number): MosaicLayout {
  const rows = { first: LARGE, sizes: [FULL, HALF] } as const;
  if (count >= 5) return { visible: 5, grid: "md:grid-cols-4 md:grid-rows-2", ...rows };
  if (count >= 3) return { visible: 3, grid: "md:grid-cols-3 md:grid-rows-2", ...rows };
  if (count === 2) return { visible: 2, grid: "md:grid-cols-2", first: "", sizes: [FULL, FULL] };
  return { visible: 1, grid: "md:grid-cols-1", first: "", sizes: [ALONE, ALONE] };
}

/**
 * The photographs: a strip to swipe on small screens, a mosaic on large ones. They open in the lightbox;
 * without a script, or if the lightbox fails to load, in a popover that the browser opens natively.
 */
export function Gallery({ property }: { property: PropertyDetail }) {
  const t = useMessages(propertyMessages);
  const d = useMessages(detailMessages);
  const panel = useRef<HTMLElement>(null);
  const lightbox = useLightbox(() => panel.current?.showPopover());
  const { images, title } = property;
  if (images.length === 0) {
    return (
      <p className="plaster flex aspect-2/1 max-h-80 w-full flex-col items-center justify-center gap-3 rounded-card text-muted">
        <Icon name="camera" className="size-9" />
        {t.noPhoto}
      </p>
    );
  }
  /** Returns the props of a button that opens the photographs at a picture. */
  const openerProps = (index: number) => ({
    popoverTarget: PANEL,
    onClick: (event: MouseEvent<HTMLElement>) => lightbox.open(event, index),
    onPointerEnter: preloadLightbox,
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>) => {
      preloadLightbox();
      // When focusing, Chromium does not scroll a picture that is only partly in view.
      currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
  });
  const {
    visible,
    grid,
    first,
    sizes: [firstSizes, otherSizes],
  } = mosaicLayout(images.length);
  return (
    <section aria-label={d.photos} className="relative">
      <ul className={`mosaic ${grid}`}>
        {images.slice(0, visible).map((image, index) => (
          <li key={image.file} className={index === 0 ? first : undefined}>
            <button type="button" {...openerProps(index)}>
              <Picture
                picture={image}
                alt={t.photo(title, index + 1)}
                eager={index === 0}
                widths={index > 0 && otherSizes === HALF ? CARD_WIDTHS : WIDE_WIDTHS}
                sizes={index === 0 ? firstSizes : otherSizes}
                className={index === 0 ? CARRIED_PHOTO : ""}
              />
            </button>
          </li>
        ))}
      </ul>
      <Button {...openerProps(0)} look="outline" className="all-photos">
        <Icon name="camera" className="size-4.5" />
        {d.allPhotos(images.length)}
      </Button>
      <section ref={panel} id={PANEL} popover="auto" aria-label={d.photos} className="panel">
        <div className="sticky top-0 z-10 flex h-16 items-center justify-between gap-4 bg-canvas/85 px-5 backdrop-blur-md">
          <p className="truncate font-display text-lg">{title}</p>
          <ClosePanel panel={PANEL} label={d.closePhotos} />
        </div>
        <ul className="photos">
          {images.map((image, index) => (
            <li key={image.file}>
              {/* Shown only where the lightbox can't load, so one size is enough. */}
              <img
                src={mediaUrl(image, 1280, "jpg")}
                alt={image.alt || t.photo(title, index + 1)}
                width={image.width}
                height={image.height}
                loading="lazy"
              />
            </li>
          ))}
        </ul>
      </section>
      {lightbox.over({
        pictures: images,
        title,
        alt: (index) => t.photo(title, index + 1),
      })}
    </section>
  );
}
