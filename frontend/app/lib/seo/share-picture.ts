import type { Picture } from "#app/lib/api/types.ts";

/** A width that the site service makes, and that link previews show without scaling up. */
export const SHARED_WIDTH = 1280;

/** A picture as link previews are told of it. */
interface SharePicture {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/** The size of the pictures that the site service makes for sharing. */
export const MADE_PICTURE = { width: 1200, height: 630 };

/** What stands for a page where its link is shared. Wider than the original is never made. */
export function sharePicture(picture: Picture, origin: string): SharePicture {
  const width = Math.min(SHARED_WIDTH, picture.width);
  return {
    url: `${origin}/media/${picture.file}/${picture.version}/${SHARED_WIDTH}.jpg`,
    width,
    height: Math.round((picture.height * width) / picture.width),
    alt: picture.alt,
  };
}
