// What becomes of an item's draft past its form: somebody else, or the same editor in another window,
// begins it, saves it or takes it away, and a click in the preview's pane does so too. The Studio reads an
// item's versions when its form opens and when it saves, and hears of nothing in between. It would make a
// draft that there is already, which is refused for good, or save over what the other has written.

import { useApi, useStores } from '@directus/extensions-sdk'
import { inject, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

import { isKept, readFirst } from './reading.js'

/** What the Studio calls a version that is not kept yet. */
const NEW = '+'
/** The version that it makes of what is typed into what is published. */
const DRAFT = 'draft'
/** Within this time a form knows of what it has saved itself, in milliseconds. */
const OWN = 5_000

/**
 * Has a form know of its item's draft where nothing is typed yet, and gives as `unknown` what it does not
 * know where it is too late for that. `read` reads what is kept, and `note` takes that.
 */
export function useDraft(props) {
  const api = useApi()
  const stores = useStores()
  const collections = stores.useCollectionsStore()
  const permissions = stores.usePermissionsStore()
  const me = stores.useUserStore().currentUser?.id
  const values = inject('values', ref({}))
  const route = useRoute()
  const router = useRouter()
  const unknown = ref()
  /** The draft that the Studio was told of. */
  let told
  /** When the draft was saved that the form has read anew. */
  let seen
  /** What the form does not know, and since when. */
  let doubt

  /** The draft that is kept; null where there is none, and undefined of what never has one, or is not theirs to read. */
  async function read() {
    const { collection, primaryKey, version } = props
    if (!collections.getCollection(collection)?.meta?.versioning) return undefined
    if (!permissions.hasPermission('directus_versions', 'read')) return undefined
    const filter = {
      collection: { _eq: collection },
      item: { _eq: String(primaryKey) },
      key: { _eq: version?.key ?? DRAFT },
    }
    return readFirst(api, '/versions', filter, 'id,date_updated,user_updated')
  }

  /**
   * Has the Studio read the item's versions anew: it does when their id in its address changes, and takes
   * that out again when it shows another version. In a drawer the address is that of another form.
   */
  async function tell(versionId) {
    const { collection, primaryKey } = route.params
    if (collection !== props.collection || primaryKey !== String(props.primaryKey)) return
    await router.replace({ query: { ...route.query, versionId } })
  }

  /** What of `found` the form does not know. */
  function unknownOf(found) {
    const { version } = props
    if (!found || !version) return undefined
    if (version.id === NEW) return { what: 'begun' }
    const at = found.date_updated
    const isNewer = [version.date_updated, seen].every((known) => !known || at > known)
    // That it is another by now, the Studio says itself.
    if (found.id !== version.id || !isNewer) return undefined
    const { user_updated: saver } = found
    return { what: 'saved', at, isTheirs: Boolean(saver) && saver !== me }
  }

  /** Takes note of what is kept; says whether that may come to something. */
  function note(found) {
    if (found === undefined) return false
    // Until something is saved in it, the Studio would have what is published be edited all the same.
    const draft = found?.user_updated ? found.id : undefined
    // Beside a draft that it knows, it takes no word into what is published: next to nothing is lost.
    if (props.version === null && draft !== told) {
      told = draft
      void tell(draft)
    }
    const now = unknownOf(found)
    const form = now && `${props.version.id} ${props.version.date_updated}`
    const isNews = form !== doubt?.form
    if (isNews) doubt = form && { form, since: Date.now() }
    const isSure = now?.isTheirs || (doubt && Date.now() - doubt.since >= OWN)
    // What another has saved stays unknown until the form is read anew, whatever it saves itself.
    if (!unknown.value?.isTheirs) unknown.value = isSure ? now : undefined
    return isNews
  }

  watch([() => props.collection, () => props.primaryKey, () => props.version?.id], () => {
    told = seen = doubt = unknown.value = undefined
  })

  /** After a click in the pane the item is read anew, and the form stays with the versions that it had. */
  async function lookAnew() {
    const { collection, primaryKey, version } = props
    if (!version || !isKept(props)) return
    const { id } = version
    const found = await read().catch(() => undefined)
    const isSame = props.collection === collection && props.primaryKey === primaryKey
    if (!found || !isSame || props.version?.id !== id) return
    if (id === NEW) await tell(found.id)
    else if (id === found.id) {
      seen = found.date_updated
      unknown.value = undefined
    }
  }

  // The Studio empties the form before it reads the item anew.
  watch(
    () => (values.value?.id ?? null) !== null,
    (wasRead) => wasRead && lookAnew(),
  )
  return { unknown, read, note }
}
