// Errors in the form of Directus's own, which the Studio shows.

/** The maximum number of items that are named. */
const MOST_NAMED = 8

/** Returns an error about one field of one item. */
export function refusal(field, rule) {
  const words = `Validation failed for field "${field}". It ${rule}.`
  return directusError(words, 'FAILED_VALIDATION', { field, path: [], type: 'required' })
}

/** Returns an error about several items, which names them. */
export function refusalOf(names, why) {
  const named = names.slice(0, MOST_NAMED)
  const others = names.length > named.length ? ` (+${names.length - named.length})` : ''
  return directusError(`${named.join(', ')}${others}: ${why}`, 'INVALID_PAYLOAD')
}

function directusError(words, code, extensions = {}) {
  const said = { name: 'DirectusError', status: 400, code, extensions: { ...extensions, code } }
  return Object.assign(new Error(words), said)
}
