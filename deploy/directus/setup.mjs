// Sets a Directus up for Almijara: schema, permissions, service users, the sample content and the
// flows that tell sync and the write side. Adds only what is missing, so it can run at every start.
//
// Environment: DIRECTUS_URL, DIRECTUS_ADMIN_TOKEN, CONTENT_TOKEN, and where they are wanted
// ENQUIRIES_TOKEN and ENQUIRIES_ERASE_TOKEN, ENQUIRIES_URL (as start.mjs has it), EDITOR_EMAIL with
// EDITOR_PASSWORD, CONTENT_DIR (the sample content). Each secret may stand in a file (CONTENT_TOKEN_FILE, …).

import { readSecretFiles } from './secrets.mjs'
import { applyAccess } from './setup/access.mjs'
import { Api } from './setup/api.mjs'
import { applyFlows } from './setup/flows.mjs'
import { applyRules } from './setup/rules.mjs'
import { applySchema } from './setup/schema.mjs'
import { seed } from './setup/seed.mjs'

const START_LIMIT_MS = 180_000

try {
  readSecretFiles(process.env)
} catch (error) {
  console.error(`setup: ${error.message}`)
  process.exit(1)
}

const environment = process.env
const missing = ['DIRECTUS_URL', 'DIRECTUS_ADMIN_TOKEN', 'CONTENT_TOKEN'].filter(
  (name) => !environment[name],
)
if (missing.length > 0) {
  console.error(`setup: missing in the environment: ${missing.join(', ')}`)
  process.exit(1)
}

async function step(name, work) {
  const started = Date.now()
  const added = await work()
  const what = added > 0 ? `${added} added` : 'nothing to do'
  console.log(`setup: ${name}: ${what} (${Date.now() - started} ms)`)
}

try {
  const api = new Api(environment.DIRECTUS_URL, environment.DIRECTUS_ADMIN_TOKEN)
  await api.waitUntilReady(START_LIMIT_MS)
  await step('schema', () => applySchema(api))
  await step('rules', () => applyRules(api))
  await step('access', () =>
    applyAccess(api, {
      contentToken: environment.CONTENT_TOKEN,
      enquiriesToken: environment.ENQUIRIES_TOKEN,
      eraseToken: environment.ENQUIRIES_ERASE_TOKEN,
      editor: { email: environment.EDITOR_EMAIL, password: environment.EDITOR_PASSWORD },
    }),
  )
  if (environment.CONTENT_DIR) await step('content', () => seed(api, environment.CONTENT_DIR))
  // Last, so that the sample content does not go out as a thousand events.
  await step('flows', () => applyFlows(api, environment))
} catch (error) {
  console.error(`setup: ${error.message}`)
  process.exit(1)
}
