// Starts Directus: migrates its database if necessary, then serves. It starts one process, once,
// without the registry look-up of Directus's own command line.
//
// Everything that Almijara relies on is set here unless the environment overrides it. env.example lists
// what has to be set from outside. Each secret can be in a file (WEBHOOK_SECRET_FILE, …).

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
  // Lower levels log every request.
  LOG_LEVEL: 'warn',
  TELEMETRY: 'false',
  // The pressure limiter answers 503 while the machine has been busy for half a second. There are few
  // editors and sync reads little, so waiting is better than refusing.
  PRESSURE_LIMITER_ENABLED: 'false',
  // sync reads what has just changed, so a cached answer would be outdated.
  CACHE_ENABLED: 'false',
  // Otherwise each request would copy the complete schema of collections and fields, in case an
  // extension changes it, which takes a third of the time for reading a home. None of our extensions
  // does; one that tried would mostly fail with an error.
  CACHE_SCHEMA_FREEZE_ENABLED: 'true',
  // The site shows no larger picture (MAX_PICTURE_BYTES of contracts), so whoever uploads one is told
  // at once.
  FILES_MAX_UPLOAD_SIZE: '32mb',
  // The flows read their target addresses and secrets from the environment; only these variables are
  // visible to them.
  FLOWS_ENV_ALLOW_LIST: 'WEBHOOK_URL,WEBHOOK_SECRET,ENQUIRIES_URL,ENQUIRIES_SECRET',
  // By default Directus also denies `0.0.0.0`, by which it means every address of its own machine, and
  // therefore the webhook to a sync on the same machine. The address of cloud metadata stays denied.
  IMPORT_IP_DENY_LIST: '169.254.169.254',
  // By default Directus reads the .env in its folder, and prefers it to the environment.
  CONFIG_PATH: '/dev/null',
}
for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value
// The site, for previews of drafts. A ticket tells it who is signed in (almijara-preview).
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
  // A separate process, because bootstrapping ends the process that it runs in.
  const cli = join(here, 'node_modules', '@directus', 'api', 'dist', 'cli', 'run.js')
  const bootstrap = spawnSync(process.execPath, [cli, 'bootstrap'], { stdio: 'inherit' })
  if (bootstrap.status !== 0) {
    console.error('start: the database could not be brought up to date')
    process.exit(bootstrap.status ?? 1)
  }
}

const { startServer } = await import('@directus/api/server')
await startServer()
