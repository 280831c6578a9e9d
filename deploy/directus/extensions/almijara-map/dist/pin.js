// The two values of a form that are one pin.

import { computed, onBeforeUnmount, ref, watch } from 'vue'

import { FIELDS, spotOf, written } from './coordinates.js'
import { formTeller } from './form.js'

/** What the Studio calls the key of an item that is not kept yet. */
const NEW = '+'

/** What the values of the form of `props` come to, and how to set them; `left` is called when it is another item's. */
export function usePin(props, values, emit, left) {
  /** What is on its way into the form. */
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
  // The Studio shows the next item in the same form.
  watch(
    () => [props.collection, props.primaryKey],
    () => {
      form.forget()
      wanted.value = undefined
      left()
    },
  )

  /** Sets both, or empties both. */
  function set(spot) {
    wanted.value = Object.fromEntries(
      FIELDS.map((field) => [field, spot ? written(spot[field]) : null]),
    )
    form.set(wanted.value)
  }

  return { found, set }
}
