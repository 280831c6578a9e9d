// Reads secrets from files: NAME can be set as an environment variable or in the file that
// NAME_FILE names, as for `almijara`. Directus itself supports this only for some variables.

import { readFileSync } from 'node:fs'

const SECRETS = [
  'DB_CONNECTION_STRING',
  'SECRET',
  'ADMIN_PASSWORD',
  'ADMIN_TOKEN',
  'WEBHOOK_SECRET',
  'ENQUIRIES_SECRET',
  'PREVIEW_SECRET',
]

/** Adds the secrets in files to `environment`. Throws a readable error if a file can't be read. */
export function readSecretFiles(environment) {
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`]
    if (file === undefined) continue
    if (environment[name] !== undefined) {
      throw new Error(`${name} and ${name}_FILE are both set; unset one of them`)
    }
    const secret = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
    if (secret === '') throw new Error(`${name}_FILE: ${file} is empty`)
    environment[name] = secret
    // Directus would report it as a second definition.
    delete environment[`${name}_FILE`]
  }
}
