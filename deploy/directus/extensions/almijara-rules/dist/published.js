// What an item needs to be published, and Directus's own validation can't check: it sees one field at a time, and
// only what was sent. Drafts and archived items need none of it.

import { refusal, refusalOf } from './refusals.js'
import { isBlank } from './values.js'

/** The collections with texts: the text that an item needs in a language of the site, and what names it in lists. */
const TRANSLATED = {
  properties: { text: 'title', name: 'ref' },
  locations: { text: 'name', name: 'slug' },
  articles: { text: 'title', name: 'slug' },
  pages: { text: 'title', name: 'slug' },
  docs: { text: 'title', name: 'slug' },
  team: { text: 'role', name: 'name' },
  navigation: { text: 'label', name: 'url' },
}
const LANGUAGES = ['en-GB', 'es-ES']
/** Kinds of property that need no energy rating. */
const WITHOUT_ENERGY_RATING = ['land', 'garage']
/** The rules for a published property, those of energy in the same words as sync's. */
const OFFER_RULES = {
  location: 'must name the place of the home before the home is published',
  energy_rating: 'must be a letter from A to G, or exempt with its reason, before the home is published (Royal Decree 390/2021); in process is not enough',
  energy_exemption: 'must say why the home is exempt (Royal Decree 390/2021, article 3.2)',
}
const NO_RATING =
  'no energy rating, or not why it is exempt · falta la calificación energética o el motivo de la exención'
/** The same in short for several items: the Studio shows 200 characters, and everybody the same text. */
const MISSING = {
  location: 'no place · falta la zona',
  energy_rating: NO_RATING,
  energy_exemption: NO_RATING,
  translations:
    'no title or name in English or Spanish · falta el título o el nombre en inglés o en español',
}

/** Refuses saves that would publish an item without what it needs, or take that from a published one. */
export function holdRules(filter) {
  for (const [collection, { text, name }] of Object.entries(TRANSLATED)) {
    holdRulesOf(filter, collection, text, name)
  }
}

function holdRulesOf(filter, collection, text, name) {
  const isOffer = collection === 'properties'
  const fields = ['id', 'status', name, ...(isOffer ? ['kind', ...Object.keys(OFFER_RULES)] : [])]
  const rules = {
    ...OFFER_RULES,
    translations: `must have a ${text} in one language at least before the item is published`,
  }
  const table = `${collection}_translations`
  const parent = `${collection}_id`
  const isText = (row) =>
    LANGUAGES.includes(row.languages_code?.code ?? row.languages_code) && !isBlank(row[text])

  /** Returns the ids of the items that have the text, after the rows `changed` are saved. */
  async function idsWithText(database, ids, changed = []) {
    if (changed.some(isText)) return new Set(ids)
    const rows = await database(table)
      .whereIn(parent, ids)
      .select('id', parent, 'languages_code', text)
    const after = rows.map((row) => ({ ...row, ...changed.find(({ id }) => isSameKey(id, row.id)) }))
    return new Set(after.filter(isText).map((row) => row[parent]))
  }

  const lacksOf = (item, hasText) => [
    ...(isOffer ? lacksOfOffer(item) : []),
    ...(hasText ? [] : ['translations']),
  ]

  /** Throws if an item lacks a field. Names the fields of a single item, and otherwise the items. */
  function refuse(items, isSingle) {
    const lacking = items.filter(({ lacks }) => lacks.length > 0)
    if (lacking.length === 0) return
    if (isSingle) throw lacking[0].lacks.map((field) => refusal(field, rules[field]))
    throw [...new Set(Object.values(MISSING))].flatMap((why) => {
      const same = lacking.filter(({ lacks }) => lacks.some((field) => MISSING[field] === why))
      return same.length > 0 ? [refusalOf(same.map((item) => item[name] || item.id), why)] : []
    })
  }

  filter(`${collection}.items.create`, (item) => {
    if (!isPublished(item)) return
    refuse([{ lacks: lacksOf(item, sentRows(item.translations).some(isText)) }], true)
  })

  filter(`${collection}.items.update`, async (change, { keys }, { database }) => {
    if (!isBlank(change.status) && !isPublished(change)) return
    const rows = await database(collection).whereIn('id', keys).select(fields)
    const items = rows.map((row) => ({ ...row, ...change, id: row.id })).filter(isPublished)
    const ids = items.map(({ id }) => id)
    const named = await idsWithText(database, ids, sentRows(change.translations))
    const withLacks = items.map((item) => ({ ...item, lacks: lacksOf(item, named.has(item.id)) }))
    refuse(withLacks, keys.length === 1)
  })

  // A save of the item deletes texts in the end, after it has stored its new ones.
  filter(`${table}.items.delete`, async (keys, _meta, { database }) => {
    const ids = await database(table).whereIn('id', keys).pluck(parent)
    const items = (await database(collection).whereIn('id', ids).select(fields)).filter(isPublished)
    const blank = keys.map((id) => ({ id, [text]: null }))
    const named = await idsWithText(database, items.map(({ id }) => id), blank)
    const withLacks = items.map((item) => ({ ...item, lacks: named.has(item.id) ? [] : ['translations'] }))
    refuse(withLacks, items.length === 1)
  })
}

const isPublished = (item) => item.status === 'published'

const isSameKey = (one, other) => String(one) === String(other)

/** Returns the fields that a property lacks as an offer. */
function lacksOfOffer({ location, kind, energy_rating: rating, energy_exemption: exemption }) {
  const lacks = isBlank(location) ? ['location'] : []
  if (WITHOUT_ENERGY_RATING.includes(kind)) return lacks
  if (isBlank(rating) || rating === 'in_process') return [...lacks, 'energy_rating']
  return rating === 'exempt' && isBlank(exemption) ? [...lacks, 'energy_exemption'] : lacks
}

/** Returns the rows that are saved with an item. The others are named by their keys, or not at all. */
function sentRows(translations) {
  const rows = Array.isArray(translations)
    ? translations
    : [...(translations?.create ?? []), ...(translations?.update ?? [])]
  return rows.filter((row) => row !== null && typeof row === 'object')
}
