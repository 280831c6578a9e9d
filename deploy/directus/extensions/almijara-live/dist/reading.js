// What a form asks Directus for.

/** An answer that takes longer is not waited for, in milliseconds. */
const PATIENCE = 10_000
const ROWS = 'live_status'
/** The state of what somebody's role may not read. */
export const UNREADABLE = 'unreadable'

/** Whether there is anything to ask about: not of an item that is not kept yet. */
export const isKept = ({ primaryKey, comparisonMode }) =>
  !comparisonMode && primaryKey !== null && primaryKey !== '' && primaryKey !== '+'

/** The first that `filter` finds at `path`; null where it finds nothing. */
export async function readFirst(api, path, filter, fields = '*') {
  const params = { filter: JSON.stringify(filter), fields, limit: 1 }
  const answer = await api.get(path, { params, timeout: PATIENCE })
  return answer.data.data[0] ?? null
}

/** What sync has told of an item; null where it has told nothing. */
export async function readRow(api, permissions, { collection, primaryKey }) {
  if (!permissions.hasPermission(ROWS, 'read')) return { state: UNREADABLE }
  const filter = { item_collection: { _eq: collection }, item_key: { _eq: String(primaryKey) } }
  return readFirst(api, `/items/${ROWS}`, filter)
}
