import type { Picture } from "#app/lib/api/types.ts";

/** A width that the site service produces, and that link previews show without scaling up. */
export const SHARED_WIDTH = 1280;

/** A picture for link previews. */
interface SharePicture {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/** The size of the pictures that the site service makes for sharing. */
export const SHARE_PICTURE_SIZE = { width: 1200, height: 630 };

/** Returns the picture that represents a page in link previews. It is never scaled up. */
export function sharePicture(picture: Picture, origin: string): SharePicture {
  const width = Math.min(SHARED_WIDTH, picture.width);
  return {
    url: `${origin}/media/${picture.file}/${picture.version}/${SHARED_WIDTH}.jpg`,
    width,
    height: Math.round((picture.height * width) / picture.width),
    alt: picture.alt,
  };
}
