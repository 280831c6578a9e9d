import type { PropertyDetail } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonStyle } from "#app/ui/button.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Picture, WIDE_WIDTHS } from "#app/ui/picture.tsx";
import { propertyMessages } from "./messages.ts";

const PANEL = "photos";
const IN_MOSAIC = 5;

/**
 * The photographs: a strip to swipe on small screens, one large and four small on large ones, and
 * all of them in a panel that the browser opens by itself.
 */
export function Gallery({ property }: { property: PropertyDetail }) {
  const t = useMessages(propertyMessages);
  const { images, title } = property;
  if (images.length === 0) {
    return (
      <p className="flex aspect-2/1 max-h-80 w-full flex-col items-center justify-center gap-3 rounded-card bg-sunk text-muted">
        <Icon name="camera" className="size-9" />
        {t.noPhoto}
      </p>
    );
  }
  const mosaic = images.slice(0, IN_MOSAIC);
  const whole = mosaic.length === IN_MOSAIC;
  return (
    <section aria-label={t.photos} className="relative">
      <ul
        className={`-mx-[clamp(1.25rem,4vw,2.5rem)] flex snap-x snap-mandatory gap-2 overflow-x-auto px-[clamp(1.25rem,4vw,2.5rem)] md:mx-0 md:grid md:overflow-hidden md:rounded-card md:p-0 ${
          whole ? "md:h-[min(34rem,52vw)] md:grid-cols-4 md:grid-rows-2" : "md:grid-cols-1"
        }`}
      >
        {mosaic.map((image, index) => (
          <li
            key={image.file}
            className={`relative aspect-4/3 w-[88%] shrink-0 snap-center overflow-hidden rounded-xl bg-sunk md:w-auto md:rounded-none ${
              index === 0
                ? `max-md:w-full ${whole ? "md:col-span-2 md:row-span-2" : "md:aspect-video"}`
                : whole
                  ? ""
                  : "md:hidden"
            } ${whole ? "md:aspect-auto" : ""}`}
          >
            <button
              type="button"
              popoverTarget={PANEL}
              className="block size-full outline-offset-[-4px]"
            >
              <Picture
                picture={image}
                alt={t.photo(title, index + 1)}
                eager={index === 0}
                widths={WIDE_WIDTHS}
                sizes={
                  index === 0
                    ? "(min-width: 80rem) 37rem, (min-width: 48rem) 50vw, 100vw"
                    : "(min-width: 80rem) 19rem, (min-width: 48rem) 25vw, 88vw"
                }
                className="size-full object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        popoverTarget={PANEL}
        className={`${buttonStyle.primary} absolute right-3 bottom-3 shadow-lg shadow-[var(--shadow)]`}
      >
        <Icon name="camera" className="size-4.5" />
        {t.allPhotos(images.length)}
      </button>
      <section id={PANEL} popover="auto" aria-label={t.photos} className="panel">
        <div className="sticky top-0 z-10 flex h-16 items-center justify-between gap-4 bg-canvas/90 px-5 backdrop-blur-md">
          <p className="truncate font-display text-lg">{title}</p>
          <button
            type="button"
            popoverTarget={PANEL}
            popoverTargetAction="hide"
            className="inline-flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-sunk"
          >
            <Icon name="close" />
            <span className="sr-only">{t.closePhotos}</span>
          </button>
        </div>
        <ul className="mx-auto flex max-w-5xl flex-col gap-3 px-3 pb-16">
          {images.map((image, index) => (
            <li key={image.file}>
              <Picture
                picture={image}
                alt={t.photo(title, index + 1)}
                widths={WIDE_WIDTHS}
                sizes="(min-width: 64rem) 64rem, 100vw"
                className="h-auto w-full rounded-xl"
              />
            </li>
          ))}
        </ul>
      </section>
    </section>
  );
}
