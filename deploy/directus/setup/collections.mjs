// The twenty collections, as editors see them. The free licence allows twenty-five, the tables of
// translations and pictures counted.

import { readFileSync } from 'node:fs'

import {
  choice,
  date,
  dateUpdated,
  decimal,
  flag,
  half,
  history,
  html,
  integer,
  integerKey,
  json,
  list,
  moment,
  note,
  picture,
  pictures,
  reference,
  required,
  sort,
  status,
  string,
  stringKey,
  tags,
  text,
  translations,
  unique,
  uuidKey,
} from './fields.mjs'

const vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8'))

const slug = () => required(unique(string('slug')))

/** An item that is drafted, published and archived. */
const published = (name, meta, fields) => ({
  name,
  meta: {
    archive_field: 'status',
    archive_value: 'archived',
    unarchive_value: 'draft',
    archive_app_filter: true,
    ...meta,
  },
  fields,
})

/** The texts of `parent`, one row a language. */
const translated = (parent, fields) => ({
  name: `${parent}_translations`,
  meta: { hidden: true, icon: 'translate' },
  fields: [
    integerKey(),
    reference(`${parent}_id`, parent, { hidden: true, interface: null, special: null }, 'CASCADE'),
    reference('languages_code', 'languages', { hidden: true, interface: null, special: null }, 'CASCADE'),
    ...fields,
    dateUpdated(),
  ],
})

const languages = {
  name: 'languages',
  meta: { icon: 'translate', sort_field: 'sort', display_template: '{{name}}' },
  fields: [
    stringKey('code', 16),
    half(string('name', 64)),
    choice('direction', [['ltr', 'Left to right'], ['rtl', 'Right to left']], 'ltr'),
    sort(),
  ],
}

const locations = published(
  'locations',
  { icon: 'location_on', sort_field: 'sort', display_template: '{{slug}}' },
  [
    integerKey(),
    status(),
    sort(),
    slug(),
    half(decimal('lat', 9, 6)),
    half(decimal('lng', 9, 6)),
    picture('image'),
    translations(),
    ...history(),
  ],
)

const properties = published(
  'properties',
  { icon: 'home', sort_field: 'sort', display_template: '{{ref}} · {{property_type}} · {{price}} €' },
  [
    integerKey(),
    status(),
    sort(),
    half(required(unique(string('ref', 32)))),
    choice('listing_status', vocabulary.listing_status, 'for_sale'),
    required(choice('property_type', vocabulary.property_type)),
    required(choice('kind', vocabulary.kind)),
    note('Euros. Empty: told on request.', half(integer('price'))),
    half(integer('previous_price')),
    flag('reduced'),
    flag('featured'),
    flag('new_build'),
    note('When it was first offered.', date('listed_on')),
    half(integer('bedrooms')),
    half(integer('bathrooms')),
    half(integer('built_m2')),
    half(integer('plot_m2')),
    half(integer('terrace_m2')),
    half(integer('year_built')),
    half(string('floor', 32)),
    flag('has_garden'),
    flag('has_pool'),
    tags('views', vocabulary.views),
    tags('features', vocabulary.features),
    choice('energy_rating', [
      ...['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((letter) => [letter, letter]),
      ['in_process', 'In process'],
      ['exempt', 'Exempt'],
    ]),
    note('kWh per m² and year', half(decimal('energy_value', 8, 2))),
    note('kg of CO₂ per m² and year', half(decimal('emissions_value', 8, 2))),
    choice('emissions_rating', ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((letter) => [letter, letter])),
    half(integer('community_fees_year')),
    half(integer('ibi_year')),
    half(integer('garbage_year')),
    half(decimal('lat', 9, 6)),
    half(decimal('lng', 9, 6)),
    note(
      'A property shows only when its place is published.',
      reference('location', 'locations', { options: { template: '{{slug}}' } }),
    ),
    pictures('images'),
    translations(),
    ...history(),
  ],
)

const propertiesFiles = {
  name: 'properties_files',
  meta: { hidden: true, icon: 'photo_library', sort_field: 'sort' },
  fields: [
    integerKey(),
    sort(),
    reference('properties_id', 'properties', { hidden: true, interface: null, special: null }, 'CASCADE'),
    reference('directus_files_id', 'directus_files', { hidden: true, interface: null, special: null }, 'CASCADE'),
    dateUpdated(),
  ],
}

const articles = published('articles', { icon: 'newspaper', display_template: '{{slug}}' }, [
  uuidKey(),
  status(),
  moment('published_at'),
  slug(),
  picture('image'),
  translations(),
  ...history(),
])

const pages = published('pages', { icon: 'description', display_template: '{{slug}}' }, [
  integerKey(),
  status(),
  choice(
    'kind',
    [
      ['guide', 'Guide'],
      ['legal', 'Legal text'],
      ['landing', 'Landing page'],
      ['service', 'Service'],
      ['list', 'List of properties'],
    ],
    'landing',
  ),
  slug(),
  picture('image'),
  translations(),
  ...history(),
])

const docs = published(
  'docs',
  { icon: 'menu_book', sort_field: 'sort', display_template: '{{slug}}' },
  [
    integerKey(),
    status(),
    sort(),
    note('The path under /docs; empty for its first page.', unique(string('slug'))),
    translations(),
    ...history(),
  ],
)

const team = published(
  'team',
  { icon: 'group', sort_field: 'sort', display_template: '{{name}}' },
  [
    integerKey(),
    status(),
    sort(),
    required(string('name')),
    note('They work for the property administration; its page presents them.', flag('administration')),
    picture('photo'),
    half(string('email')),
    half(string('phone', 64)),
    translations(),
    ...history(),
  ],
)

const navigation = published(
  'navigation',
  { icon: 'menu', sort_field: 'sort', display_template: '{{menu}} · {{url}}' },
  [
    integerKey(),
    status(),
    sort(),
    choice('menu', [
      ['header', 'Header'],
      ['footer', 'Footer'],
      ['popular', 'Popular searches'],
      ['quick', 'Quick links'],
      ['legal', 'Legal'],
    ]),
    reference('parent', 'navigation', { options: { template: '{{menu}} · {{url}}' } }),
    string('url'),
    choice('target', [['_self', 'Same tab'], ['_blank', 'New tab']]),
    half(string('icon', 64)),
    half(string('badge', 64)),
    flag('disabled'),
    translations(),
    ...history(),
  ],
)

const siteSettings = {
  name: 'site_settings',
  meta: { icon: 'settings', singleton: true },
  fields: [
    integerKey(),
    half(required(string('company_name'))),
    half(string('legal_name')),
    half(string('tax_id', 64)),
    tags('phones'),
    tags('emails'),
    half(string('whatsapp', 64)),
    half(string('street')),
    half(string('postal_code', 16)),
    half(string('town')),
    half(string('province')),
    half(decimal('lat', 9, 6)),
    half(decimal('lng', 9, 6)),
    string('social_url'),
    note('Purchase cost and mortgage figures, with source and date.', json('figures')),
    picture('hero'),
    translations(),
    ...history(),
  ],
}

const redirects = published(
  'redirects',
  { icon: 'alt_route', display_template: '{{from_path}} → {{to_path}}' },
  [
    integerKey(),
    status(),
    required(unique(string('from_path'))),
    string('to_path'),
    note('301 or 308 for what moved, 410 for what is gone.', half(integer('code'))),
    ...history(),
  ],
)

/**
 * Written by the site, answered by the office. Directus keeps no copies of what somebody wrote: who is
 * erased here is erased.
 */
const enquiries = {
  name: 'enquiries',
  meta: {
    icon: 'mail',
    display_template: '{{reference}} · {{name}} · {{property_ref}}',
    accountability: 'activity',
    sort_field: null,
  },
  fields: [
    uuidKey(),
    half(required(string('state', 16, enquiryState()))),
    half(string('reference', 16, { readonly: true })),
    half(required(string('kind', 32, { readonly: true }))),
    half(moment('received_at', { readonly: true })),
    half(required(string('name', 255, { readonly: true }))),
    half(string('email', 255, { readonly: true })),
    half(string('phone', 64, { readonly: true })),
    half(string('mobile', 64, { readonly: true })),
    text('message'),
    half(string('property_ref', 32, { readonly: true })),
    half(string('property_title', 255, { readonly: true })),
    half(integer('property_price', { readonly: true })),
    half(string('times', 255, { readonly: true })),
    note('Of what is to be valued.', string('address', 255, { readonly: true })),
    half(string('property_kind', 32, { readonly: true })),
    half(integer('built_area', { readonly: true })),
    note('They came with the mail.', half(integer('pictures', { readonly: true }))),
    half(string('language', 16, { readonly: true })),
    note('Why a program may have sent it.', half(string('suspect', 16, { readonly: true }))),
    moment('date_created', { readonly: true, special: ['date-created'] }),
  ],
}

/** What the office has done about one. */
function enquiryState() {
  const choices = [
    { value: 'new', text: 'New' },
    { value: 'answered', text: 'Answered' },
    { value: 'closed', text: 'Closed' },
  ]
  return { interface: 'select-dropdown', display: 'labels', options: { choices } }
}

/** Every collection, each after those that it refers to. */
export const collections = [
  languages,
  locations,
  translated('locations', [string('name'), text('intro'), html('description')]),
  properties,
  translated('properties', [string('title'), text('summary'), html('description')]),
  propertiesFiles,
  articles,
  translated('articles', [string('title'), text('summary'), html('body')]),
  pages,
  translated('pages', [
    string('title'),
    text('intro'),
    html('body'),
    text('meta_description'),
    list('faq', ['question', 'answer']),
  ]),
  docs,
  translated('docs', [string('title'), text('summary'), html('body')]),
  team,
  translated('team', [string('role'), text('bio')]),
  navigation,
  translated('navigation', [string('label'), text('description')]),
  siteSettings,
  translated('site_settings', [
    string('title_suffix'),
    text('tagline'),
    text('description'),
    text('footer_note'),
    text('sample_notice'),
  ]),
  redirects,
  enquiries,
]

/** What a file of Directus's own library is told besides: its description is in English. */
export const fileFields = [
  note('What a picture shows, in Spanish, for those who do not see it.', text('description_es')),
]

/** What the site is made from: all but what visitors send in. */
export const content = collections.map(({ name }) => name).filter((name) => name !== 'enquiries')
