import type { Embed } from "#app/lib/api/types.ts";

interface Service {
  readonly name: string;
  /** The service's own page of the embedded item. */
  readonly page: (id: string) => string;
  /** The address for our frame. It plays at once, since the visitor has just pressed play. */
  readonly frame: (id: string) => string;
}

/** The services whose videos and tours pages embed: the same as in `contracts::content::Embed`. */
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

/** The only origins that frames may load. */
export const EMBED_ORIGINS: readonly string[] = Object.values(EMBED_SERVICES).map(
  ({ frame }) => new URL(frame("")).origin,
);
