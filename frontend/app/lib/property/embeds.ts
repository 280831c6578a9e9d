import type { Embed } from "#app/lib/api/types.ts";

interface Service {
  readonly name: string;
  /** The page that shows it there. */
  readonly page: (id: string) => string;
  /** What a frame of ours shows: it plays at once, since somebody has just pressed on it. */
  readonly frame: (id: string) => string;
}

/** The services whose videos and tours pages show: as `contracts::content::Embed` reads them. */
export const EMBED_SERVICES: Record<Embed["service"], Service> = {
  youtube: {
    name: "YouTube",
    page: (id) => `https://www.youtube.com/watch?v=${id}`,
    frame: (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`,
  },
  vimeo: {
    name: "Vimeo",
    page: (id) => `https://vimeo.com/${id}`,
    frame: (id) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
  },
  matterport: {
    name: "Matterport",
    page: (id) => `https://my.matterport.com/show/?m=${id}`,
    frame: (id) => `https://my.matterport.com/show/?m=${id}&play=1`,
  },
};

/** Where frames may be from, and nowhere else. */
export const EMBED_ORIGINS: readonly string[] = Object.values(EMBED_SERVICES).map(
  ({ frame }) => new URL(frame("")).origin,
);
