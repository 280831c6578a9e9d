// What a form asks Directus for.

/** An answer that takes longer is not waited for, in milliseconds. */
const PATIENCE = 10_000

/** Whether there is anything to ask about: not of an item that is not kept yet. */
export const isKept = ({ primaryKey, comparisonMode }) =>
  !comparisonMode && primaryKey !== null && primaryKey !== '' && primaryKey !== '+'

/** The first that `filter` finds at `path`; null where it finds nothing. */
export async function readFirst(api, path, filter, fields = '*') {
  const params = { filter: JSON.stringify(filter), fields, limit: 1 }
  const answer = await api.get(path, { params, timeout: PATIENCE })
  return answer.data.data[0] ?? null
}
