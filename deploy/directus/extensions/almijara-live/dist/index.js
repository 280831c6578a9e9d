// Says in an item's form whether it is on the site: since when, after how long, at which addresses, and
// without which of its pictures; or that it is not, and why. It shows what sync has written about the item
// into `live_status`. It stands in every form, and so it also tells the form what becomes of the item's
// draft elsewhere, and has the preview's pane show what was saved last. This is the source; nothing is built.

import { useApi, useStores } from '@directus/extensions-sdk'
import { h, inject, onBeforeUnmount, onMounted, ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'

import { answers } from './answered.js'
import { useDraft } from './draft.js'
import { nameOfField } from './names.js'
import { usePane } from './pane.js'
import { isKept, readRow, UNREADABLE } from './reading.js'

// Directus tells its Studio nothing by itself: it is asked.
const OFTEN = 500
const SELDOM = 5_000
/** How long it is asked often after the form was opened or saved, or something was told. */
const SOON = 30_000
/** How much of a value is shown, in characters. */
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

/** What stands before a moment in Spanish. */
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
  // What a form gives every field would end up as attributes of the box.
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
      // There from the start, so that a screen reader hears what comes into it.
      return h('div', { role: 'status', style: STYLES.box }, content)
    }
  },
}

/**
 * What is known of the item, as `row`: undefined until the first answer, null where nothing is known. And
 * whether that is of before it was saved, for too long. Its `draft` is asked for together with that.
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
  // What is asked belongs to a turn; what an earlier one still brings is about something else.
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
    // Where Directus is away, or busy, what was known stays, and it is asked again.
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
  // It was saved or published: news is near.
  watch(() => [values.value?.date_updated, props.version?.key, props.comparisonMode], start)
  // A draft that is written in is where another may write as well.
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

/** What the form does not know of its draft. */
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
    // Sync wrote `live` for both before it told them apart.
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

/** What it comes to, with a mark that says the same by colour and shape. */
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

/** A moment in words, without its day where that is today; and whether it is. */
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
  // Of the whole item there is no value.
  const holds = ({ field, value }) => (field ? ` (${words.value(excerptOf(value) ?? words.empty)})` : '')
  const reason = (broken) =>
    h('li', [
      h('strong', nameOf(broken.field)),
      `: ${broken.rule?.[language] ?? broken.rule?.en ?? ''}`,
      h('span', { style: STYLES.subdued }, holds(broken)),
    ])
  return h('ul', { style: STYLES.list }, (row.reasons ?? []).map(reason))
}

/** A value in short; undefined where there is none. It may come as JSON in a text. */
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
