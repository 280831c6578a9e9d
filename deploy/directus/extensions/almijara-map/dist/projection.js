// Web Mercator, as in the site's own maps, and views of it. A spot is in degrees; a point is on the square 0…1
// that is the world; a pixel is within the map's box. A view is its central point and its zoom, which may be
// fractional.

/** The width of the whole world at zoom 0, in pixels. */
const TILE = 256
/** The maximum latitude of the projection, in degrees. */
const MOST_LATITUDE = 85.05
/** The Earth's circumference, in metres. */
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

/** Returns the width of the whole world in pixels. */
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

/** Returns the view after panning by a number of pixels to the right and down. */
export function pushed({ centre, zoom }, right, down) {
  const size = worldSize(zoom)
  return { zoom, centre: { x: centre.x - right / size, y: centre.y - down / size } }
}

/** Returns the view zoomed by `steps` that keeps the point at `pixel` in place. */
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

/** Returns the metres per pixel in the middle of a view. */
export function metresPerPixel({ centre, zoom }) {
  const { lat } = unproject(centre)
  return (EQUATOR * Math.cos((lat * Math.PI) / 180)) / worldSize(zoom)
}

/** Returns the largest 1, 2 or 5 times a power of ten that is at most `most`. */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most))
  return power * [5, 2, 1].find((digit) => digit * power <= most)
}
