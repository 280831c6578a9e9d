// What an editor knows a field by, of what sync tells where it stands: `translations.es-ES.title`,
// `images[2]`, `rooms[3].kind`.

const TEXT = /^translations\.(?:([^.]+)\.)?([^.]+)$/
/** An entry of a list, and where that has columns which of them. */
const ENTRY = /^([^.[]+)\[(\d+)\](?:\.(.+))?$/

/** The name of what stands at `path` in an item of `collection`, in the language of the Studio. */
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
  // What is wrong with a file is told within the field that names it.
  return path && nameOf(path.split('.')[0])
}
