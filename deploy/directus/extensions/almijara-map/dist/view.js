// The visible part of the map, and how pointer and keys change it.

import { onBeforeUnmount, onMounted, ref, watch } from 'vue'

import { pixelOf, pointAt, project, pushed, unproject, zoomed } from './projection.js'

const START = { centre: project({ lat: 36.75, lng: -3.95 }), zoom: 10.5 }
/** The initial zoom at a place. */
const NEAR = 13
/** A press that moves less than this, in pixels, is not a drag. */
const SLACK = 5
/** How far a key moves the pin, in pixels, and the factor with Shift. */
const STEP = 3
const FAR = 10
/** How far a key moves the map under the cross if there is no pin, in pixels. */
const STRIDE = 40
/** The distance to the edge, in pixels, at which the map follows a pin that keys move. */
const EDGE = 30
const WHEEL = 250
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** Returns the size of the element, in pixels. */
export function useBox(element) {
  const box = ref({ width: 0, height: 0 })
  const observer = new ResizeObserver(([{ contentRect: { width, height } }]) => {
    box.value = { width, height }
  })
  onMounted(() => observer.observe(element.value))
  onBeforeUnmount(() => observer.disconnect())
  return box
}

/**
  * Returns the view: around the pin, or else around the place, until the editor moves it. `spot` and `place`
  * return a spot or undefined.
 */
export function useView(box, spot, place) {
  const view = ref(START)
  let isChosen = false

  const lookAt = ({ lat, lng }, zoom) => {
    view.value = { centre: project({ lat, lng }), zoom }
  }
  const isSeen = (point, edge = 0) => {
    const { width, height } = box.value
    const { x, y } = pixelOf(view.value, box.value, point)
    return x >= edge && x <= width - edge && y >= edge && y <= height - edge
  }

  watch(
    () => [spot.value?.lat, spot.value?.lng, place.value?.lat, place.value?.lng],
    () => {
      if (!isChosen) {
        const visible = spot.value ?? place.value
        if (visible) lookAt(visible, NEAR)
      } else if (spot.value && !isSeen(project(spot.value))) lookAt(spot.value, view.value.zoom)
    },
    { immediate: true },
  )

  function choose(next) {
    isChosen = true
    view.value = next
  }
  function zoom(steps, pixel) {
    const anchor = spot.value && isSeen(project(spot.value)) && project(spot.value)
    const { width, height } = box.value
    const about = anchor ? pixelOf(view.value, box.value, anchor) : { x: width / 2, y: height / 2 }
    choose(zoomed(view.value, box.value, steps, pixel ?? about))
  }
  /** Moves the map if keys have moved the pin near the edge. */
  function follow(next) {
    if (!isSeen(project(next), EDGE)) lookAt(next, view.value.zoom)
  }
  return { view, choose, zoom, follow }
}

/** Returns the handlers for pointer, wheel and keys, for the map and for its pin. */
export function useHands({ element, box, spot, isLocked, set }, { view, choose, zoom, follow }) {
  /** The pin's position while it is dragged. */
  const dragged = ref()
  let gesture

  const pixel = ({ clientX, clientY }) => {
    const { left, top } = element.value.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const spotAt = (at) => unproject(pointAt(view.value, box.value, at))
  function put(next) {
    // The map does not move when the pin is set.
    choose(view.value)
    set(next)
  }

  function press(event, isOnPin) {
    if (event.button !== 0 || gesture) return
    element.value.setPointerCapture(event.pointerId)
    const from = pixel(event)
    const tip = isOnPin && pixelOf(view.value, box.value, project(spot.value))
    const grip = tip && { x: tip.x - from.x, y: tip.y - from.y }
    gesture = { pointer: event.pointerId, from, grip, view: view.value, isDrag: false }
  }
  function move(event) {
    if (event.pointerId !== gesture?.pointer) return
    const to = pixel(event)
    const [right, down] = [to.x - gesture.from.x, to.y - gesture.from.y]
    if (!gesture.isDrag && Math.hypot(right, down) < SLACK) return
    gesture.isDrag = true
    if (!gesture.grip) choose(pushed(gesture.view, right, down))
    else dragged.value = spotAt({ x: to.x + gesture.grip.x, y: to.y + gesture.grip.y })
  }
  function release(event) {
    if (event.pointerId !== gesture?.pointer) return
    const { isDrag, grip, from } = gesture
    const dropped = dragged.value
    cancel()
    if (isDrag && dropped) put(dropped)
    else if (!isDrag && !grip && !isLocked()) put(spotAt(from))
  }
  function cancel() {
    gesture = undefined
    dragged.value = undefined
  }

  function wheel(event) {
    // The wheel scrolls the form unless the map has the focus.
    if (!event.ctrlKey && document.activeElement !== element.value) return
    event.preventDefault()
    zoom(-event.deltaY / WHEEL, pixel(event))
  }

  function key(event) {
    const way = WAYS[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (way) lead(way, event.shiftKey ? FAR : 1)
    else if (event.key === '+' || event.key === '=') zoom(1)
    else if (event.key === '-') zoom(-1)
    else if (event.key === 'Enter' && !spot.value && !isLocked()) put(unproject(view.value.centre))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  function lead([right, down], times) {
    if (!spot.value || isLocked()) {
      choose(pushed(view.value, -right * STRIDE * times, -down * STRIDE * times))
      return
    }
    const { x, y } = pixelOf(view.value, box.value, project(spot.value))
    const next = spotAt({ x: x + right * STEP * times, y: y + down * STEP * times })
    put(next)
    follow(next)
  }

  const onMap = {
    onPointerdown: (event) => press(event, false),
    onPointermove: move,
    onPointerup: release,
    onPointercancel: cancel,
    onWheel: wheel,
    onKeydown: key,
  }
  const onPin = {
    onPointerdown: (event) => {
      event.stopPropagation()
      press(event, !isLocked())
    },
  }
  return { dragged, onMap, onPin }
}
