// Keeps the preview's pane up to date. The Studio skips a refresh while the previous one is still loading: the
// last saved changes would be missing until the next save.

import { onBeforeUnmount, onMounted, watch } from 'vue'

/** Whether a mutation is of the pane, by the id that the Studio gives it. */
const isPane = ({ target }) => target.id === 'frame'

/** Reloads the pane if the draft of `props` was saved while the pane was loading. */
export function usePane(props) {
  let isLoading = false
  let isBehind = false
  // Each refresh sets the address, even if it is unchanged.
  const addresses = new MutationObserver((changes) => {
    isLoading ||= changes.some(isPane)
  })

  function loaded(event) {
    if (!isPane(event)) return
    isLoading = false
    if (!isBehind) return
    isBehind = false
    // The Studio handles the load event after this listener, and ignores a refresh before that.
    setTimeout(() => window.refreshLivePreview?.())
  }

  watch(
    () => props.version?.date_updated,
    () => {
      isBehind ||= isLoading
    },
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
