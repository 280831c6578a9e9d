// Secrets from files: what may stand in the environment as NAME may stand in the file that NAME_FILE
// names, as `almijara` has it. Directus itself reads only some of its own so.

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

/** Puts the secrets of files into `environment`; throws, in words, where one can't be read. */
export function readSecretFiles(environment) {
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`]
    if (file === undefined) continue
    if (environment[name] !== undefined) {
      throw new Error(`${name} and ${name}_FILE are both set; leave one of them out`)
    }
    const secret = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
    if (secret === '') throw new Error(`${name}_FILE: ${file} is empty`)
    environment[name] = secret
    // Directus would take it for a second definition.
    delete environment[`${name}_FILE`]
  }
}
