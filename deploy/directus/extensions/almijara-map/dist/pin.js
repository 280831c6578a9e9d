// The two values of a form that are one pin.

import { computed, ref, watch } from 'vue'

import { FIELDS, spotOf, written } from './coordinates.js'

/**
 * What the form's values come to, and how to set them. A form takes one field at a time, and the first
 * edit of what is published opens a draft, which takes a moment and forgets what comes meanwhile: the
 * second field is told when the first is seen in the form.
 */
export function usePin(values, emit) {
  /** What is on its way into the form. */
  const wanted = ref()
  let told

  const held = computed(() => wanted.value ?? values.value ?? {})
  const found = computed(() => spotOf(held.value.lat, held.value.lng))

  const open = () => FIELDS.find((field) => values.value?.[field] !== wanted.value[field])
  function tell() {
    const field = open()
    if (!field) wanted.value = undefined
    else {
      told = field
      emit('setFieldValue', { field, value: wanted.value[field] })
    }
  }

  watch(
    () => FIELDS.map((field) => values.value?.[field]),
    () => {
      if (!wanted.value) return
      // It has become something else: somebody typed over it.
      if (open() === told) wanted.value = undefined
      else tell()
    },
    { flush: 'post' },
  )

  /** Sets both, or empties both. */
  function set(spot) {
    wanted.value = Object.fromEntries(
      FIELDS.map((field) => [field, spot ? written(spot[field]) : null]),
    )
    tell()
  }

  return { found, set }
}
