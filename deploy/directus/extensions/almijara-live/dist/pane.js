// The page beside the form. The Studio passes over a refresh of it that comes while the one before still
// loads: the last words that were saved would be missing there until the next are.

import { onBeforeUnmount, onMounted, watch } from 'vue'

/** Whether it is the pane, by the id that the Studio gives it. */
const isPane = ({ target }) => target.id === 'frame'

/** Has the pane load once more, where the draft of `props` was saved while it did. */
export function usePane(props) {
  let isLoading = false
  let isBehind = false
  // Each refresh sets its address, though it is the same.
  const addresses = new MutationObserver((changes) => {
    isLoading ||= changes.some(isPane)
  })

  function loaded(event) {
    if (!isPane(event)) return
    isLoading = false
    if (!isBehind) return
    isBehind = false
    // The Studio hears of it after this, and takes no refresh before.
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
