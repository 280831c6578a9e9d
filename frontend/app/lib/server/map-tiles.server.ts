import type { MapTiles } from "#app/lib/site/map-tiles.ts";

const url = process.env.MAP_TILES ?? "";

/** `https://tiles.example/{z}/{x}/{y}.png` and whom its map is by; without it there is none. */
export const mapTiles: MapTiles | undefined =
  URL.canParse(url) && ["{z}", "{x}", "{y}"].every((part) => url.includes(part))
    ? { url, attribution: process.env.MAP_TILES_ATTRIBUTION ?? new URL(url).hostname }
    : undefined;

/** Where the pictures come from, for the content security policy. */
export const mapTilesOrigin = mapTiles && new URL(mapTiles.url).origin;
