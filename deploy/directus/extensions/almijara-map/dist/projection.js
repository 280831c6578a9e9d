// Web Mercator, as the site's own maps have it, and what a view of it shows. A spot is in degrees; a point
// lies on the square of 0…1 that is the world; a pixel lies in the map's box. A view is the point in its
// middle and its zoom, which need not be whole.

/** Pixels of the whole world at zoom 0. */
const TILE = 256
/** Nearer to a pole there is no map. */
const MOST_LATITUDE = 85.05
/** Metres around the Earth. */
const EQUATOR = 40_075_017
const FARTHEST = 9
const NEAREST = 18

const between = (least, value, most) => Math.min(Math.max(value, least), most)

export function project({ lat, lng }) {
  const sine = Math.sin((between(-MOST_LATITUDE, lat, MOST_LATITUDE) * Math.PI) / 180)
  return {
    x: (lng + 180) / 360,
    y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI),
  }
}

export function unproject({ x, y }) {
  return {
    lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
    lng: x * 360 - 180,
  }
}

/** How many pixels wide the whole world is. */
export const worldSize = (zoom) => TILE * 2 ** zoom

export function pixelOf({ centre, zoom }, { width, height }, point) {
  const size = worldSize(zoom)
  return { x: (point.x - centre.x) * size + width / 2, y: (point.y - centre.y) * size + height / 2 }
}

export function pointAt({ centre, zoom }, { width, height }, pixel) {
  const size = worldSize(zoom)
  return {
    x: centre.x + (pixel.x - width / 2) / size,
    y: centre.y + (pixel.y - height / 2) / size,
  }
}

/** The view after the ground was pushed so many pixels to the right and down. */
export function pushed({ centre, zoom }, right, down) {
  const size = worldSize(zoom)
  return { zoom, centre: { x: centre.x - right / size, y: centre.y - down / size } }
}

/** The view so much nearer that shows at `pixel` what it showed there. */
export function zoomed(view, box, steps, pixel) {
  const zoom = between(FARTHEST, view.zoom + steps, NEAREST)
  const anchor = pointAt(view, box, pixel)
  const size = worldSize(zoom)
  return {
    zoom,
    centre: {
      x: anchor.x - (pixel.x - box.width / 2) / size,
      y: anchor.y - (pixel.y - box.height / 2) / size,
    },
  }
}

export const isFarthest = ({ zoom }) => zoom <= FARTHEST
export const isNearest = ({ zoom }) => zoom >= NEAREST

/** How many metres a pixel is in the middle of a view. */
export function metresPerPixel({ centre, zoom }) {
  const { lat } = unproject(centre)
  return (EQUATOR * Math.cos((lat * Math.PI) / 180)) / worldSize(zoom)
}

/** The longest length of a 1, 2 or 5 with noughts that is not over `most`. */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most))
  return power * [5, 2, 1].find((digit) => digit * power <= most)
}
