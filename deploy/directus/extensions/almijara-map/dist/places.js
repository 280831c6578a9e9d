// The places of the content, as the editor may read them, and where a spot lies among them.

import { spotOf } from './coordinates.js'
import { project } from './projection.js'

/** More are not drawn. */
const MOST_PLACES = 500
/** An answer that takes longer is not waited for. */
const PATIENCE = 10_000
const KM_PER_DEGREE = 111.3
/** Nearer than this, in kilometres, is the place itself. */
const WITHIN = 0.7

/** Those that lie somewhere, each with its names by language. */
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

/** What a place is called within a sentence. */
export const nameOf = ({ names, slug }, locale) =>
  names.get(locale) || [...names.values()].find(Boolean) || slug

/** The same where it stands alone. */
export function titleOf(place, locale) {
  const name = nameOf(place, locale)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Where a spot is, in words: `2.3 km north-east of Nerja`. Nothing where no place is known. */
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
