// Sets the position of a home or a place: by a press on a map, by dragging its pin, by keys, or by typed or
// pasted coordinates. The map is drawn from the data in this folder and from the editors' own places, without
// requests to other servers. The two fields stay beside it unchanged. This is the source; there is no build.

import { useApi } from '@directus/extensions-sdk'
import { computed, h, inject, onMounted, ref, resolveComponent, useId } from 'vue'
import { useI18n } from 'vue-i18n'

import { parse, spotOf } from './coordinates.js'
import { drawing, isDrawn, municipalities } from './drawing.js'
import { usePin } from './pin.js'
import { nameOf, readPlaces, titleOf, whereabouts } from './places.js'
import { isFarthest, isNearest, pixelOf, project } from './projection.js'
import { useBox, useHands, useView } from './view.js'
import { WORDS } from './words.js'

const PIN = { width: 44, height: 48 }
const HEIGHT = 'clamp(280px, 45vh, 420px)'

const line = 'var(--theme--border-width) solid var(--theme--form--field--input--border-color)'
const STYLES = {
  frame: {
    position: 'relative',
    height: HEIGHT,
    overflow: 'hidden',
    border: line,
    borderRadius: 'var(--theme--border-radius)',
  },
  map: { position: 'absolute', inset: '0', outlineOffset: '-3px', userSelect: 'none' },
  pin: {
    position: 'absolute',
    left: `${-PIN.width / 2}px`,
    top: `${-PIN.height}px`,
    width: `${PIN.width}px`,
    height: `${PIN.height}px`,
    touchAction: 'none',
  },
  cross: { position: 'absolute', left: 'calc(50% - 12px)', top: 'calc(50% - 12px)' },
  zoom: { position: 'absolute', top: '8px', right: '8px', border: line, borderRadius: '6px' },
  button: {
    display: 'grid',
    placeItems: 'center',
    width: '40px',
    height: '40px',
    color: 'var(--theme--foreground)',
    background: 'var(--theme--background)',
  },
  source: {
    position: 'absolute',
    right: '0',
    bottom: '0',
    padding: '0 6px',
    fontSize: '11px',
    color: 'var(--theme--foreground)',
    background: 'color-mix(in srgb, var(--theme--background) 75%, transparent)',
  },
  row: { display: 'flex', flexWrap: 'wrap', gap: '8px', marginTop: '8px' },
  coordinates: { flex: '1 1 240px' },
  status: { marginTop: '8px', color: 'var(--theme--foreground)' },
  warning: { color: 'var(--theme--warning)', marginInlineEnd: '8px' },
  subdued: { color: 'var(--theme--foreground-subdued)' },
}

const component = {
  // Otherwise the props that a form passes to every field would become attributes of the box.
  inheritAttrs: false,
  props: {
    collection: { type: String, default: null },
    primaryKey: { type: [String, Number], default: null },
    version: { type: Object, default: null },
    /** The field that refers to the item's place. */
    place: { type: String, default: null },
    disabled: { type: Boolean, default: false },
    comparisonMode: { type: Boolean, default: false },
  },
  emits: ['setFieldValue'],
  setup(props, { emit }) {
    // The comparison shows the two fields themselves.
    if (props.comparisonMode) return () => null
    const { locale } = useI18n()
    const words = computed(() => WORDS[locale.value?.startsWith('es') ? 'es' : 'en'])
    const values = inject('values', ref({}))
    const places = usePlaces(props)
    /** Whether the typed text could not be parsed as coordinates. */
    const isUnread = ref(false)
    /** The text being typed as coordinates. */
    const typed = ref()
    const { found, set: setPin } = usePin(props, values, emit, () => {
      isUnread.value = false
      typed.value = undefined
    })
    function set(next) {
      isUnread.value = false
      setPin(next)
    }
    const spot = computed(() => found.value.spot)
    const around = computed(() => {
      const value = values.value?.[props.place]
      const key = value?.id ?? value
      return places.value.find(({ id }) => String(id) === String(key))
    })

    const element = ref()
    const box = useBox(element)
    const view = useView(box, spot, computed(() => around.value?.spot))
    const isLocked = () => props.disabled
    const { dragged, onMap, onPin } = useHands({ element, box, spot, isLocked, set }, view)
    /** Whether it has the keyboard focus: then it shows it, and without a pin a cross marks where Enter sets one. */
    const isFocused = ref(false)

    function take() {
      const text = typed.value
      typed.value = undefined
      if (text === undefined) return
      if (text.trim() === '') set(undefined)
      else read(text)
    }
    function read(text) {
      const parsed = parse(text)
      const next = parsed && spotOf(parsed.lat, parsed.lng).spot
      isUnread.value = !next
      if (next) set(next)
      return next !== undefined
    }
    function paste(event) {
      if (props.disabled || !read(event.clipboardData?.getData('text') ?? '')) return
      typed.value = undefined
      event.preventDefault()
    }

    const known = computed(() => [...places.value, ...strangersTo(places.value)])
    const marks = computed(() =>
      known.value.map((place) => ({
        key: place.id ?? place.slug,
        name: titleOf(place, words.value.locale),
        point: place.point,
        isPlace: place.id !== undefined,
      })),
    )
    const hint = useId()
    const status = useId()

    function map() {
      const visible = dragged.value ?? spot.value
      const { x, y } = visible ? pixelOf(view.view.value, box.value, project(visible)) : {}
      return h(
        'div',
        {
          ref: element,
          role: 'application',
          tabindex: 0,
          'aria-label': words.value.map,
          'aria-describedby': `${hint} ${status}`,
          ...onMap,
          onKeydown: (event) => {
            isFocused.value = true
            onMap.onKeydown(event)
          },
          onPaste: paste,
          onFocus: () => {
            isFocused.value = element.value.matches(':focus-visible')
          },
          onBlur: () => {
            isFocused.value = false
          },
          style: {
            ...STYLES.map,
            // A vertical swipe scrolls the form.
            touchAction: 'pan-y',
            cursor: props.disabled ? 'grab' : 'crosshair',
            outline: isFocused.value ? '2px solid var(--theme--primary)' : 'none',
          },
        },
        [
          box.value.width > 0 && drawing(view.view.value, box.value, marks.value, words.value.locale),
          isFocused.value && !visible && cross(),
          visible && pin(x, y, onPin, props.disabled, dragged.value !== undefined),
        ],
      )
    }

    function zoomButtons() {
      const button = (icon, label, steps, isLast) =>
        h(
          'button',
          {
            type: 'button',
            'aria-label': label,
            title: label,
            disabled: isLast,
            style: { ...STYLES.button, opacity: isLast ? 0.5 : 1 },
            onClick: () => view.zoom(steps),
          },
          h(resolveComponent('v-icon'), { name: icon }),
        )
      const { zoomIn, zoomOut } = words.value
      return h('div', { style: STYLES.zoom }, [
        button('add', zoomIn, 1, isNearest(view.view.value)),
        button('remove', zoomOut, -1, isFarthest(view.view.value)),
      ])
    }

    function row() {
      const { lat, lng } = values.value ?? {}
      const current = found.value.reason === 'empty' ? '' : [lat, lng].map((it) => it ?? '').join(', ')
      const button = (text, onClick) =>
        h(resolveComponent('v-button'), { secondary: true, onClick }, () => text)
      return h('div', { style: STYLES.row }, [
        h('div', { style: STYLES.coordinates }, [
          h(resolveComponent('v-input'), {
            'aria-label': words.value.coordinates,
            placeholder: words.value.coordinates,
            modelValue: typed.value ?? current,
            disabled: props.disabled,
            'onUpdate:modelValue': (text) => {
              typed.value = text ?? ''
            },
            onBlur: take,
            onPaste: paste,
            'onKeydown:enter': take,
          }),
        ]),
        !props.disabled &&
          around.value &&
          button(words.value.putAt(nameOf(around.value, words.value.locale)), () =>
            set(around.value.spot),
          ),
        !props.disabled &&
          found.value.reason !== 'empty' &&
          button(words.value.remove, () => set(undefined)),
      ])
    }

    /** The pin's position in words, or the error. */
    function message() {
      const { reason, field } = found.value
      const { notRead, away, empty, ...of } = words.value
      if (isUnread.value) return warning(notRead)
      if (reason === 'empty') return empty
      if (reason) return warning(of[reason][field])
      if (!isDrawn(spot.value)) return warning(away)
      return whereabouts(spot.value, known.value, words.value)
    }

    return () =>
      h('div', [
        h('div', { style: STYLES.frame }, [
          map(),
          zoomButtons(),
          h('div', { style: STYLES.source }, '© Instituto Geográfico Nacional de España'),
        ]),
        row(),
        // Rendered from the start, so that a screen reader announces changes in it.
        h('div', { id: status, role: 'status', style: STYLES.status }, message()),
        h('div', { id: hint, style: STYLES.subdued }, `${words.value.keys} ${words.value.rough}`),
      ])
  },
}

/** Returns the places that the editor may read, except the item itself; empty until they are loaded. */
function usePlaces(props) {
  const api = useApi()
  const places = ref([])
  onMounted(async () => {
    try {
      places.value = await readPlaces(api)
    } catch {
      // Without them the map still has the coast and the municipalities.
    }
  })
  const isItself = ({ id }) => props.collection === 'locations' && String(id) === String(props.primaryKey)
  return computed(() => places.value.filter((place) => !isItself(place)))
}

/** Returns the municipalities that are not places of the content. */
function strangersTo(places) {
  const names = new Set(places.flatMap((place) => [...place.names.values()]))
  return municipalities.filter(({ slug }) => !names.has(slug))
}

const warning = (text) => [h('span', { 'aria-hidden': 'true', style: STYLES.warning }, '⚠'), text]

function pin(x, y, onPin, isLocked, isDragged) {
  const style = {
    ...STYLES.pin,
    transform: `translate(${x}px, ${y}px)`,
    cursor: isLocked ? 'default' : isDragged ? 'grabbing' : 'grab',
  }
  const colours = { fill: 'var(--theme--primary)', stroke: 'var(--theme--background)' }
  const shape = 'M22 47C22 47 36 32 36 20A14 14 0 0 0 8 20C8 32 22 47 22 47Z'
  return h('div', { 'data-pin': '', style, ...onPin }, [
    h('svg', { 'aria-hidden': 'true', ...PIN }, [
      h('path', { d: shape, ...colours, 'stroke-width': 2 }),
      h('circle', { cx: 22, cy: 20, r: 5, fill: 'var(--theme--background)' }),
    ]),
  ])
}

function cross() {
  const stroke = { stroke: 'var(--theme--foreground)', 'stroke-width': 2 }
  return h('svg', { 'aria-hidden': 'true', width: 24, height: 24, style: STYLES.cross }, [
    h('path', { d: 'M12 0v24M0 12h24', ...stroke }),
  ])
}

export default {
  id: 'almijara-map',
  name: 'Almijara: on the map',
  icon: 'location_on',
  description: 'Where a home or a place lies, by a pin on a map',
  component,
  hideLoader: true,
  types: ['alias'],
  localTypes: ['presentation'],
  group: 'presentation',
  options: [
    {
      field: 'place',
      name: 'Field of the place',
      type: 'string',
      meta: { interface: 'input', width: 'half' },
    },
  ],
}
