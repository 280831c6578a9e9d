// The kinds of fields that the collections are made of, each as Directus's schema snapshot
// describes one.

const field = (name, type, schema, meta = {}) => ({
  field: name,
  type,
  schema: schema && { is_nullable: true, ...schema },
  meta: { interface: 'input', width: 'full', ...meta },
})

/** The same field at half the width of the editors' form. */
export const half = (definition) => ({
  ...definition,
  meta: { ...definition.meta, width: 'half' },
})

/** The same field, which editors have to fill in. */
export const required = (definition) => ({
  ...definition,
  schema: { ...definition.schema, is_nullable: false },
  meta: { ...definition.meta, required: true },
})

/** The same field, with no value twice in its collection. */
export const unique = (definition) => ({
  ...definition,
  schema: { ...definition.schema, is_unique: true },
})

/** The same field, with a word for editors under it. */
export const note = (text, definition) => ({
  ...definition,
  meta: { ...definition.meta, note: text },
})

export const integerKey = () =>
  field(
    'id',
    'integer',
    { data_type: 'integer', is_nullable: false, is_primary_key: true, has_auto_increment: true },
    { hidden: true, readonly: true },
  )

export const uuidKey = () =>
  field(
    'id',
    'uuid',
    { data_type: 'uuid', is_nullable: false, is_primary_key: true },
    { hidden: true, readonly: true, special: ['uuid'] },
  )

export const stringKey = (name, length) =>
  field(name, 'string', {
    data_type: 'character varying',
    max_length: length,
    is_nullable: false,
    is_primary_key: true,
  })

export const string = (name, length = 255, meta = {}) =>
  field(name, 'string', { data_type: 'character varying', max_length: length }, meta)

export const text = (name) =>
  field(name, 'text', { data_type: 'text' }, { interface: 'input-multiline' })

export const html = (name) =>
  field(
    name,
    'text',
    { data_type: 'text' },
    {
      interface: 'input-rich-text-html',
      options: {
        toolbar: [
          'bold',
          'italic',
          'h2',
          'h3',
          'numlist',
          'bullist',
          'blockquote',
          'customLink',
          'table',
          'removeformat',
          'code',
          'fullscreen',
        ],
      },
    },
  )

export const integer = (name, meta = {}) => field(name, 'integer', { data_type: 'integer' }, meta)

export const decimal = (name, precision, scale) =>
  field(name, 'decimal', {
    data_type: 'numeric',
    numeric_precision: precision,
    numeric_scale: scale,
  })

export const flag = (name) =>
  half(
    field(
      name,
      'boolean',
      { data_type: 'boolean', default_value: false, is_nullable: false },
      { interface: 'boolean', special: ['cast-boolean'] },
    ),
  )

export const date = (name) => half(field(name, 'date', { data_type: 'date' }, { interface: 'datetime' }))

export const moment = (name, meta = {}) =>
  half(
    field(
      name,
      'timestamp',
      { data_type: 'timestamp with time zone' },
      { interface: 'datetime', ...meta },
    ),
  )

/** A word out of a closed list, `choices` being pairs of the word and what editors see. */
export const choice = (name, choices, initial) =>
  half(
    field(
      name,
      'string',
      { data_type: 'character varying', max_length: 32, default_value: initial ?? null },
      {
        interface: 'select-dropdown',
        options: { choices: choices.map(([value, label]) => ({ value, text: label })) },
      },
    ),
  )

export const tags = (name, presets) =>
  field(
    name,
    'json',
    { data_type: 'json' },
    { interface: 'tags', special: ['cast-json'], options: { presets, alphabetize: true } },
  )

export const json = (name) =>
  field(
    name,
    'json',
    { data_type: 'json' },
    { interface: 'input-code', special: ['cast-json'], options: { language: 'json' } },
  )

/** A list of small records, each with the `columns`. */
export const list = (name, columns) =>
  field(
    name,
    'json',
    { data_type: 'json' },
    {
      interface: 'list',
      special: ['cast-json'],
      options: {
        fields: columns.map((column) => ({
          field: column,
          name: column,
          type: 'text',
          meta: { interface: 'input-multiline' },
        })),
      },
    },
  )

/** The key of one item of `related`; what becomes of this one with it is `onDelete`. */
export const reference = (name, related, meta = {}, onDelete = 'SET NULL') => ({
  ...field(
    name,
    keyType(related),
    {
      data_type: keyDataType(related),
      max_length: related === 'languages' ? 16 : null,
      is_indexed: true,
    },
    { interface: 'select-dropdown-m2o', special: ['m2o'], ...meta },
  ),
  relation: { related, onDelete },
})

export const picture = (name) =>
  reference(name, 'directus_files', { interface: 'file-image', special: ['file'] })

export const translations = () =>
  field('translations', 'alias', null, {
    interface: 'translations',
    special: ['translations'],
    options: {
      languageField: 'name',
      languageDirectionField: 'direction',
      defaultLanguage: 'en-GB',
      userLanguage: true,
    },
  })

export const pictures = (name) =>
  field(name, 'alias', null, { interface: 'files', special: ['files'] })

export const status = () =>
  choice(
    'status',
    [
      ['draft', 'Draft'],
      ['published', 'Published'],
      ['archived', 'Archived'],
    ],
    'draft',
  )

export const sort = () => integer('sort', { hidden: true })

/** When a row was last written, creation counted; as a cursor Directus's own default is of no use. */
export const dateUpdated = () => ({
  ...moment('date_updated', {
    hidden: true,
    readonly: true,
    special: ['date-created', 'date-updated'],
  }),
})

/** Who made and changed an item, and when. */
export const history = () => [
  systemUser('user_created', 'user-created'),
  moment('date_created', { hidden: true, readonly: true, special: ['date-created'] }),
  systemUser('user_updated', 'user-updated'),
  dateUpdated(),
]

const systemUser = (name, special) =>
  reference(name, 'directus_users', { hidden: true, readonly: true, special: [special] })

const uuidKeyed = ['directus_files', 'directus_users', 'articles']

function keyType(collection) {
  if (collection === 'languages') return 'string'
  return uuidKeyed.includes(collection) ? 'uuid' : 'integer'
}

function keyDataType(collection) {
  if (collection === 'languages') return 'character varying'
  return uuidKeyed.includes(collection) ? 'uuid' : 'integer'
}
