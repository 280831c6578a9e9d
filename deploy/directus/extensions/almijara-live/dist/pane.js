// Keeps the preview's pane up to date. The Studio skips a refresh while the previous one is still loading: the
// last saved changes would be missing until the next save. That concerns the first save of a draft above all: the
// pane begins to load the draft with the first key, and is loading until it has its last picture.

import { onBeforeUnmount, onMounted, watch } from 'vue'

/** The id that the Studio gives the pane. */
const PANE = 'frame'

/** Whether a mutation or an event is of the pane. */
const isPane = ({ target }) => target.id === PANE

/** Reloads the pane at once if the draft of `props` is saved while the pane is loading. */
export function usePane(props) {
  let isLoading = false
  // Each refresh sets the address, even if it is unchanged.
  const addresses = new MutationObserver((changes) => {
    isLoading ||= changes.some(isPane)
  })

  function loaded(event) {
    if (isPane(event)) isLoading = false
  }

  watch(
    () => props.version?.date_updated,
    () => {
      const pane = document.getElementById(PANE)
      // Ends the load of what is outdated by now. The Studio takes both for one.
      if (isLoading && pane) pane.src = pane.src
    },
    // The Studio may set another address with the new version, and does so before.
    { flush: 'post' },
  )
  onMounted(() => {
    addresses.observe(document.body, { subtree: true, attributeFilter: ['src'] })
    document.addEventListener('load', loaded, true)
  })
  onBeforeUnmount(() => {
    addresses.disconnect()
    document.removeEventListener('load', loaded, true)
  })
}
