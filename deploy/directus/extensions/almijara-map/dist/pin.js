// The two values of a form that are one pin.

import { computed, onBeforeUnmount, ref } from 'vue'

import { FIELDS, spotOf, written } from './coordinates.js'
import { formTeller } from './form.js'

/** What the form's values come to, and how to set them; `draft` gives the id of the draft that is open. */
export function usePin(values, draft, emit) {
  /** What is on its way into the form. */
  const wanted = ref()
  const current = computed(() => wanted.value ?? values.value ?? {})
  const found = computed(() => spotOf(current.value.lat, current.value.lng))

  const form = formTeller({
    read: () => values.value ?? {},
    draft,
    tell: (field, value) => emit('setFieldValue', { field, value }),
    taken: () => {
      wanted.value = undefined
    },
  })
  onBeforeUnmount(form.stop)

  /** Sets both, or empties both. */
  function set(spot) {
    wanted.value = Object.fromEntries(
      FIELDS.map((field) => [field, spot ? written(spot[field]) : null]),
    )
    form.set(wanted.value)
  }

  return { found, set }
}
