// What Directus's own validation can't do: it sees one field at a time, and only what was sent. This is
// the source; nothing is built.

/** Collections whose items have a slug, with the text of a translation that it is made from. */
const SLUGS = { locations: 'name', articles: 'title', pages: 'title' }
const LANGUAGE = 'en-GB'
const LONGEST_SLUG = 80
/** What the first reference comes after. */
const BEFORE_THE_FIRST = 'AH-1000'
/** Kinds whose offers need no energy rating. */
const WITHOUT_ENERGY_RATING = ['land', 'garage']
/** What an offer must tell, as sync says it too. */
const OFFER_RULES = {
  energy_rating: 'must be a letter from A to G, or exempt with its reason, before the home is published (Royal Decree 390/2021); in process is not enough',
  energy_exemption: 'must say why the home is exempt (Royal Decree 390/2021, article 3.2)',
}
/** The same in short, of several at once: the Studio shows 200 characters, and one language to everybody. */
const MISSING =
  'no energy rating, or not why it is exempt · falta la calificación energética o el motivo de la exención'
/** Why a place stays. The database would refuse it too, as an error of its own. */
const INHABITED =
  'archive the place, or give these another one · archive la zona, o cambie la de estos inmuebles'
/** How many of several are named. */
const MOST_NAMED = 8
/** The fields that these rules look at, and what a home is known by. */
const OF_OFFERS = ['ref', 'status', 'kind', ...Object.keys(OFFER_RULES)]

export default ({ filter }) => {
  filter('properties.items.create', async (sent, _meta, { accountability, database }) => {
    const payload = withoutMemory(sent, accountability)
    holdRules([payload])
    return isBlank(payload.ref) ? { ...payload, ref: await nextReference(database) } : payload
  })

  filter('properties.items.update', async (sent, { keys }, { accountability, database }) => {
    const payload = withoutMemory(sent, accountability)
    // What is no offer has nothing to tell.
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
      // Without a title Directus says by itself what is missing.
      return slug ? { ...payload, slug: await unused(database, collection, slug) } : payload
    })
  }
}

/**
 * What was sent, without what a feed said last where somebody in the Studio sends it: an earlier revision that is
 * restored there, or a file that is imported, brings it back, and the import would take theirs for its own word.
 */
function withoutMemory(sent, accountability) {
  if (!accountability?.session) return sent
  const { imported: _, ...rest } = sent
  return rest
}

/** Refuses what is published and may not be. */
function holdRules(items) {
  const broken = items.filter((item) => item.status === 'published' && brokenRule(item))
  if (broken.length === 0) return
  throw [items.length === 1 ? refusal(brokenRule(broken[0])) : refusalOf(broken, MISSING)]
}

/** The field of the rule that an offer breaks, if it breaks one. */
function brokenRule({ kind, energy_rating: rating, energy_exemption: exemption }) {
  if (WITHOUT_ENERGY_RATING.includes(kind)) return undefined
  if (isBlank(rating) || rating === 'in_process') return 'energy_rating'
  return rating === 'exempt' && isBlank(exemption) ? 'energy_exemption' : undefined
}

/** In the form of Directus's own validation. */
function refusal(field) {
  const words = `Validation failed for field "${field}". It ${OFFER_RULES[field]}.`
  return directusError(words, 'FAILED_VALIDATION', { field, path: [], type: 'required' })
}

/** Of several homes: a field alone would not tell which of them. */
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
 * The number after the highest of those that begin as the newest reference does. Imported homes have
 * their feed's references: none is made after them, for the next would be the feed's too. Two that are
 * made at once get the same, and the second is refused: it is saved again.
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

/** The English title of what is saved with its translations, or any. */
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
