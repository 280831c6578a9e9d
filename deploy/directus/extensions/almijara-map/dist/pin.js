// The two values of a form that are one pin.

import { computed, onBeforeUnmount, ref } from 'vue'

import { FIELDS, spotOf, written } from './coordinates.js'

/** How often it is looked whether the form has a value. */
const OFTEN = 50
/** After this it is told once more. */
const AGAIN = 1_000
/** A form that has not taken it by then does not. */
const PATIENCE = 10_000

/**
 * What the form's values come to, and how to set them. A form takes one field at a time, and the first
 * edit of what is published opens a draft, which takes a moment and forgets what comes meanwhile: each
 * field is told when the one before it is seen in the form, and again where it was forgotten.
 */
export function usePin(values, emit) {
  /** What is on its way into the form. */
  const wanted = ref()
  let since
  let told
  let timer

  const held = computed(() => wanted.value ?? values.value ?? {})
  const found = computed(() => spotOf(held.value.lat, held.value.lng))

  function settle() {
    const now = Date.now()
    const field = FIELDS.find((field) => values.value?.[field] !== wanted.value[field])
    if (!field || now - since > PATIENCE) {
      wanted.value = undefined
      return
    }
    if (field !== told?.field || now - told.at > AGAIN) {
      told = { field, at: now }
      emit('setFieldValue', { field, value: wanted.value[field] })
    }
    timer = setTimeout(settle, OFTEN)
  }

  /** Sets both, or empties both. */
  function set(spot) {
    clearTimeout(timer)
    wanted.value = Object.fromEntries(
      FIELDS.map((field) => [field, spot ? written(spot[field]) : null]),
    )
    since = Date.now()
    told = undefined
    settle()
  }
  onBeforeUnmount(() => clearTimeout(timer))

  return { found, set }
}
