// Makes references and addresses that were left empty, keeps what feeds said, and holds the rules that Directus's
// own validation can't check. This is the source; there is no build.

import { holdRules } from './published.js'
import { refusalOf } from './refusals.js'
import { isBlank } from './values.js'

/** Collections whose items have a slug, with the translated field that it is made from. */
const SLUGS = { locations: 'name', articles: 'title', pages: 'title' }
const LANGUAGE = 'en-GB'
const LONGEST_SLUG = 80
/** The value before the first reference. */
const BEFORE_THE_FIRST = 'AH-1000'
/** Why a place can't be deleted. The database would refuse it too, but with an internal error. */
const INHABITED =
  'archive the place, or give these another one · archive la zona, o cambie la de estos inmuebles'

export default ({ filter }) => {
  holdRules(filter)

  filter('properties.items.create', async (sent, _meta, { accountability, database }) => {
    const payload = withoutMemory(sent, accountability)
    return isBlank(payload.ref) ? { ...payload, ref: await nextReference(database) } : payload
  })

  filter('properties.items.update', (sent, _meta, { accountability }) =>
    withoutMemory(sent, accountability),
  )

  filter('locations.items.delete', async (keys, _meta, { database }) => {
    const homes = await database('properties').whereIn('location', keys).pluck('ref')
    if (homes.length > 0) throw [refusalOf(homes, INHABITED)]
    return keys
  })

  for (const [collection, field] of Object.entries(SLUGS)) {
    filter(`${collection}.items.create`, async (payload, _meta, { database }) => {
      if (!isBlank(payload.slug)) return payload
      const slug = slugOf(titleOf(payload.translations, field))
      // If there is no title, Directus reports that itself.
      return slug ? { ...payload, slug: await unused(database, collection, slug) } : payload
    })
  }
}

/**
  * Returns what was sent, without the feed's last values if it comes from the Studio. A restored revision or an
  * imported file would contain them, and the feed's import would take them for its own.
 */
function withoutMemory(sent, accountability) {
  if (!accountability?.session) return sent
  const { imported: _, ...rest } = sent
  return rest
}

/**
  * Returns the number after the highest one with the newest reference's prefix. References of imported homes are
  * ignored, since the feed would use the next number, too. Two items that are created at once get the same
  * reference, and the second is refused and has to be saved again.
 */
async function nextReference(database) {
  const taken = new Set(await database('properties').pluck('ref'))
  const own = await database('properties').whereNull('imported').orderBy('id', 'desc').pluck('ref')
  const newest = own.find((reference) => /\d$/.test(reference ?? '')) ?? BEFORE_THE_FIRST
  const [, prefix] = /^(.*?)\d+$/.exec(newest)
  const numbers = [newest, ...own]
    .filter((reference) => reference?.startsWith(prefix))
    .map((reference) => reference.slice(prefix.length))
    .filter((rest) => /^\d{1,9}$/.test(rest))
  const highest = numbers.reduce((most, number) => Math.max(most, Number(number)), 0)
  const width = Math.max(...numbers.map((number) => number.length), 0)
  const numbered = (number) => `${prefix}${String(number).padStart(width, '0')}`
  let free = highest + 1
  while (taken.has(numbered(free))) free += 1
  return numbered(free)
}

/** Returns the English title of an item that is saved with its translations, or any other title. */
function titleOf(translations, field) {
  const rows = Array.isArray(translations) ? translations : (translations?.create ?? [])
  const titled = rows.filter((row) => !isBlank(row?.[field]))
  const language = (row) => row.languages_code?.code ?? row.languages_code
  return (titled.find((row) => language(row) === LANGUAGE) ?? titled[0])?.[field]
}

function slugOf(title) {
  return (title ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '')
}

async function unused(database, collection, slug) {
  const taken = new Set(await database(collection).where('slug', 'like', `${slug}%`).pluck('slug'))
  let free = slug
  for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`
  return free
}
