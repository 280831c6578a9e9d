// The sample content, into collections that are still empty. What editors wrote is never touched.

import { existsSync, openAsBlob, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { collections } from './collections.mjs'

const BATCH = 100
const UPLOADS_AT_ONCE = 4

/** The order in which rows can go in: those that others refer to come first. */
const order = [
  'languages',
  'locations',
  'properties',
  'articles',
  'pages',
  'docs',
  'team',
  'navigation',
  'site_settings',
  'redirects',
]

export async function seed(api, folder) {
  let added = await seedFiles(api, folder)
  const empty = await Promise.all(order.map((collection) => isEmpty(api, collection)))
  for (const [index, collection] of order.entries()) {
    if (empty[index]) added += await seedCollection(api, collection, readItems(folder, collection))
  }
  return added
}

async function isEmpty(api, collection) {
  const key = collection === 'languages' ? 'code' : 'id'
  if (isSingleton(collection)) return (await api.get(`/items/${collection}`)).id === null
  const found = await api.get(`/items/${collection}`, { fields: key, limit: '1' })
  return found.length === 0
}

/** The items of `<collection>.json`: one object for the singleton, an array for the others. */
function readItems(folder, collection) {
  const path = join(folder, `${collection}.json`)
  return existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8'))].flat() : []
}

async function seedFiles(api, folder) {
  const wanted = readItems(folder, 'directus_files')
  const found = await api.get('/files', { fields: 'id', limit: '1' })
  if (found.length > 0) return 0
  const waiting = wanted.filter(({ filename_disk: name }) => existsSync(join(folder, 'media', name)))
  const count = waiting.length
  const upload = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await uploadFile(api, folder, file)
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload))
  return count
}

async function uploadFile(api, folder, file) {
  const form = new FormData()
  for (const name of ['id', 'title', 'description', 'description_es', 'type', 'filename_download']) {
    if (file[name]) form.set(name, file[name])
  }
  const path = join(folder, 'media', file.filename_disk)
  const bytes = await openAsBlob(path, { type: file.type })
  // After the fields: Directus takes only those that stand before the file.
  form.set('file', bytes, file.filename_download)
  await api.post('/files', form)
}

/**
 * Adds the items, then their translations and pictures, each kind in its own calls: nested, every
 * row costs Directus two more statements.
 */
async function seedCollection(api, collection, items) {
  if (items.length === 0) return 0
  const rows = []
  const parts = new Map()
  for (const item of parentsFirst(items)) {
    const row = { ...item }
    for (const [field, table] of [
      ['translations', `${collection}_translations`],
      ['images', `${collection}_files`],
    ]) {
      if (!Array.isArray(row[field])) continue
      const children = row[field].map((child) => ({ ...child, [`${collection}_id`]: item.id }))
      parts.set(table, [...(parts.get(table) ?? []), ...children])
      delete row[field]
    }
    rows.push(row)
  }
  if (isSingleton(collection)) await api.patch(`/items/${collection}`, rows[0])
  else await addRows(api, collection, rows)
  for (const [table, children] of parts) await addRows(api, table, children)
  return rows.length
}

async function addRows(api, collection, rows) {
  const key = collection === 'languages' ? 'code' : 'id'
  for (let start = 0; start < rows.length; start += BATCH) {
    await api.post(`/items/${collection}?fields=${key}`, rows.slice(start, start + BATCH))
  }
}

/** Items that name another of their collection as `parent`, after it. */
function parentsFirst(items) {
  const byId = new Map(items.map((item) => [item.id, item]))
  const depth = (item, steps = 0) => {
    const parent = byId.get(item.parent)
    return parent && steps < items.length ? depth(parent, steps + 1) : steps
  }
  return items.toSorted((one, other) => depth(one) - depth(other))
}

function isSingleton(collection) {
  return collections.find(({ name }) => name === collection)?.meta.singleton === true
}
