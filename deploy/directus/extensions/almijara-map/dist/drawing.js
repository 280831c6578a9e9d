// Draws the map beneath the pin: water and land, the borders of municipalities, names, and a scale.

import { h } from 'vue'

import { BORDERS, FRAME, GRID, MUNICIPALITIES, SHORE } from './ground.js'
import { metresPerPixel, pixelOf, project, roundLength, worldSize } from './projection.js'

/** The number of path units in the world's width; one is about eight metres. */
const UNITS = 2 ** 22
const ORIGIN = project({ lat: 36.75, lng: -3.95 })
/** How far sea and land extend beyond the cut area, in degrees. */
const BEYOND = 8
/** The width of a letter of a name, and the space around a name, in pixels. */
const LETTER = 7
const ROOM = { sides: 4, above: 20, below: 5 }
/** The maximum length of the scale, in pixels. */
const SCALE = 100

const COLOURS = {
  water: 'color-mix(in srgb, #2f8fc4 24%, var(--theme--background))',
  land: 'var(--theme--background-normal)',
  shore: 'color-mix(in srgb, #2f8fc4 70%, var(--theme--foreground))',
  border: 'var(--theme--foreground-subdued)',
  place: 'var(--theme--foreground)',
  municipality: 'var(--theme--foreground-subdued)',
}

const units = (spot) => {
  const { x, y } = project(spot)
  return { x: (x - ORIGIN.x) * UNITS, y: (y - ORIGIN.y) * UNITS }
}

/** Returns the corners of a line that is stored as steps on the grid. */
function cornersOf(steps) {
  const corners = []
  let [x, y] = [0, 0]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at]
    y += steps[at + 1]
    corners.push(units({ lng: GRID.west + x * GRID.width, lat: GRID.south + y * GRID.height }))
  }
  return corners
}

const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`

/** Returns a line with rounded corners: curves from the middle of one side to the middle of the next. */
function rounded(line) {
  const last = line.at(-1)
  const curves = line.slice(1, -1).map((corner, index) => {
    const next = line[index + 2]
    const middle = { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 }
    return `Q${at(corner)} ${at(middle)}`
  })
  return `M${at(line[0])}${curves.join('')}L${at(last)}`
}

const corners = cornersOf(SHORE)
const shore = rounded(corners)
const edge = {
  ...units({ lat: FRAME.north + BEYOND, lng: FRAME.east + BEYOND }),
  west: units({ lat: FRAME.south, lng: FRAME.west - BEYOND }).x,
}
const land = `${shore}H${edge.x}V${edge.y}H${edge.west}V${corners[0].y}Z`
const borders = BORDERS.map((steps) => rounded(cornersOf(steps))).join('')

/** The municipalities, in the form of places. */
export const municipalities = MUNICIPALITIES.map(([name, lng, lat]) => ({
  slug: name,
  names: new Map([['', name]]),
  spot: { lat, lng },
  point: project({ lat, lng }),
}))

/** Whether a spot is within the drawn area. */
export const isDrawn = ({ lat, lng }) =>
  lat >= FRAME.south && lat <= FRAME.north && lng >= FRAME.west && lng <= FRAME.east

/** Draws the map in `box` pixels. Names of earlier `marks` take precedence where space is short. */
export function drawing(view, box, marks, locale) {
  const origin = pixelOf(view, box, ORIGIN)
  const scale = worldSize(view.zoom) / UNITS
  const line = (d, stroke, width) =>
    h('path', { d, fill: 'none', stroke, 'stroke-width': width, 'vector-effect': 'non-scaling-stroke' })
  const ground = h('g', { transform: `translate(${at(origin)}) scale(${scale})` }, [
    h('path', { d: land, fill: COLOURS.land }),
    h('g', { opacity: 0.4 }, line(borders, COLOURS.border, 1)),
    line(shore, COLOURS.shore, 1.5),
  ])
  const style = { position: 'absolute', inset: 0, background: COLOURS.water }
  return h('svg', { 'aria-hidden': 'true', width: box.width, height: box.height, style }, [
    ground,
    ...named(view, box, marks),
    scaleBar(view, box, locale),
  ])
}

/** Returns the dots, and the names that fit. */
function named(view, box, marks) {
  const taken = []
  return marks.flatMap(({ key, name, point, isPlace }) => {
    const { x, y } = pixelOf(view, box, point)
    if (x < 0 || x > box.width || y < 0 || y > box.height) return []
    const colour = isPlace ? COLOURS.place : COLOURS.municipality
    const dot = isPlace ? [h('circle', { cx: x, cy: y, r: 3.5, fill: colour })] : []
    const half = (name.length * LETTER) / 2 + ROOM.sides
    const room = { left: x - half, right: x + half, top: y - ROOM.above, bottom: y + ROOM.below }
    const isFree = taken.every(
      (other) =>
        room.right < other.left ||
        room.left > other.right ||
        room.bottom < other.top ||
        room.top > other.bottom,
    )
    if (isFree) taken.push(room)
    return [h('g', { key }, isFree ? [...dot, title(name, x, y - 8, colour, isPlace)] : dot)]
  })
}

function title(name, x, y, fill, isStrong) {
  const halo = { stroke: COLOURS.land, 'stroke-width': 3, 'paint-order': 'stroke' }
  const letters = { 'font-size': 12, 'font-weight': isStrong ? 600 : 400 }
  return h('text', { x, y, fill, 'text-anchor': 'middle', ...letters, ...halo }, name)
}

function scaleBar(view, box, locale) {
  const perPixel = metresPerPixel(view)
  const metres = roundLength(perPixel * SCALE)
  const [length, bottom] = [metres / perPixel, box.height - 12]
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: metres < 1000 ? 'meter' : 'kilometer',
  })
  const stroke = { stroke: COLOURS.place, 'stroke-width': 2, fill: 'none' }
  return h('g', [
    h('path', { d: `M12 ${bottom - 5}v5h${length}v-5`, ...stroke }),
    title(format.format(metres < 1000 ? metres : metres / 1000), 12 + length / 2, bottom - 8, COLOURS.place),
  ])
}
