// Detects whether sync has reported an item's status since the item was last saved. An older report is about the
// older content, which the form must not present as live.

import { readFirst } from './reading.js'

const ACTIVITY = 'directus_activity'
/** The maximum difference between the clocks of Directus and sync, in milliseconds. */
const DRIFT = 2_000
/** How long a report may be missing before it counts as overdue, in milliseconds. */
const PATIENCE = 10_000
/** The interval in which the last save is requested, in milliseconds. */
const PAUSE = 5_000

/**
  * Checks for one item after another whether a report is overdue: `isOverdue` takes sync's latest report, and
  * `forget` starts with another item.
 */
export function answers(api, permissions) {
  /** The time of sync's latest report, and since when it is known to be older than the last save. */
  let toldAt
  let since
  let askAt = 0
  /** Incremented by `forget`: an answer to an earlier request is about another item. */
  let turn = 0

  function forget(told = undefined) {
    turn += 1
    toldAt = told
    since = undefined
    askAt = 0
  }

  /** Whether the item itself, and not a draft of it, was saved after the report. */
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
