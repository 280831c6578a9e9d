// Whether the site has told anything of an item since it was saved last. What it told before is about what stood
// there before: of that a form must not say that it is live.

import { readFirst } from './reading.js'

const ACTIVITY = 'directus_activity'
/** As far apart the clocks of Directus and of sync may be, in milliseconds. */
const DRIFT = 2_000
/** How long the site has for an answer before its want is told. */
const PATIENCE = 10_000
/** How often it is asked whether the item was saved. */
const PAUSE = 5_000

/**
 * Finds out of one item after another whether an answer is overdue: `isOverdue` takes what sync has told of it,
 * and `forget` begins with another item.
 */
export function answers(api, permissions) {
  /** When sync told of it last, and since when that is known to be of before it was saved. */
  let toldAt
  let since
  let askAt = 0
  /** Raised with what is forgotten: an answer that was asked for before is about something else. */
  let turn = 0

  function forget(told = undefined) {
    turn += 1
    toldAt = told
    since = undefined
    askAt = 0
  }

  /** Whether the item itself was saved since, and not a draft of it. */
  async function wasSaved({ collection, primaryKey }) {
    if (!permissions.hasPermission(ACTIVITY, 'read')) return false
    const filter = {
      collection: { _eq: collection },
      item: { _eq: String(primaryKey) },
      action: { _in: ['create', 'update'] },
      timestamp: { _gt: new Date(new Date(toldAt).getTime() + DRIFT).toISOString() },
    }
    return (await readFirst(api, '/activity', filter, 'id')) !== null
  }

  async function isOverdue(row, item) {
    if (row?.state !== 'live' && row?.state !== 'live_in_part') return false
    if (row.noted_at !== toldAt) forget(row.noted_at)
    if (since === undefined && Date.now() >= askAt) {
      askAt = Date.now() + PAUSE
      const mine = turn
      if ((await wasSaved(item).catch(() => false)) && mine === turn) since = Date.now()
    }
    return since !== undefined && Date.now() - since >= PATIENCE
  }

  return { isOverdue, forget }
}
