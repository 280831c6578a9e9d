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
 * again. Any other value is somebody's, and stays. An item that is not kept yet has nothing published: its
 * form forgets nothing, and after "Save and create new" it is that of the next one.
 *
 * `read` gives the form's values, `draft` the id of the draft that it has open, `isNew` whether its item is not
 * kept yet, `tell(field, value)` sets one, `taken` is called when the form has both or never will.
 */
export function formTeller({ read, draft, isNew, tell, taken }) {
  /** What each field has had. */
  const past = new Map(FIELDS.map((field) => [field, new Set()]))
  let timer
  let wanted
  let since
  let seenAt
  let told
  /** The draft that was open last. */
  let opened

  function look() {
    const now = Date.now()
    const values = read()
    const field = FIELDS.find((field) => plain(values[field]) !== plain(wanted[field]))
    if (!field) {
      seenAt ??= now
      taken()
    }
    const open = draft()
    // It is discarded, or that of another item.
    const isLeft = opened && open !== opened && !(opened === NEW && open)
    opened = open
    // However long its save takes, it forgets after that.
    if (open === NEW && seenAt && now - since < LONGEST) seenAt = now
    const forgetful = !open && isNew() ? 0 : FORGETFUL
    const isOver = seenAt ? now - seenAt >= forgetful : now - since > PATIENCE
    const isAnothers = field && seenAt && !past.get(field).has(plain(values[field]))
    if (isOver || isAnothers || isLeft) return taken()
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
    opened = undefined
    look()
  }

  /** The form is that of another item. */
  function forget() {
    stop()
    for (const had of past.values()) had.clear()
    wanted = undefined
  }

  return { set, stop, forget }
}
