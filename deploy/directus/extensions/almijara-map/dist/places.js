// Reads the places of the content that the editor may read, and describes a spot relative to them.

import { spotOf } from './coordinates.js'
import { project } from './projection.js'

/** The maximum number of places that are drawn. */
const MOST_PLACES = 500
/** The timeout of a request, in milliseconds. */
const PATIENCE = 10_000
const KM_PER_DEGREE = 111.3
/** A spot nearer than this, in kilometres, is in the place itself. */
const WITHIN = 0.7

/** Returns the places with coordinates, each with its names by language. */
export async function readPlaces(api) {
  const answer = await api.get('/items/locations', {
    params: {
      fields: 'id,slug,lat,lng,translations.languages_code,translations.name',
      filter: JSON.stringify({ lat: { _nnull: true }, lng: { _nnull: true } }),
      sort: 'sort,id',
      limit: MOST_PLACES,
    },
    timeout: PATIENCE,
  })
  return answer.data.data.flatMap(({ id, slug, lat, lng, translations }) => {
    const { spot } = spotOf(lat, lng)
    if (!spot) return []
    const names = new Map((translations ?? []).map((text) => [text.languages_code, text.name]))
    return [{ id, slug, names, spot, point: project(spot) }]
  })
}

/** Returns a place's name for use within a sentence. */
export const nameOf = ({ names, slug }, locale) =>
  names.get(locale) || [...names.values()].find(Boolean) || slug

/** Returns a place's name for use on its own. */
export function titleOf(place, locale) {
  const name = nameOf(place, locale)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Describes a spot: `2.3 km north-east of Nerja`. Undefined if no place is known. */
export function whereabouts({ lat, lng }, places, words) {
  const shorter = Math.cos((lat * Math.PI) / 180)
  let nearest
  for (const place of places) {
    const [east, north] = [(lng - place.spot.lng) * shorter, lat - place.spot.lat]
    const distance = Math.hypot(east, north) * KM_PER_DEGREE
    if (!nearest || distance < nearest.distance) {
      nearest = { place, distance, angle: Math.atan2(east, north) }
    }
  }
  if (!nearest) return ''
  const name = nameOf(nearest.place, words.locale)
  if (nearest.distance < WITHIN) return words.at(name)
  const { ways } = words
  const way = ways[(Math.round((nearest.angle * 4) / Math.PI) + ways.length) % ways.length]
  const format = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 1 })
  return words.from(format.format(nearest.distance), way, name)
}
