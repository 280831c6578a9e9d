import type { CSSProperties } from "react";
import type { Picture as PictureData } from "#app/lib/api/types.ts";

/** The widths that the site service makes; any other would be refused. */
export const MEDIA_WIDTHS = [160, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2400] as const;

type Width = (typeof MEDIA_WIDTHS)[number];
type Format = "avif" | "webp" | "jpg";

/** Cards and mosaics: columns of 320 to 400 CSS pixels, on screens up to three times as dense. */
export const CARD_WIDTHS: readonly Width[] = [480, 800, 1280];
/** Pictures as wide as the page. */
export const WIDE_WIDTHS: readonly Width[] = [480, 800, 1280, 1920, 2400];

/** A phone's window less the gutters at its sides. */
export const PHONE_PAGE = "calc(100vw - 2.5rem)";

export function mediaUrl(picture: PictureData, width: Width, format: Format): string {
  return `/media/${picture.file}/${picture.version}/${width}.${format}`;
}

/**
 * The candidates of one format. A width beyond the original is answered with the original's, so one
 * such candidate, called what it is, is the last.
 */
export function sourceSet(picture: PictureData, format: Format, widths: readonly Width[]): string {
  const candidates: string[] = [];
  for (const width of widths) {
    const real = Math.min(width, picture.width);
    candidates.push(`${mediaUrl(picture, width, format)} ${real}w`);
    if (width >= picture.width) break;
  }
  return candidates.join(", ");
}

interface PictureProps {
  picture: PictureData;
  /** What is said where the editors wrote nothing. */
  alt?: string;
  /** How wide it stands on which screens. */
  sizes: string;
  widths?: readonly Width[];
  /** The one picture that a visitor waits for. */
  eager?: boolean;
  className?: string;
}

/** The few pixels that came with the page, stretched until they are a blur; the photograph covers them. */
function placeholderOf({ placeholder }: PictureData) {
  return placeholder
    ? ({ "--pixels": `url(data:image/webp;base64,${placeholder})` } as CSSProperties)
    : undefined;
}

/**
 * A photograph at the width that it shows. One browser in twenty does not know AVIF: it gets a JPEG that
 * does everywhere, which is worth more than every page carrying a third list of addresses.
 */
export function Picture({
  picture,
  alt,
  sizes,
  widths = CARD_WIDTHS,
  eager = false,
  className = "",
}: PictureProps) {
  return (
    <picture>
      <source type="image/avif" srcSet={sourceSet(picture, "avif", widths)} sizes={sizes} />
      <img
        src={mediaUrl(picture, 960, "jpg")}
        alt={picture.alt || (alt ?? "")}
        width={picture.width}
        height={picture.height}
        loading={eager ? "eager" : "lazy"}
        fetchPriority={eager ? "high" : undefined}
        style={placeholderOf(picture)}
        // The answers that the document carries are without the pixels (`SeedAnswers`).
        suppressHydrationWarning
        className={className ? `plaster ${className}` : "plaster"}
      />
    </picture>
  );
}
