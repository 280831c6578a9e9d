// Writes a value that consists of two fields into a form of the Studio.

import { FIELDS } from './coordinates.js'

/** The Studio's id of a draft that is not saved yet. */
const NEW = '+'
/** The interval in which the form's values are checked. All times here are in milliseconds. */
const OFTEN = 50
/** After this time a value that the form has not taken is sent again. */
const AGAIN = 1_000
/** The timeout until the form has taken both values. */
const PATIENCE = 10_000
/** How long a form may lose a value again, also counted from the save of the draft that it opened. */
const FORGETFUL = 3_000
/** The timeout until a draft is saved. */
const LONGEST = 60_000

/** Normalises a form's value for comparison: published ones are text, edited ones numbers. */
const plain = (value) => (value === null || value === undefined || value === '' ? null : Number(value))

/**
  * Writes both fields into a form. The form takes one field at a time, so each is sent once the previous one has
  * arrived. The first edit of a published item opens a draft, and the form loses edits that arrive while the
  * draft is read, and again when it is saved: a field that falls back to an earlier value is sent again. Any
  * other value was typed by an editor, and stays. An unsaved item has no published version: its form loses
  * nothing, and after "Save and create new" it belongs to the next item.
 *
  * `read` returns the form's values, `draft` the id of its open draft, `isNew` whether its item is unsaved;
  * `tell(field, value)` sets a field; `taken` is called when the form has both values or never will.
 */
export function formTeller({ read, draft, isNew, tell, taken }) {
  /** The earlier values of each field. */
  const past = new Map(FIELDS.map((field) => [field, new Set()]))
  let timer
  let wanted
  let since
  let seenAt
  let told
  /** The draft that was last open. */
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
    // The draft was discarded, or belongs to another item.
    const isLeft = opened && open !== opened && !(opened === NEW && open)
    opened = open
    // The form loses values after the save, however long that takes.
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

  /** Sets the values that both fields should have. */
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

  /** Starts over, since the form now shows another item. */
  function forget() {
    stop()
    for (const had of past.values()) had.clear()
    wanted = undefined
  }

  return { set, stop, forget }
}
