// The flows: every change of content is posted to sync, and what the office does about an enquiry to
// the write side.

import { content } from './collections.mjs'

const flows = [
  {
    id: '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0101',
    name: 'Tell Almijara',
    description: 'Posts every change of content to the sync service. Do not switch off.',
    events: [
      'items.create',
      'items.update',
      'items.delete',
      'items.sort',
      'items.promote',
      'files.upload',
    ],
    collections: [...content.filter((name) => name !== 'languages'), 'directus_files'],
    operation: '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0102',
    posting: 'Post to sync',
    key: 'post_to_sync',
    address: 'WEBHOOK_URL',
    secret: 'WEBHOOK_SECRET',
  },
  {
    id: '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0103',
    isOptional: true,
    name: 'Tell whoever asked',
    description: 'Posts the state of enquiries to the write side, which shows it to their senders.',
    events: ['items.update'],
    collections: ['enquiries'],
    operation: '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0104',
    posting: 'Post to the write side',
    key: 'post_to_the_write_side',
    address: 'ENQUIRIES_URL',
    secret: 'ENQUIRIES_SECRET',
  },
]

/** As Directus keeps it. */
function flowOf({ name, description, events, collections }) {
  return {
    name,
    icon: 'bolt',
    description,
    status: 'active',
    trigger: 'event',
    // No row of the activity log a run: sync reads that log, and a run is no change.
    accountability: null,
    options: { type: 'action', scope: events, collections },
  }
}

/** The one thing that a flow does. */
function operationOf({ posting, key, address, secret }) {
  return {
    name: posting,
    key,
    type: 'request',
    position_x: 19,
    position_y: 1,
    options: {
      method: 'POST',
      url: `{{$env.${address}}}`,
      headers: [
        { header: 'Authorization', value: `Bearer {{$env.${secret}}}` },
        { header: 'Content-Type', value: 'application/json' },
      ],
      body: '{{$trigger}}',
    },
  }
}

/**
 * Adds the flows that have somewhere to post to, or sets them right. Only those that differ: Directus loses the events that come
 * while it reloads its flows, which it does at any change of one.
 */
export async function applyFlows(api, environment) {
  let added = 0
  for (const each of flows) {
    if (each.isOptional && !environment[each.address]) continue
    added += await applyFlow(api, each)
  }
  return added
}

async function applyFlow(api, wanted) {
  const { id } = wanted
  const flow = flowOf(wanted)
  const operation = { id: wanted.operation, ...operationOf(wanted) }
  const [found] = await api.get('/flows', { fields: '*,operations.*', filter: { id: { _eq: id } } })
  if (!found) {
    await api.post('/flows', { id, ...flow, operations: [operation] })
    await api.patch(`/flows/${id}`, { operation: operation.id })
    return 1
  }
  const posting = found.operations.find((other) => other.id === operation.id)
  const isRight = agrees(flow, found) && posting && agrees(operation, posting)
  if (isRight && found.operation === operation.id) return 0
  const operations = posting
    ? { create: [], update: [operation], delete: [] }
    : { create: [operation], update: [], delete: [] }
  await api.patch(`/flows/${id}`, { ...flow, operation: null, operations })
  await api.patch(`/flows/${id}`, { operation: operation.id })
  return 1
}

/** Whether every field of `wanted` has the same value in `found`, whatever else that has. */
function agrees(wanted, found) {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((entry, index) => agrees(entry, found[index]))
    )
  }
  if (wanted === null || typeof wanted !== 'object') return wanted === found
  return (
    found !== null &&
    typeof found === 'object' &&
    Object.entries(wanted).every(([name, value]) => agrees(value, found[name]))
  )
}
