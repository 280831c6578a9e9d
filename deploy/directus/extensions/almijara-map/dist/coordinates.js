// Parses and formats coordinates, as a form stores them and as people write them.

/** The maximum absolute latitude and longitude, in degrees, as in the rules for content. */
export const MOST = { lat: 90, lng: 180 }
export const FIELDS = ['lat', 'lng']
/** The number of decimals in the database's columns. */
const DECIMALS = 6

/** Formats degrees as Directus does. */
export const written = (degrees) => degrees.toFixed(DECIMALS)

/**
  * Returns the spot of a form's two values, or the reason why they are none: both are `empty`, one is `missing`,
  * or one is `beyond` its limits.
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
/** Spanish notation with decimal commas; a comma between the two numbers then has a space after it. */
const WITH_COMMAS = pairOf('\\d+(?:,\\d+)?', '\\s*;\\s*|,?\\s+')
/** The maximum length of coordinates, in characters. */
const LONGEST = 100

/**
  * Parses a latitude and a longitude: `36.749, -3.872`, `36,749; -3,872`, `36.749 N 3.872 W` or
  * `36°44'56.4"N 3°52'19.2"W`. Returns undefined for other texts. Does not check the limits.
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

/** Parses one of a pair, with the field that its letter names. Undefined if it has two letters. */
function half([before, sign, degrees, minutes, seconds, after]) {
  if (before && after) return undefined
  const letter = before ?? after
  const number = (digits) => Number((digits ?? '0').replace(',', '.'))
  const size = number(degrees) + number(minutes) / 60 + number(seconds) / 3600
  const isNegative = sign === '-' || ['S', 'W', 'O'].includes(letter)
  const of = letter && (['N', 'S'].includes(letter) ? 'lat' : 'lng')
  return { of, degrees: isNegative ? -size : size }
}
