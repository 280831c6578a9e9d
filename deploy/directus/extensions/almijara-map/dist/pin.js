// Combines two values of a form into one pin.

import { computed, onBeforeUnmount, ref, watch } from 'vue'

import { FIELDS, spotOf, written } from './coordinates.js'
import { formTeller } from './form.js'

/** The Studio's key of an item that is not saved yet. */
const NEW = '+'

/** Returns the pin of a form's values, and functions to set it; `left` is called when the item changes. */
export function usePin(props, values, emit, left) {
  /** The values that are being written into the form. */
  const wanted = ref()
  const current = computed(() => wanted.value ?? values.value ?? {})
  const found = computed(() => spotOf(current.value.lat, current.value.lng))

  const form = formTeller({
    read: () => values.value ?? {},
    draft: () => props.version?.id,
    isNew: () => props.primaryKey === NEW,
    tell: (field, value) => emit('setFieldValue', { field, value }),
    taken: () => {
      wanted.value = undefined
    },
  })
  onBeforeUnmount(form.stop)
  // The Studio reuses the form for the next item.
  watch(
    () => [props.collection, props.primaryKey],
    () => {
      form.forget()
      wanted.value = undefined
      left()
    },
  )

  /** Sets both values, or clears both. */
  function set(spot) {
    wanted.value = Object.fromEntries(
      FIELDS.map((field) => [field, spot ? written(spot[field]) : null]),
    )
    form.set(wanted.value)
  }

  return { found, set }
}
