// Who may do what: the service that reads, the two that hand in enquiries and erase old ones, the editors.

import { Api } from './api.mjs'
import { content } from './collections.mjs'

const READ_POLICY = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0001'
const ENQUIRIES_POLICY = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0002'
const EDITOR_POLICY = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0003'
const ERASE_POLICY = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0004'
const EDITOR_ROLE = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0013'
const READ_USER = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0021'
const ENQUIRIES_USER = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0022'
const ERASE_USER = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0023'

const everything = ['create', 'read', 'update', 'delete']

const policies = [
  { id: READ_POLICY, name: 'Almijara: read content', icon: 'visibility' },
  { id: ENQUIRIES_POLICY, name: 'Almijara: hand in enquiries', icon: 'mail' },
  { id: ERASE_POLICY, name: 'Almijara: erase old enquiries', icon: 'auto_delete' },
  { id: EDITOR_POLICY, name: 'Editors', icon: 'edit', app_access: true },
]

/** A grant of `actions` on `collection`: whole rows, as finer rules take a licence. */
const grant = (policy, collection, actions) =>
  actions.map((action) => ({
    policy,
    collection,
    action,
    permissions: {},
    validation: {},
    fields: ['*'],
  }))

const grants = [
  ...content.flatMap((collection) => grant(READ_POLICY, collection, ['read'])),
  ...grant(READ_POLICY, 'directus_files', ['read']),
  ...grant(READ_POLICY, 'directus_activity', ['read']),
  ...grant(ENQUIRIES_POLICY, 'enquiries', ['create']),
  ...grant(ERASE_POLICY, 'enquiries', ['read', 'delete']),
  ...content.flatMap((collection) => grant(EDITOR_POLICY, collection, everything)),
  ...grant(EDITOR_POLICY, 'enquiries', ['read', 'update', 'delete']),
  ...grant(EDITOR_POLICY, 'directus_files', everything),
  ...grant(EDITOR_POLICY, 'directus_folders', everything),
  ...grant(EDITOR_POLICY, 'directus_activity', ['read']),
  ...grant(EDITOR_POLICY, 'directus_revisions', ['read']),
]

/** Adds what is missing of policies, permissions, the editors' role and the users. */
export async function applyAccess(api, { contentToken, enquiriesToken, eraseToken, editor }) {
  let added = await addMissing(api, '/policies', policies)
  added += await addMissingGrants(api)
  if (await addMissing(api, '/roles', [{ id: EDITOR_ROLE, name: 'Editor', icon: 'edit' }])) {
    await api.post('/access', { role: EDITOR_ROLE, policy: EDITOR_POLICY, sort: 1 })
    added += 1
  }
  added += await addService(api, READ_USER, 'sync', READ_POLICY, contentToken)
  added += await addService(api, ENQUIRIES_USER, 'enquiries', ENQUIRIES_POLICY, enquiriesToken)
  added += await addService(api, ERASE_USER, 'retention', ERASE_POLICY, eraseToken)
  if (editor.email) added += await addEditor(api, editor)
  return added
}

async function addMissing(api, path, wanted) {
  const ids = wanted.map(({ id }) => id)
  const found = await api.get(path, { fields: 'id', filter: { id: { _in: ids } } })
  const missing = wanted.filter(({ id }) => !found.some((other) => other.id === id))
  for (const entry of missing) await api.post(path, entry)
  return missing.length
}

async function addMissingGrants(api) {
  const found = await api.get('/permissions', {
    fields: 'policy,collection,action',
    filter: { policy: { _in: policies.map(({ id }) => id) } },
    limit: '-1',
  })
  const name = ({ policy, collection, action }) => `${policy} ${collection} ${action}`
  const known = new Set(found.map(name))
  const missing = grants.filter((entry) => !known.has(name(entry)))
  if (missing.length > 0) await api.post('/permissions', missing)
  return missing.length
}

/** A user without a password and without the Studio, who takes no seat of the licence. */
async function addService(api, id, name, policy, token) {
  if (!token) return 0
  const user = { first_name: 'Almijara', last_name: name, token, status: 'active' }
  const added = await addMissing(api, '/users', [{ id, ...user, policies: [{ policy }] }])
  if (added > 0) return added
  // Directus never shows a token; whether it is still this one is seen by using it.
  const itself = await new Api(api.base, token).get('/users/me', { fields: 'id' }).catch(() => null)
  if (itself?.id === id) return 0
  await api.patch(`/users/${id}`, { token })
  return 1
}

async function addEditor(api, { email, password }) {
  const found = await api.get('/users', { fields: 'id', filter: { email: { _eq: email } } })
  if (found.length > 0) return 0
  await api.post('/users', {
    email,
    password,
    first_name: 'Editor',
    role: EDITOR_ROLE,
    status: 'active',
  })
  return 1
}
