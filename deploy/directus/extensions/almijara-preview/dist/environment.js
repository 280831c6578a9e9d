// What Almijara needs of Directus's environment. It is reported by name, and no secret leaves it.

import { networkInterfaces } from 'node:os'
import process from 'node:process'

/** The least length of a secret, in characters. */
export const SHORTEST_SECRET = 32
/** The variables that the flows read. */
const OF_FLOWS = ['WEBHOOK_URL', 'WEBHOOK_SECRET', 'ENQUIRIES_URL', 'ENQUIRIES_SECRET']
/** The entry of `IMPORT_IP_DENY_LIST` that stands for all addresses of Directus's own machine. */
const OWN_MACHINE = '0.0.0.0'

/**
  * Returns the secret that tickets are signed with, if it is set as a text. Directus's own parsing of the
  * environment, `env`, turns some texts into numbers, but is all there is of a `.env` that Directus reads itself.
 */
export function secretOf(env) {
  const secret = process.env.PREVIEW_SECRET ?? env.PREVIEW_SECRET
  return typeof secret === 'string' && secret !== '' ? secret : undefined
}

/** Returns the origin of the site, if it is set. */
export function siteOf(env) {
  const site = process.env.SITE_ORIGIN ?? env.SITE_ORIGIN
  return URL.canParse(site) ? new URL(site).origin : undefined
}

/**
  * Returns the state of each variable: `set`, `missing`, or why it is of no use. `policy` is the content security
  * policy of the Studio.
 */
export function environmentOf(env, policy) {
  const site = siteOf(env)
  const flows = OF_FLOWS.map((name) => [name, stateForFlows(env, name)])
  return {
    variables: { ...Object.fromEntries(flows), PREVIEW_SECRET: stateOfSecret(secretOf(env)) },
    site: site ?? null,
    shows_site: site !== undefined && mayFrame(policy, site),
  }
}

/** Returns whether the flows can use a variable. */
function stateForFlows(env, name) {
  if (env[name] === undefined || env[name] === '') return 'missing'
  if (!listed(env.FLOWS_ENV_ALLOW_LIST).includes(name)) return 'hidden'
  return name.endsWith('_URL') && isDenied(env, env[name]) ? 'denied' : 'set'
}

/** Returns whether tickets can be signed with `secret`. */
export function stateOfSecret(secret) {
  if (secret === undefined) return 'missing'
  return secret.length < SHORTEST_SECRET ? 'short' : 'set'
}

/** Returns the entries of a variable that is a list with commas. */
function listed(value) {
  const entries = Array.isArray(value) ? value : String(value || '').split(',')
  return entries.map((entry) => String(entry).trim())
}

/** Returns whether flows may not call `address` because it is on Directus's own machine. */
function isDenied(env, address) {
  if (!listed(env.IMPORT_IP_DENY_LIST).includes(OWN_MACHINE) || !URL.canParse(address)) return false
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  const own = Object.values(networkInterfaces()).flat().map((network) => network.address)
  return host === 'localhost' || host.startsWith('127.') || own.includes(host)
}

/** Returns whether `policy` lets the Studio show pages of `site`, and its own redirect to them, in a frame. */
function mayFrame(policy, site) {
  const directives = String(policy ?? '')
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
  const sources = ['frame-src', 'child-src', 'default-src']
    .map((name) => directives.find(([directive]) => directive === name))
    .find((directive) => directive !== undefined)
  if (sources === undefined) return true
  const named = sources.map((source) => (URL.canParse(source) ? new URL(source).origin : source))
  const { protocol } = new URL(site)
  if (named.includes('*') || named.includes(protocol)) return true
  return ["'self'", site].every((source) => named.includes(source))
}
