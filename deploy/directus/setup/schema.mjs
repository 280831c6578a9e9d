// The schema, as one snapshot and two calls instead of one call a collection, field and relation.

import { collections, fileFields } from './collections.mjs'
import { checkChoices, validationOf } from './rules.mjs'

const junctions = { properties_files: ['properties_id', 'directus_files_id'] }

/** Adds what is missing. What an administrator added or changed stays as it is. */
export async function applySchema(api) {
  const info = await api.get('/server/info')
  const answer = await api.post('/schema/diff', snapshot(info.version))
  if (!answer) return 0
  const { hash, diff } = answer
  const onlyNew = (entries) => entries.filter(({ diff: [change] }) => change.kind === 'N')
  const added = {
    collections: onlyNew(diff.collections),
    fields: onlyNew(diff.fields),
    systemFields: [],
    relations: onlyNew(diff.relations),
  }
  const count = added.collections.length + added.fields.length + added.relations.length
  if (count > 0) await api.post('/schema/apply', { hash, diff: added })
  return count
}

function snapshot(directus) {
  return {
    version: 1,
    directus: directus ?? '12.3.1',
    vendor: 'postgres',
    collections: collections.map(({ name, meta }) => ({
      collection: name,
      meta: { collection: name, accountability: 'all', ...meta },
      schema: { name },
    })),
    fields: [...collections, { name: 'directus_files', fields: fileFields }].flatMap(
      ({ name, fields }) =>
        fields.map((definition, index) => describeField(name, definition, index + 1)),
    ),
    systemFields: [],
    relations: collections.flatMap(({ name, fields }) =>
      fields.filter(({ relation }) => relation).map((definition) => describeRelation(name, definition)),
    ),
  }
}

function describeField(collection, { field, type, schema, meta, relation }, sort) {
  if (meta.options?.choices) checkChoices(collection, field, meta.options.choices)
  const description = {
    collection,
    field,
    type,
    meta: { collection, field, sort, ...meta, ...validationOf(collection, field) },
  }
  if (schema) {
    description.schema = {
      name: field,
      table: collection,
      default_value: null,
      max_length: null,
      numeric_precision: null,
      numeric_scale: null,
      is_unique: schema.is_primary_key ?? false,
      is_indexed: false,
      is_primary_key: false,
      has_auto_increment: false,
      foreign_key_table: relation?.related ?? null,
      foreign_key_column: relation ? keyOf(relation.related) : null,
      ...schema,
    }
  }
  return description
}

function describeRelation(collection, { field, relation }) {
  const parent = collection.replace(/_(translations|files)$/, '')
  const isPartOf = collection !== parent && field === `${parent}_id`
  const isTranslation = collection.endsWith('_translations')
  const pair = junctions[collection] ?? (isTranslation ? [`${parent}_id`, 'languages_code'] : [])
  return {
    collection,
    field,
    related_collection: relation.related,
    meta: {
      many_collection: collection,
      many_field: field,
      one_collection: relation.related,
      one_field: isPartOf ? (isTranslation ? 'translations' : 'images') : null,
      one_collection_field: null,
      one_allowed_collections: null,
      one_deselect_action: isPartOf ? 'delete' : 'nullify',
      junction_field: pair.includes(field) ? pair.find((other) => other !== field) : null,
      sort_field: isPartOf && !isTranslation ? 'sort' : null,
    },
    schema: {
      table: collection,
      column: field,
      foreign_key_table: relation.related,
      foreign_key_column: keyOf(relation.related),
      constraint_name: `${collection}_${field}_foreign`,
      on_update: 'NO ACTION',
      on_delete: relation.onDelete,
    },
  }
}

function keyOf(collection) {
  return collection === 'languages' ? 'code' : 'id'
}
