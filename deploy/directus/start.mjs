// Starts Directus: brings its database up to date where that is needed, then serves. One process
// and one start, without the registry look-up of Directus's own command line.
//
// Everything that Almijara relies on is set here unless the environment says otherwise; what has
// to come from outside is in env.example; each secret may stand in a file (WEBHOOK_SECRET_FILE, …).

import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readSecretFiles } from './secrets.mjs'

const here = dirname(fileURLToPath(import.meta.url))

try {
  readSecretFiles(process.env)
} catch (error) {
  console.error(`start: ${error.message}`)
  process.exit(1)
}

const required = [
  'DB_CONNECTION_STRING',
  'SECRET',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'WEBHOOK_URL',
  'WEBHOOK_SECRET',
]
const missing = required.filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`start: missing in the environment: ${missing.join(', ')} (see env.example)`)
  process.exit(1)
}

const defaults = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '8055',
  DB_CLIENT: 'pg',
  STORAGE_LOCATIONS: 'local',
  LOG_STYLE: 'raw',
  // Below this, a line for every request.
  LOG_LEVEL: 'warn',
  TELEMETRY: 'false',
  // It answers 503 to whoever asks while the machine has been busy for half a second. Editors are
  // few and sync reads little: here the wait is better than the refusal.
  PRESSURE_LIMITER_ENABLED: 'false',
  // Sync asks for what has just changed: an answer from a cache would be the old one.
  CACHE_ENABLED: 'false',
  // Each request would copy all that is known of collections and fields, lest an extension change it: a third
  // of what reading a home costs. None of ours does; one that did would mostly fail in words.
  CACHE_SCHEMA_FREEZE_ENABLED: 'true',
  // The flows read where to post to, and their secrets, from here; nothing else is shown to them.
  FLOWS_ENV_ALLOW_LIST: 'WEBHOOK_URL,WEBHOOK_SECRET,ENQUIRIES_URL,ENQUIRIES_SECRET',
  // Directus also denies `0.0.0.0`, by which it means every address of its own machine, and so the
  // webhook to a sync beside it. The address of cloud metadata stays denied.
  IMPORT_IP_DENY_LIST: '169.254.169.254',
  // Directus would read .env of its folder by itself, and believe it before the environment.
  CONFIG_PATH: '/dev/null',
}
for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value
// The site, where drafts are previewed, and who is signed in is told by a ticket (almijara-preview).
if (process.env.SITE_ORIGIN) {
  process.env.CONTENT_SECURITY_POLICY_DIRECTIVES__FRAME_SRC ??= `'self',${process.env.SITE_ORIGIN}`
}
process.env.PUBLIC_URL ??= `http://${process.env.HOST}:${process.env.PORT}`

const database = await import('@directus/api/database/index')
let isCurrent
try {
  isCurrent = (await database.isInstalled()) && (await database.validateMigrations())
} catch (error) {
  console.error(`start: the database can't be asked: ${error.message || error.code}`)
  process.exit(1)
}
if (!isCurrent) {
  // A process of its own: bootstrapping ends the one that it runs in.
  const cli = join(here, 'node_modules', '@directus', 'api', 'dist', 'cli', 'run.js')
  const bootstrap = spawnSync(process.execPath, [cli, 'bootstrap'], { stdio: 'inherit' })
  if (bootstrap.status !== 0) {
    console.error('start: the database could not be brought up to date')
    process.exit(bootstrap.status ?? 1)
  }
}

const { startServer } = await import('@directus/api/server')
await startServer()
