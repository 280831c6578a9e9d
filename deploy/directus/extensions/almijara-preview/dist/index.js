// `GET /almijara/ticket?back=ADDRESS`: redirects a signed-in editor back to the site with a ticket, with which the
// site shows drafts. The site redirects browsers here that request a preview without a ticket.
//
// A ticket is `<payload>.<signature>`, each in base64url: JSON with its purpose, user and expiry, and an
// HMAC-SHA-256 (services/shared/preview-ticket reads it). It is part of an address, so it is valid for a minute,
// and can only be exchanged at the site's own door.
//
// It reads PREVIEW_SECRET (or PREVIEW_SECRET_FILE, read by start.mjs) and SITE_ORIGIN, the only origin that it
// redirects to.

import { createHmac } from 'node:crypto'
import process from 'node:process'

const DOMAIN = 'almijara-preview.'
const LIFE_SECONDS = 60
const SHORTEST_SECRET = 32
/** The collection that an editor must be allowed to read to see drafts. */
const OF_DRAFTS = 'directus_versions'

const WORDS = {
  en: {
    title: 'Preview',
    unset: 'Previews are not set up here: PREVIEW_SECRET and SITE_ORIGIN are missing.',
    back: 'This address does not lead back to the site.',
    signIn: 'Sign in to the Studio first, then open the preview again.',
    forbidden: 'Your account may not read drafts.',
    studio: 'To the Studio',
  },
  es: {
    title: 'Vista previa',
    unset: 'Aquí no hay vista previa: faltan PREVIEW_SECRET y SITE_ORIGIN.',
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

export default {
  id: 'almijara',
  handler: (router, { services, getSchema, logger }) => {
    router.get('/ticket', async (request, response, next) => {
      try {
        // Directus's own parsing of the environment would turn some secrets into numbers.
        const secret = process.env.PREVIEW_SECRET
        const site = process.env.SITE_ORIGIN
        if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET || !URL.canParse(site)) {
          return say(request, response, 503, 'unset')
        }
        const { accountability } = request
        const user = accountability?.user
        if (!user) return say(request, response, 401, 'signIn')
        if (!(await mayReadDrafts(accountability))) return say(request, response, 403, 'forbidden')
        const exp = Math.floor(Date.now() / 1000) + LIFE_SECONDS
        const back = wayBack(request.query.back, new URL(site).origin, ticket(user, secret, exp))
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
