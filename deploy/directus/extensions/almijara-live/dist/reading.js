// The requests of a form to Directus.

/** The timeout of a request, in milliseconds. */
const PATIENCE = 10_000
const ROWS = 'live_status'
/** The state shown if the editor's role may not read the status. */
export const UNREADABLE = 'unreadable'

/** Whether the item is saved, so that there may be a status. */
export const isKept = ({ primaryKey, comparisonMode }) =>
  !comparisonMode && primaryKey !== null && primaryKey !== '' && primaryKey !== '+'

/** Returns the first row that `filter` finds at `path`; null if there is none. */
export async function readFirst(api, path, filter, fields = '*') {
  const params = { filter: JSON.stringify(filter), fields, limit: 1 }
  const answer = await api.get(path, { params, timeout: PATIENCE })
  return answer.data.data[0] ?? null
}

/** Returns sync's status of an item; null if there is none. */
export async function readRow(api, permissions, { collection, primaryKey }) {
  if (!permissions.hasPermission(ROWS, 'read')) return { state: UNREADABLE }
  const filter = { item_collection: { _eq: collection }, item_key: { _eq: String(primaryKey) } }
  return readFirst(api, `/items/${ROWS}`, filter)
}
