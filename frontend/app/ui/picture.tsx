import type { CSSProperties } from "react";
import type { Picture as PictureData } from "#app/lib/api/types.ts";

/** The widths in pixels that the site service produces; it refuses any other. */
export const MEDIA_WIDTHS = [160, 320, 480, 640, 800, 960, 1280, 1600, 1920, 2400] as const;

type Width = (typeof MEDIA_WIDTHS)[number];
type Format = "avif" | "webp" | "jpg";

/** Cards and mosaics: columns of 320 to 400 CSS pixels, on screens up to three times as dense. */
export const CARD_WIDTHS: readonly Width[] = [480, 800, 1280];
/** Pictures as wide as the page. */
export const WIDE_WIDTHS: readonly Width[] = [480, 800, 1280, 1920, 2400];

/** The width of a phone's window minus its side gutters. */
export const PHONE_PAGE = "calc(100vw - 2.5rem)";

export function mediaUrl(picture: PictureData, width: Width, format: Format): string {
  return `/media/${picture.file}/${picture.version}/${width}.${format}`;
}

/**
 * Returns the `srcset` of one format. The site service answers a width beyond the original with the original
 * width, so the list ends with at most one such candidate, labelled with the real width.
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
  /** The alternative text where the editors wrote none. */
  alt?: string;
  /** The `sizes` attribute: its width by screen size. */
  sizes: string;
  widths?: readonly Width[];
  /** Whether to load it first: only for the page's most important picture. */
  eager?: boolean;
  className?: string;
}

/** Returns a style with the tiny inlined placeholder, which is stretched behind the photograph until it loads. */
function placeholderStyle({ placeholder }: PictureData) {
  return placeholder
    ? ({ "--pixels": `url(data:image/webp;base64,${placeholder})` } as CSSProperties)
    : undefined;
}

/**
 * A responsive photograph. About 5% of browsers don't support AVIF. They get one JPEG of medium width, since a
 * second list of addresses would enlarge every page.
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
        style={placeholderStyle(picture)}
        // The API answers embedded in the document omit the placeholder (`SeedAnswers`).
        suppressHydrationWarning
        className={className ? `plaster ${className}` : "plaster"}
      />
    </picture>
  );
}
