// Follows changes of an item's draft outside its form: another editor, the same editor in another window, or a
// click in the preview's pane creates, saves or discards it. The Studio reads an item's versions only when
// its form opens and when it saves. In between it would create a draft that already exists, which is always
// refused, or overwrite another editor's changes.

import { useApi, useStores } from '@directus/extensions-sdk'
import { inject, ref, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'

import { isKept, readFirst } from './reading.js'

/** The Studio's id of a version that is not saved yet. */
const NEW = '+'
/** The key of the version that the Studio creates when the published item is edited. */
const DRAFT = 'draft'
/** Within this time a form learns of its own saves, in milliseconds. */
const OWN = 5_000

/**
  * Keeps a form up to date with its item's draft while nothing is typed; after that, returns the change that
  * the form does not know as `unknown`. `read` reads the saved draft, and `note` processes it.
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
  /** The draft that was reported to the Studio. */
  let told
  /** The save time of the draft that the form has reloaded. */
  let seen
  /** The change that the form does not know, and since when. */
  let doubt

  /** Reads the saved draft; null if there is none, undefined if there can't be one or it must not be read. */
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
    * Makes the Studio reload the item's versions: it does when the version's id in its address changes, and removes
    * the id when it shows another version. In a drawer the address belongs to another form.
   */
  async function tell(versionId) {
    const { collection, primaryKey } = route.params
    if (collection !== props.collection || primaryKey !== String(props.primaryKey)) return
    await router.replace({ query: { ...route.query, versionId } })
  }

  /** Returns the change in `found` that the form does not know. */
  function unknownOf(found) {
    const { version } = props
    if (!found || !version) return undefined
    if (version.id === NEW) return { what: 'begun' }
    const at = found.date_updated
    const isNewer = [version.date_updated, seen].every((known) => !known || at > known)
    // If it is another version by now, the Studio reports that itself.
    if (found.id !== version.id || !isNewer) return undefined
    const { user_updated: saver } = found
    return { what: 'saved', at, isTheirs: Boolean(saver) && saver !== me }
  }

  /** Processes the saved draft; returns whether there is a new change that the form may not know. */
  function note(found) {
    if (found === undefined) return false
    // Until something is saved in a draft, the Studio still lets the published version be edited.
    const draft = found?.user_updated ? found.id : undefined
    // If the Studio knows of a draft, the published version can't be edited: next to nothing is lost.
    if (props.version === null && draft !== told) {
      told = draft
      void tell(draft)
    }
    const now = unknownOf(found)
    const form = now && `${props.version.id} ${props.version.date_updated}`
    const isNews = form !== doubt?.form
    if (isNews) doubt = form && { form, since: Date.now() }
    const isSure = now?.isTheirs || (doubt && Date.now() - doubt.since >= OWN)
    // Another editor's save stays unknown until the form is reloaded, even if the form saves.
    if (!unknown.value?.isTheirs) unknown.value = isSure ? now : undefined
    return isNews
  }

  watch([() => props.collection, () => props.primaryKey, () => props.version?.id], () => {
    told = seen = doubt = unknown.value = undefined
  })

  /** After an edit in the pane the Studio reloads the item, but the form keeps its old versions. */
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

  // The Studio empties the form before it reloads the item.
  watch(
    () => (values.value?.id ?? null) !== null,
    (wasRead) => wasRead && lookAnew(),
  )
  return { unknown, read, note }
}
