// The one flow: every change of content is posted to sync.

import { content } from './collections.mjs'

const FLOW = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0101'
const OPERATION = '5b0f1c1e-7c39-4a6e-9a53-1d5f0a5c0102'

const flow = {
  name: 'Tell Almijara',
  icon: 'bolt',
  description: 'Posts every change of content to the sync service. Do not switch off.',
  status: 'active',
  trigger: 'event',
  // No row of the activity log a run: sync reads that log, and a run is no change.
  accountability: null,
  options: {
    type: 'action',
    scope: [
      'items.create',
      'items.update',
      'items.delete',
      'items.sort',
      'items.promote',
      'files.upload',
    ],
    collections: [...content.filter((name) => name !== 'languages'), 'directus_files'],
  },
}

const operation = {
  name: 'Post to sync',
  key: 'post_to_sync',
  type: 'request',
  position_x: 19,
  position_y: 1,
  options: {
    method: 'POST',
    url: '{{$env.WEBHOOK_URL}}',
    headers: [
      { header: 'Authorization', value: 'Bearer {{$env.WEBHOOK_SECRET}}' },
      { header: 'Content-Type', value: 'application/json' },
    ],
    body: '{{$trigger}}',
  },
}

/**
 * Adds the flow, or sets it right. Only when it differs: Directus loses the events that come while
 * it reloads its flows, which it does at any change of one.
 */
export async function applyFlow(api) {
  const [found] = await api.get('/flows', {
    fields: '*,operations.*',
    filter: { id: { _eq: FLOW } },
  })
  if (!found) {
    await api.post('/flows', { id: FLOW, ...flow, operations: [{ id: OPERATION, ...operation }] })
    await api.patch(`/flows/${FLOW}`, { operation: OPERATION })
    return 1
  }
  const posting = found.operations.find(({ id }) => id === OPERATION)
  const isRight = agrees(flow, found) && posting && agrees(operation, posting)
  if (isRight && found.operation === OPERATION) return 0
  const operations = posting
    ? { create: [], update: [{ id: OPERATION, ...operation }], delete: [] }
    : { create: [{ id: OPERATION, ...operation }], update: [], delete: [] }
  await api.patch(`/flows/${FLOW}`, { ...flow, operation: null, operations })
  await api.patch(`/flows/${FLOW}`, { operation: OPERATION })
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
