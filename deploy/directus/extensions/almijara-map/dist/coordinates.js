// Coordinates as a form holds them, and as people write them.

/** How far a latitude and a longitude go from 0, in degrees: the rules that content keeps. */
export const MOST = { lat: 90, lng: 180 }
export const FIELDS = ['lat', 'lng']
/** As many as the columns have. */
const DECIMALS = 6

/** Degrees as Directus gives them. */
export const written = (degrees) => degrees.toFixed(DECIMALS)

/**
 * The spot that a form's two values name. Where they name none, why: both are `empty`, one is `missing`,
 * or one is `beyond` what it may be.
 */
export function spotOf(lat, lng) {
  const values = { lat, lng }
  const empty = FIELDS.filter((field) => ['', null, undefined].includes(values[field]))
  if (empty.length === 2) return { reason: 'empty' }
  if (empty.length === 1) return { reason: 'missing', field: empty[0] }
  const spot = { lat: Number(lat), lng: Number(lng) }
  const field = FIELDS.find((field) => !(Math.abs(spot[field]) <= MOST[field]))
  return field ? { reason: 'beyond', field } : { spot }
}

const LETTER = '([NSEWO])?'
const MINUTES = `(?:(NUMBER)\\s*['′’]\\s*)?`
const SECONDS = `(?:(NUMBER)\\s*(?:"|″|”|'')\\s*)?`
const HALF = `${LETTER}\\s*([+-]?)(NUMBER)\\s*(?:[°º]\\s*${MINUTES}${SECONDS})?${LETTER}`
const pairOf = (number, between) =>
  new RegExp(`^[([]?\\s*${HALF}(?:${between})${HALF}\\s*[)\\]]?$`.replaceAll('NUMBER', number))
const WITH_POINTS = pairOf('\\d+(?:\\.\\d+)?', '\\s*[,;]\\s*|\\s+')
/** As Spaniards write them; a comma between the two then has a space behind it. */
const WITH_COMMAS = pairOf('\\d+(?:,\\d+)?', '\\s*;\\s*|,?\\s+')
/** No coordinates are longer. */
const LONGEST = 100

/**
 * The latitude and the longitude that a text says: `36.749, -3.872`, `36,749; -3,872`, `36.749 N 3.872 W`
 * or `36°44'56.4"N 3°52'19.2"W`. Nothing where it says none. Whether they are within bounds is not
 * looked at.
 */
export function parse(text) {
  if (text.length > LONGEST) return undefined
  const plain = text.trim().toUpperCase().replaceAll('−', '-')
  const match = (plain.includes('.') ? WITH_POINTS : WITH_COMMAS).exec(plain)
  if (!match) return undefined
  const [first, second] = [half(match.slice(1, 7)), half(match.slice(7, 13))]
  if (!first || !second) return undefined
  if (first.of !== 'lng' && second.of !== 'lat') return { lat: first.degrees, lng: second.degrees }
  if (first.of !== 'lat' && second.of !== 'lng') return { lat: second.degrees, lng: first.degrees }
  return undefined
}

/** One of a pair, with the field that its letter says it is for. Nothing for two letters. */
function half([before, sign, degrees, minutes, seconds, after]) {
  if (before && after) return undefined
  const letter = before ?? after
  const number = (digits) => Number((digits ?? '0').replace(',', '.'))
  const size = number(degrees) + number(minutes) / 60 + number(seconds) / 3600
  const isNegative = sign === '-' || ['S', 'W', 'O'].includes(letter)
  const of = letter && (['N', 'S'].includes(letter) ? 'lat' : 'lng')
  return { of, degrees: isNegative ? -size : size }
}
