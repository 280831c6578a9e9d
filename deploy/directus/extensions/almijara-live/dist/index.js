// Shows in an item's form whether the item is on the site: since when, after how long, at which addresses, and
// which of its pictures are missing; or that it is not, and why. It reads what sync has written about the item
// into `live_status`. Since it is part of every form, it also tells the form about changes of the item's draft
// elsewhere, and keeps the preview's pane up to date. This is the source; there is no build.

import { useApi, useStores } from '@directus/extensions-sdk'
import { h, inject, onBeforeUnmount, onMounted, ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'

import { answers } from './answered.js'
import { useDraft } from './draft.js'
import { nameOfField } from './names.js'
import { usePane } from './pane.js'
import { isKept, readRow, UNREADABLE } from './reading.js'

// Directus does not notify the Studio of changes, so it is polled, at two intervals in milliseconds.
const OFTEN = 500
const SELDOM = 5_000
/** How long it is polled often after the form was opened or saved, or something changed, in milliseconds. */
const SOON = 30_000
/** The maximum length of a shown value, in characters. */
const LONGEST_VALUE = 120
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }

const WORDS = {
  en: {
    locale: 'en-GB',
    unknown: 'The site has told nothing of it yet.',
    unreadable: 'Your role may not read whether it is on the site.',
    off: 'Not on the site',
    live: (since) => `Live since ${since}`,
    seen: (milliseconds) => `seen ${milliseconds} ms after it was published`,
    overdue: (since) =>
      `It was published again, and the site has told nothing of that yet: it shows what is live since ${since}`,
    leftOut: 'Shown without these pictures:',
    displayedBefore: 'Not live: the site still shows the last good version',
    notDisplayed: 'Not live: it is not on the site',
    value: (value) => `now: ${value}`,
    empty: 'nothing',
    item: 'The item',
    newTab: 'opens in a new tab',
    begun:
      'Somebody else, or you in another window, began a draft of this item: what you write here is not saved. ' +
      'Copy it, then load the page anew.',
    saved: (at) =>
      `${at}: somebody else, or you in another window, saved this draft. Load the page anew before you go on, ` +
      'or what was changed there is lost.',
  },
  es: {
    locale: 'es-ES',
    unknown: 'La web aún no ha dicho nada.',
    unreadable: 'Su rol no puede leer si está en la web.',
    off: 'No está en la web',
    live: (since, isToday) => `En la web desde ${article(since, isToday)} ${since}`,
    seen: (milliseconds) => `visto ${milliseconds} ms después de publicarse`,
    overdue: (since, isToday) =>
      'Se ha publicado de nuevo y la web aún no ha dicho nada de ello: muestra lo que está en la web desde ' +
      `${article(since, isToday)} ${since}`,
    leftOut: 'Se muestra sin estas imágenes:',
    displayedBefore: 'Retenido: la web sigue mostrando la última versión válida',
    notDisplayed: 'Retenido: no está en la web',
    value: (value) => `ahora: ${value}`,
    empty: 'nada',
    item: 'El elemento',
    newTab: 'se abre en una pestaña nueva',
    begun:
      'Otra persona, o usted en otra ventana, ha empezado un borrador de este elemento: lo que escriba aquí no ' +
      'se guarda. Cópielo y vuelva a cargar la página.',
    saved: (at) =>
      `${at}: otra persona, o usted en otra ventana, ha guardado este borrador. Vuelva a cargar la página antes ` +
      'de seguir, o se perderá lo que allí se ha cambiado.',
  },
}

/** The words before a time in Spanish. */
function article(moment, isToday) {
  if (!isToday) return 'el'
  return moment.startsWith('01:') ? 'la' : 'las'
}

const COLORS = {
  live: 'var(--theme--success)',
  live_in_part: 'var(--theme--warning)',
  not_live: 'var(--theme--warning)',
  off: 'var(--theme--foreground-subdued)',
}
const STYLES = {
  box: { color: 'var(--theme--foreground)', lineHeight: '1.5', overflowWrap: 'anywhere' },
  title: { fontWeight: '600' },
  list: { margin: '4px 0 0', paddingInlineStart: '20px' },
  link: { color: 'var(--theme--primary)', textDecoration: 'underline' },
  subdued: { color: 'var(--theme--foreground-subdued)' },
}

const component = {
  // Otherwise the props that a form passes to every field would become attributes of the box.
  inheritAttrs: false,
  props: {
    collection: { type: String, default: null },
    primaryKey: { type: [String, Number], default: null },
    version: { type: Object, default: null },
    comparisonMode: { type: Boolean, default: false },
  },
  setup(props) {
    const { locale } = useI18n()
    const fields = useStores().useFieldsStore()
    const draft = useDraft(props)
    const { row, isOverdue } = useRow(props, draft)
    usePane(props)
    return () => {
      if (!isKept(props)) return null
      const language = locale.value?.startsWith('es') ? 'es' : 'en'
      const nameOf = (path) => nameOfField(fields, props.collection, path) || WORDS[language].item
      const content = [
        ...draftContent(draft.unknown.value, language),
        ...statusContent(row.value, isOverdue.value, language, nameOf),
      ]
      // Rendered from the start, so that a screen reader announces changes in it.
      return h('div', { role: 'status', style: STYLES.box }, content)
    }
  },
}

/**
  * Returns the item's status as `row`: undefined until the first answer, null if there is none; and whether the
  * status has been older than the last save for too long. Its `draft` is requested at the same time.
 */
function useRow(props, draft) {
  const api = useApi()
  const permissions = useStores().usePermissionsStore()
  const values = inject('values', ref({}))
  const row = ref()
  const isOverdue = ref(false)
  const answered = answers(api, permissions)
  let timer
  let oftenUntil = 0
  // Each request belongs to a turn; the answer to an earlier turn's request is about another item.
  let turn = 0

  function stop() {
    turn += 1
    clearTimeout(timer)
  }

  function start() {
    stop()
    if (!isKept(props) || document.hidden) return
    oftenUntil = Date.now() + SOON
    void ask(turn)
  }

  async function ask(mine) {
    // If Directus is down or busy, the known status stays, and the request is repeated.
    const [found, kept] = await Promise.all([
      readRow(api, permissions, props).catch(() => row.value),
      draft.read().catch(() => undefined),
    ])
    if (mine !== turn) return
    const isNews = JSON.stringify(found) !== JSON.stringify(row.value)
    if (isNews) {
      row.value = found
      isOverdue.value = false
    }
    if (draft.note(kept) || isNews) oftenUntil = Date.now() + SOON
    const isLate = await answered.isOverdue(found, props)
    if (mine !== turn) return
    isOverdue.value = isLate
    timer = setTimeout(() => ask(mine), Date.now() < oftenUntil ? OFTEN : SELDOM)
  }

  watch(
    () => [props.collection, props.primaryKey],
    () => {
      row.value = undefined
      isOverdue.value = false
      answered.forget()
      start()
    },
  )
  // It was saved or published: a new status will arrive soon.
  watch(() => [values.value?.date_updated, props.version?.key, props.comparisonMode], start)
  // While a draft is edited, another editor may edit it as well.
  watch(
    () => props.version?.date_updated,
    () => {
      oftenUntil = Date.now() + SOON
    },
  )
  onMounted(() => {
    document.addEventListener('visibilitychange', start)
    start()
  })
  onBeforeUnmount(() => {
    document.removeEventListener('visibilitychange', start)
    stop()
  })
  return { row, isOverdue }
}

/** The message about a change of the draft that the form does not know. */
function draftContent(unknown, language) {
  if (!unknown) return []
  const words = WORDS[language]
  const text = unknown.what === 'begun' ? words.begun : words.saved(moment(unknown.at, words.locale)[0])
  return [title({ state: 'not_live' }, text)]
}

function statusContent(row, isOverdue, language, nameOf) {
  const words = WORDS[language]
  if (row === undefined) return []
  const subdued = row === null ? words.unknown : row.state === UNREADABLE && words.unreadable
  if (subdued) return [h('span', { style: STYLES.subdued }, subdued)]
  if (row.state === 'live' || row.state === 'live_in_part') {
    // Older builds of sync wrote `live` for both states.
    const hasAllPictures = (row.reasons ?? []).length === 0
    const leftOut = hasAllPictures ? [] : [words.leftOut, reasons(row, language, nameOf)]
    const overdue = isOverdue && row.live_since && words.overdue(...moment(row.live_since, words.locale))
    const head = overdue ? title({ state: 'not_live' }, overdue) : title(row, liveText(row, words))
    return [head, ...leftOut, addresses(row, words)]
  }
  if (row.state === 'not_live') {
    const text = row.live_since ? words.displayedBefore : words.notDisplayed
    return [title(row, text), reasons(row, language, nameOf), addresses(row, words)]
  }
  return [title(row, words.off)]
}

/** The state as a title, with a mark that shows it by colour and shape. */
function title({ state }, text) {
  const style = { color: COLORS[state] ?? COLORS.off, marginInlineEnd: '8px' }
  const isOk = state !== 'not_live' && state !== 'live_in_part'
  const mark = h('span', { 'aria-hidden': 'true', style }, isOk ? '●' : '⚠')
  return h('div', { style: STYLES.title }, [mark, text])
}

function liveText({ live_since: since, milliseconds }, words) {
  const parts = []
  if (since) parts.push(words.live(...moment(since, words.locale)))
  if (typeof milliseconds === 'number') {
    parts.push(words.seen(new Intl.NumberFormat(words.locale).format(milliseconds)))
  }
  return parts.join(', ')
}

/** Returns a time in words, without the date if it is today, and whether it is today. */
function moment(text, locale) {
  const at = new Date(text)
  const isToday = at.toDateString() === new Date().toDateString()
  const day = isToday ? {} : { day: 'numeric', month: 'short', year: 'numeric' }
  const format = new Intl.DateTimeFormat(locale, { ...day, ...CLOCK })
  return [format.format(at), isToday]
}

function addresses(row, words) {
  const web = (row.addresses ?? []).filter((address) => /^https?:\/\//.test(address))
  if (web.length === 0) return null
  const link = (address) => {
    const where = { href: address, target: '_blank', rel: 'noopener', title: words.newTab }
    return h('li', { key: address }, h('a', { ...where, style: STYLES.link }, readable(address)))
  }
  return h('ul', { style: STYLES.list }, web.map(link))
}

function readable(address) {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

function reasons(row, language, nameOf) {
  const words = WORDS[language]
  // A reason about the whole item has no value.
  const holds = ({ field, value }) => (field ? ` (${words.value(excerptOf(value) ?? words.empty)})` : '')
  const reason = (broken) =>
    h('li', [
      h('strong', nameOf(broken.field)),
      `: ${broken.rule?.[language] ?? broken.rule?.en ?? ''}`,
      h('span', { style: STYLES.subdued }, holds(broken)),
    ])
  return h('ul', { style: STYLES.list }, (row.reasons ?? []).map(reason))
}

/** Returns a shortened value, which may be JSON in a string; undefined if it is empty. */
function excerptOf(value) {
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value)
  if (text === undefined || ['', '""', '[]', 'null'].includes(text)) return undefined
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

export default {
  id: 'almijara-live',
  name: 'Almijara: on the site',
  icon: 'cloud_done',
  description: 'Whether the item is on the site, and why not',
  component,
  hideLoader: true,
  types: ['alias'],
  localTypes: ['presentation'],
  group: 'presentation',
  options: null,
}
