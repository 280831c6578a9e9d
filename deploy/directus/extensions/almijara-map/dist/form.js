// How a form is told of two fields that are one value.

import { FIELDS } from './coordinates.js'

/** What the Studio calls a draft that is not kept yet. */
const NEW = '+'
/** How often it is looked what the form has, in milliseconds, as all here. */
const OFTEN = 50
/** After this it is told once more. */
const AGAIN = 1_000
/** A form that has not taken both by then does not. */
const PATIENCE = 10_000
/** How long it may forget what it had, and so after the draft that it opened is kept. */
const FORGETFUL = 3_000
/** A draft that is not kept by then is waited for no more. */
const LONGEST = 60_000

/** A value of a form to compare: published ones come as text, edits as numbers. */
const plain = (value) => (value === null || value === undefined || value === '' ? null : Number(value))

/**
 * Tells a form what both fields are to be. It takes one at a time, so each is told when the one before
 * it is seen. The first edit of what is published opens a draft, and the form forgets what comes while
 * that is read and once more when it is kept: a field that falls back to a value of before is told
 * again. Any other value is somebody's, and stays.
 *
 * `read` gives the form's values, `draft` the id of the draft that it has open, `tell(field, value)` sets one,
 * `taken` is called when the form has both or never will.
 */
export function formTeller({ read, draft, tell, taken }) {
  /** What each field has had. */
  const past = new Map(FIELDS.map((field) => [field, new Set()]))
  let timer
  let wanted
  let since
  let seenAt
  let told
  /** Whether a draft that is not kept yet was open meanwhile. */
  let wasNew

  function look() {
    const now = Date.now()
    const values = read()
    const field = FIELDS.find((field) => plain(values[field]) !== plain(wanted[field]))
    if (!field) {
      seenAt ??= now
      taken()
    }
    const isNew = draft() === NEW
    wasNew ||= isNew
    // However long its save takes, it forgets after that.
    if (isNew && seenAt && now - since < LONGEST) seenAt = now
    const isOver = seenAt ? now - seenAt > FORGETFUL : now - since > PATIENCE
    const isAnothers = field && seenAt && !past.get(field).has(plain(values[field]))
    const isDiscarded = wasNew && !draft()
    if (isOver || isAnothers || isDiscarded) return taken()
    if (field && (field !== told?.field || now - told.at > AGAIN)) {
      told = { field, at: now }
      tell(field, wanted[field])
    }
    timer = setTimeout(look, OFTEN)
  }

  function stop() {
    clearTimeout(timer)
  }

  /** Both fields' values from now on. */
  function set(next) {
    stop()
    const values = read()
    for (const field of FIELDS) {
      past.get(field).add(plain(values[field]))
      if (wanted) past.get(field).add(plain(wanted[field]))
    }
    wanted = next
    since = Date.now()
    seenAt = undefined
    told = undefined
    wasNew = false
    look()
  }

  return { set, stop }
}
