// Rules that Directus's own validation can't check, since it sees one field at a time, and only what was sent.
// This is the source; there is no build.

/** Collections whose items have a slug, with the translated field that it is made from. */
const SLUGS = { locations: 'name', articles: 'title', pages: 'title' }
const LANGUAGE = 'en-GB'
const LONGEST_SLUG = 80
/** The value before the first reference. */
const BEFORE_THE_FIRST = 'AH-1000'
/** Kinds of property that need no energy rating. */
const WITHOUT_ENERGY_RATING = ['land', 'garage']
/** The rules for a published property, in the same words as sync's. */
const OFFER_RULES = {
  energy_rating: 'must be a letter from A to G, or exempt with its reason, before the home is published (Royal Decree 390/2021); in process is not enough',
  energy_exemption: 'must say why the home is exempt (Royal Decree 390/2021, article 3.2)',
}
/** The same in short for several properties: the Studio shows 200 characters, and everybody the same text. */
const MISSING =
  'no energy rating, or not why it is exempt · falta la calificación energética o el motivo de la exención'
/** Why a place can't be deleted. The database would refuse it too, but with an internal error. */
const INHABITED =
  'archive the place, or give these another one · archive la zona, o cambie la de estos inmuebles'
/** The maximum number of properties that are named. */
const MOST_NAMED = 8
/** The fields that these rules read, including the reference. */
const OF_OFFERS = ['ref', 'status', 'kind', ...Object.keys(OFFER_RULES)]

export default ({ filter }) => {
  filter('properties.items.create', async (sent, _meta, { accountability, database }) => {
    const payload = withoutMemory(sent, accountability)
    holdRules([payload])
    return isBlank(payload.ref) ? { ...payload, ref: await nextReference(database) } : payload
  })

  filter('properties.items.update', async (sent, { keys }, { accountability, database }) => {
    const payload = withoutMemory(sent, accountability)
    // Drafts and archived properties need not meet the rules.
    if (payload.status === 'draft' || payload.status === 'archived') return payload
    const rows = await database('properties').whereIn('id', keys).select(OF_OFFERS)
    holdRules(rows.map((row) => ({ ...row, ...payload })))
    return payload
  })

  filter('locations.items.delete', async (keys, _meta, { database }) => {
    const homes = await database('properties').whereIn('location', keys).select('ref')
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

/** Throws if a published item breaks a rule. */
function holdRules(items) {
  const broken = items.filter((item) => item.status === 'published' && brokenRule(item))
  if (broken.length === 0) return
  throw [items.length === 1 ? refusal(brokenRule(broken[0])) : refusalOf(broken, MISSING)]
}

/** Returns the field of the rule that a property breaks, if any. */
function brokenRule({ kind, energy_rating: rating, energy_exemption: exemption }) {
  if (WITHOUT_ENERGY_RATING.includes(kind)) return undefined
  if (isBlank(rating) || rating === 'in_process') return 'energy_rating'
  return rating === 'exempt' && isBlank(exemption) ? 'energy_exemption' : undefined
}

/** Returns an error in the form of Directus's own validation. */
function refusal(field) {
  const words = `Validation failed for field "${field}". It ${OFFER_RULES[field]}.`
  return directusError(words, 'FAILED_VALIDATION', { field, path: [], type: 'required' })
}

/** Returns an error about several homes, which names them. */
function refusalOf(homes, why) {
  const named = homes.slice(0, MOST_NAMED).map((home) => home.ref)
  const others = homes.length > named.length ? ` (+${homes.length - named.length})` : ''
  return directusError(`${named.join(', ')}${others}: ${why}`, 'INVALID_PAYLOAD')
}

function directusError(words, code, extensions = {}) {
  const said = { name: 'DirectusError', status: 400, code, extensions: { ...extensions, code } }
  return Object.assign(new Error(words), said)
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

const isBlank = (value) => value === null || value === undefined || String(value).trim() === ''
