// The rules that content keeps, as Directus's own validation of fields, so that most slips can't be
// saved at all. `rules.json` is written by the code that reads the content (services/shared/contracts)
// and is never edited here.

import { readFileSync } from 'node:fs'

const rules = JSON.parse(readFileSync(new URL('rules.json', import.meta.url), 'utf8'))

/**
 * What Directus checks of a field when it is saved. It looks at what was sent and at nothing else, so
 * a draft may lack whatever it does not name.
 */
export function validationOf(collection, field) {
  const rule = rules.find((one) => one.collection === collection && one.field === field)
  if (!rule) return null
  const holds = (operator, value) => ({ [field]: { [operator]: value } })
  const checks = []
  if (rule.between) checks.push(holds('_between', rule.between))
  if (rule.in) checks.push(holds('_in', rule.in))
  if (rule.pattern) checks.push(holds('_regex', rule.pattern))
  if (!rule.empty) checks.push(holds('_nnull', true))
  // `_null` and `_empty` hold for anything in a validation; `_in` says the same and means it.
  const filter = rule.empty
    ? { _or: [holds('_in', [null, '']), { _and: checks }] }
    : { _and: checks }
  return { validation: { _and: [filter] }, validation_message: sentence(rule.words) }
}

/** Fails where a list of choices is not the rule's: two lists of one thing drift apart. */
export function checkChoices(collection, field, choices) {
  const rule = rules.find((one) => one.collection === collection && one.field === field)
  const values = choices.map(({ value }) => value)
  if (rule?.in && JSON.stringify(values) !== JSON.stringify(rule.in)) {
    throw new Error(`${collection}.${field} offers ${values}, and its rule takes ${rule.in}`)
  }
}

/**
 * Sets the validation of fields right that were made by an earlier set-up. Rules belong to the model
 * and not to an administrator, so one that was changed is set back.
 */
export async function applyRules(api) {
  const found = await api.get('/fields')
  let changed = 0
  for (const collection of new Set(rules.map((rule) => rule.collection))) {
    const wrong = found
      .filter((field) => field.collection === collection && field.meta)
      .map(({ field, meta }) => ({ field, meta, wanted: validationOf(collection, field) }))
      .filter(({ meta, wanted }) => wanted && !agrees(meta, wanted))
      .map(({ field, wanted }) => ({ field, meta: wanted }))
    if (wrong.length > 0) await api.patch(`/fields/${collection}`, wrong)
    changed += wrong.length
  }
  return changed
}

const agrees = (meta, wanted) =>
  Object.entries(wanted).every(([name, value]) => JSON.stringify(meta[name]) === JSON.stringify(value))

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`
