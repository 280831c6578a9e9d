// `GET /almijara/ticket?back=ADDRESS`: redirects a signed-in editor back to the site with a ticket, with which the
// site shows drafts. The site redirects browsers here that request a preview without a ticket.
//
// A ticket is `<payload>.<signature>`, each in base64url: JSON with its purpose, user and expiry, and an
// HMAC-SHA-256 (services/shared/preview-ticket reads it). It is part of an address, so it is valid for a minute,
// and can only be exchanged at the site's own door.
//
// It reads PREVIEW_SECRET (or PREVIEW_SECRET_FILE, read by start.mjs) and SITE_ORIGIN, the only origin that it
// redirects to.
//
// `GET /almijara/doctor` tells administrators, and so `almijara directus doctor`, what Directus's environment lacks.

import { createHmac } from 'node:crypto'

import { environmentOf, SHORTEST_SECRET, secretOf, siteOf, stateOfSecret } from './environment.js'

const DOMAIN = 'almijara-preview.'
const LIFE_SECONDS = 60
/** The collection that an editor must be allowed to read to see drafts. */
const OF_DRAFTS = 'directus_versions'

const WORDS = {
  en: {
    title: 'Preview',
    noSecret: 'Previews are not set up here: PREVIEW_SECRET is missing.',
    shortSecret: `Previews are not set up here: PREVIEW_SECRET has fewer than ${SHORTEST_SECRET} characters.`,
    noSite: 'Previews are not set up here: SITE_ORIGIN is missing.',
    back: 'This address does not lead back to the site.',
    signIn: 'Sign in to the Studio first, then open the preview again.',
    forbidden: 'Your account may not read drafts.',
    studio: 'To the Studio',
  },
  es: {
    title: 'Vista previa',
    noSecret: 'Aquí no hay vista previa: falta PREVIEW_SECRET.',
    shortSecret: `Aquí no hay vista previa: PREVIEW_SECRET tiene menos de ${SHORTEST_SECRET} caracteres.`,
    noSite: 'Aquí no hay vista previa: falta SITE_ORIGIN.',
    back: 'Esta dirección no lleva de vuelta a la web.',
    signIn: 'Inicie sesión en el Studio y vuelva a abrir la vista previa.',
    forbidden: 'Su cuenta no puede leer borradores.',
    studio: 'Al Studio',
  },
}

/** Returns a ticket for `user`, signed with `secret`, that expires at `exp`, in seconds. */
export function ticket(user, secret, exp) {
  const payload = Buffer.from(JSON.stringify({ for: 'handover', user, exp })).toString('base64url')
  const signature = createHmac('sha256', secret).update(DOMAIN + payload).digest('base64url')
  return `${payload}.${signature}`
}

/** Returns the address `back` with the ticket `signed`; undefined if it is not at `origin`. */
export function wayBack(back, origin, signed) {
  if (typeof back !== 'string' || !URL.canParse(back)) return undefined
  const url = new URL(back)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined
  url.searchParams.set('preview-ticket', signed)
  return url.href
}

function say(request, response, status, what) {
  const spanish = /^es\b/.test(request.headers['accept-language'] ?? '')
  const words = WORDS[spanish ? 'es' : 'en']
  response
    .status(status)
    .set('cache-control', 'no-store')
    .type('html')
    .send(
      `<!doctype html><html lang="${spanish ? 'es' : 'en'}"><meta charset="utf-8">` +
        `<title>${words.title}</title><p>${words[what]}</p>` +
        `<p><a href="../admin/" target="_top">${words.studio}</a></p></html>`,
    )
}

/** Returns why there are no previews, as the name of its words. */
function whyUnset(secret, site) {
  const state = stateOfSecret(secret)
  if (state !== 'set') return state === 'short' ? 'shortSecret' : 'noSecret'
  return site === undefined ? 'noSite' : undefined
}

export default {
  id: 'almijara',
  handler: (router, { services, getSchema, logger, env }) => {
    router.get('/doctor', (request, response) => {
      response.set('cache-control', 'no-store')
      if (request.accountability?.admin !== true) {
        const message = 'Only administrators may see what the environment lacks.'
        return response.status(403).json({ errors: [{ message, extensions: { code: 'FORBIDDEN' } }] })
      }
      // Directus has set the policy of all its answers.
      response.json({ data: environmentOf(env, response.get('content-security-policy')) })
    })

    router.get('/ticket', async (request, response, next) => {
      try {
        const [secret, site] = [secretOf(env), siteOf(env)]
        const unset = whyUnset(secret, site)
        if (unset !== undefined) return say(request, response, 503, unset)
        const { accountability } = request
        const user = accountability?.user
        if (!user) return say(request, response, 401, 'signIn')
        if (!(await mayReadDrafts(accountability))) return say(request, response, 403, 'forbidden')
        const exp = Math.floor(Date.now() / 1000) + LIFE_SECONDS
        const back = wayBack(request.query.back, site, ticket(user, secret, exp))
        if (back === undefined) return say(request, response, 400, 'back')
        response.set('cache-control', 'no-store')
        response.set('referrer-policy', 'no-referrer')
        response.redirect(302, back)
      } catch (error) {
        next(error)
      }
    })

    async function mayReadDrafts(accountability) {
      const versions = new services.ItemsService(OF_DRAFTS, {
        accountability,
        schema: await getSchema(),
      })
      try {
        await versions.readByQuery({ fields: ['id'], limit: 1 })
        return true
      } catch (error) {
        if (error?.status === 403 || error?.code === 'FORBIDDEN') return false
        logger.warn(error, 'almijara-preview: who may read drafts is not known')
        throw error
      }
    }
  },
}
