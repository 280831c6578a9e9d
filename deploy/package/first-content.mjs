// Writes the initial content of a site: the sample content without its homes and without its drafts, which are for
// tests, and with only the pictures that the rest shows.
// Usage: node first-content.mjs FOLDER

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sample = new URL('../content/', import.meta.url).pathname
const folder = process.argv[2]
if (!folder) throw new Error('usage: node first-content.mjs FOLDER')
mkdirSync(join(folder, 'media'), { recursive: true })

const PICTURES = 'directus_files.json'
const OF_HOMES = ['properties.json', 'earlier_prices.json']
let words = ''
for (const name of readdirSync(sample)) {
  if (!name.endsWith('.json') || name === PICTURES || OF_HOMES.includes(name)) continue
  const items = read(name)
  // The site's settings are a single item, not a list.
  const isShown = ({ status }) => status === undefined || status === 'published'
  words += write(name, Array.isArray(items) ? items.filter(isShown) : items)
}
const pictures = read(PICTURES).filter(({ id }) => words.includes(id))
for (const { filename_disk: name } of pictures) {
  copyFileSync(join(sample, 'media', name), join(folder, 'media', name))
}
write(PICTURES, pictures)

function read(name) {
  return JSON.parse(readFileSync(join(sample, name), 'utf8'))
}

function write(name, items) {
  const text = `${JSON.stringify(items, null, 2)}\n`
  writeFileSync(join(folder, name), text)
  return text
}
