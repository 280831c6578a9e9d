// Translates the paths of sync's reports (`translations.es-ES.title`, `images[2]`, `rooms[3].kind`) into the names
// of fields that editors see.

const TEXT = /^translations\.(?:([^.]+)\.)?([^.]+)$/
/** An entry of a list, and its column if the list has columns. */
const ENTRY = /^([^.[]+)\[(\d+)\](?:\.(.+))?$/

/** Returns the name of the field at `path` in an item of `collection`, in the Studio's language. */
export function nameOfField(fields, collection, path) {
  const nameOf = (field, of = collection) => fields.getField(of, field)?.name ?? field
  const [, language, text] = TEXT.exec(path ?? '') ?? []
  if (text) {
    const name = nameOf(text, `${collection}_translations`)
    return language ? `${name} (${language})` : name
  }
  const [, list, number, column] = ENTRY.exec(path ?? '') ?? []
  if (list) {
    const name = `${nameOf(list)} ${number}`
    const columns = fields.getField(collection, list)?.meta?.options?.fields ?? []
    return column ? `${name}, ${columns.find((it) => it.field === column)?.name ?? column}` : name
  }
  // An error in a file is reported under the field that refers to it.
  return path && nameOf(path.split('.')[0])
}
