import type { Camera, Size } from "./camera.ts";
import { fromScreen } from "./camera.ts";
import { placedTile } from "./placing.ts";

/** Most servers keep no nearer ones. */
const DEEPEST = 19;

/** The squares of the world that a camera sees, at the zoom nearest to its own, with one around. */
export function tilesIn(camera: Camera, size: Size): { z: number; x: number; y: number }[] {
  const z = Math.min(Math.max(Math.round(camera.zoom), 0), DEEPEST);
  const across = 2 ** z;
  const from = fromScreen(camera, size, { x: 0, y: 0 });
  const to = fromScreen(camera, size, { x: size.width, y: size.height });
  const span = (low: number, high: number) => {
    const first = Math.max(Math.floor(low * across) - 1, 0);
    const last = Math.min(Math.floor(high * across) + 1, across - 1);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  };
  return span(from.y, to.y).flatMap((y) => span(from.x, to.x).map((x) => ({ z, x, y })));
}

interface TilesProps {
  /** Of a picture: `{z}`, `{x}` and `{y}` stand for its place. */
  readonly url: string;
  readonly camera: Camera;
  readonly size: Size;
}

/** The ground from a tile server, in the same projection as what is drawn. */
export function Tiles({ url, camera, size }: TilesProps) {
  return (
    <div data-layer="" aria-hidden="true" className="absolute top-0 left-0">
      {tilesIn(camera, size).map(({ z, x, y }) => (
        <img
          key={`${z}/${x}/${y}`}
          src={url.replace("{z}", `${z}`).replace("{x}", `${x}`).replace("{y}", `${y}`)}
          alt=""
          decoding="async"
          referrerPolicy="strict-origin-when-cross-origin"
          className="absolute top-0 left-0 max-w-none"
          style={placedTile({ x: x / 2 ** z, y: y / 2 ** z }, 1 / 2 ** z)}
        />
      ))}
    </div>
  );
}
