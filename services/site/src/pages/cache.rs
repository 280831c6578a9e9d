//! Caches rendered pages and purges them by tag.
//!
//! Its one invariant: a page returned by [`PageCache::fresh`] was rendered from a position that includes
//! every change this cache has received. Storing and purging hold the same lock, so no page can be
//! stored between a purge and the check against it.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use contracts::{Sequence, feed::own_tags};
use indexmap::IndexMap;

use crate::pages::{
    page::Page,
    purges::{Position, Purges},
};

/// The maximum number of tags whose last purge is remembered individually.
const MAX_PURGED_TAGS: usize = 20_000;
/// The time after a purge within which re-rendering a purged page counts as part of the publish in
/// traces.
const PUBLISH_WINDOW: Duration = Duration::from_secs(10);
/// How long a page is trusted after its render while the change stream is down.
const UNVERIFIED_FRESHNESS: Duration = Duration::from_secs(2);

/// How long pages that can't be rendered again may still be shown.
#[derive(Clone, Copy, Debug)]
pub struct StaleLimits {
    /// Applies to pages that are known to be out of date.
    pub purged: Duration,
    /// Applies to pages that may have changed unnoticed, because the change stream is down.
    pub unverified: Duration,
}

/// A cache of rendered pages, bounded in bytes.
#[derive(Debug)]
pub struct PageCache {
    contents: RwLock<Contents>,
    max_bytes: usize,
    limits: StaleLimits,
}

#[derive(Debug)]
struct Contents {
    slots: IndexMap<Arc<str>, Slot>,
    /// Tag → keys of the pages that have it and are not purged.
    tagged: HashMap<Box<str>, HashSet<Arc<str>>>,
    purges: Purges,
    bytes: usize,
    /// The number of pages that are not purged.
    current: usize,
    /// The hand of the CLOCK algorithm: the index at which the next eviction starts.
    clock_hand: usize,
    /// The time since when changes may have been missed; none while the change stream is connected.
    unverified_since: Option<Instant>,
}

#[derive(Debug)]
struct Slot {
    page: Arc<Page>,
    weight: usize,
    rendered: Instant,
    purged: Option<Purged>,
    /// Visits since the page was stored. Halved each time the hand passes over the slot.
    uses: AtomicU32,
}

#[derive(Clone, Debug)]
struct Purged {
    at: Instant,
    traceparent: Option<Arc<str>>,
    /// Whether the page shows the item that changed itself, and not only a list that contains it.
    shows_the_change: bool,
}

/// Links a re-render to the trace of the purge that caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeTrace {
    /// The `traceparent` of the purge's span.
    pub traceparent: Arc<str>,
    /// Whether the render is part of the publish: the page shows the changed item itself, and is
    /// rendered shortly after the purge. Any other render only follows from the publish.
    pub is_part: bool,
}

/// The outcome of storing a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The page is cached, and current.
    Cached,
    /// The page is not cacheable: it is private, untagged or too large.
    NotCacheable,
    /// A tag of the page was purged after the position that the page was made from.
    OutOfDate,
}

/// How current something is that was made from published content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It includes every change of its tags that this process has received.
    Current,
    /// It was current when the change stream went down, and nothing is known since. It may be used if a
    /// newer one can't be had.
    Unverified,
    /// It is out of date, or the change stream has been down for too long.
    Stale,
}

/// A page that was purged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgedPage {
    /// The page's key.
    pub key: Arc<str>,
    /// Its recent visits.
    pub uses: u32,
}

/// The size of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of pages, purged ones included.
    pub pages: usize,
    /// The number of pages that are not purged.
    pub current: usize,
    /// The memory of all pages, in bytes.
    pub bytes: usize,
}

impl PageCache {
    /// Creates an empty cache of at most `max_bytes`. Until it is given the position of the change
    /// stream ([`PageCache::restart`]), it trusts no page for longer than [`UNVERIFIED_FRESHNESS`].
    pub fn new(max_bytes: usize, limits: StaleLimits) -> Self {
        let contents = Contents {
            slots: IndexMap::new(),
            tagged: HashMap::new(),
            purges: Purges::new(MAX_PURGED_TAGS),
            bytes: 0,
            current: 0,
            clock_hand: 0,
            unverified_since: Some(Instant::now()),
        };
        Self { contents: RwLock::new(contents), max_bytes, limits }
    }

    /// Returns how current something is that was made from `sequence` and has `tags`, by the rules that
    /// apply to pages. It was requested at the time `requested_at`, when this cache was at the position
    /// `began`.
    pub fn freshness(
        &self,
        began: Position,
        sequence: Sequence,
        tags: &[Box<str>],
        requested_at: Instant,
    ) -> Freshness {
        let contents = self.read();
        let purges = &contents.purges;
        if purges.position().era != began.era || !purges.allow(sequence, tags) {
            return Freshness::Stale;
        }
        match contents.unverified_since {
            Some(since) if since.elapsed() > self.limits.unverified => Freshness::Stale,
            Some(_) if requested_at.elapsed() > UNVERIFIED_FRESHNESS => Freshness::Unverified,
            _ => Freshness::Current,
        }
    }

    /// Returns the cache's position in the change stream.
    pub fn position(&self) -> Position {
        self.read().purges.position()
    }

    /// Returns the page at `key` if it is current, and counts a visit.
    pub fn fresh(&self, key: &str) -> Option<Arc<Page>> {
        let contents = self.read();
        let slot = contents.fresh(key)?;
        slot.uses.fetch_add(1, Ordering::Relaxed);
        Some(slot.page.clone())
    }

    /// Returns whether the page at `key` is current. Does not count as a visit.
    pub fn is_fresh(&self, key: &str) -> bool {
        self.read().fresh(key).is_some()
    }

    /// Returns the page at `key`, even if it is out of date, within the [`StaleLimits`]. For when it
    /// can't be rendered again.
    pub fn stale(&self, key: &str) -> Option<Arc<Page>> {
        let contents = self.read();
        let slot = contents.slots.get(key)?;
        // A time in the future has an elapsed time of zero.
        let over = |since: Option<Instant>, limit| since.is_some_and(|at| at.elapsed() > limit);
        let too_old = over(slot.purged.as_ref().map(|purged| purged.at), self.limits.purged)
            || over(Some(slot.page.expires), self.limits.purged)
            || over(contents.unverified_since, self.limits.unverified);
        (!too_old).then(|| slot.page.clone())
    }

    /// Returns the trace of the purge that removed the page at `key`.
    pub fn purge_trace(&self, key: &str) -> Option<PurgeTrace> {
        let contents = self.read();
        let purged = contents.slots.get(key)?.purged.as_ref()?;
        let traceparent = purged.traceparent.clone()?;
        let is_part = purged.shows_the_change && purged.at.elapsed() < PUBLISH_WINDOW;
        Some(PurgeTrace { traceparent, is_part })
    }

    /// Stores a `page` whose render began at the position `began`, unless a purge has overtaken it. Also
    /// returns the position up to which the page is known to be current.
    pub fn store(&self, key: &Arc<str>, page: &Arc<Page>, began: Position) -> (Stored, Position) {
        let mut contents = self.write();
        let now = contents.purges.position();
        if !page.cacheable {
            return (Stored::NotCacheable, began);
        }
        if now.era != began.era || !contents.purges.allow(page.sequence, &page.tags) {
            return (Stored::OutOfDate, began);
        }
        let weight = page.weight(key);
        if weight > self.max_bytes / 8 {
            return (Stored::NotCacheable, now);
        }
        let uses = contents.remove(key).map_or(0, |old| old.uses.load(Ordering::Relaxed) / 2);
        contents.insert(key, page, weight, uses);
        contents.evict(self.max_bytes);
        (Stored::Cached, now)
    }

    /// Returns whether no tag of `page` was purged since it was made. Always true for a page that is not
    /// cacheable.
    pub fn is_current(&self, page: &Page) -> bool {
        !page.cacheable || self.read().purges.allow(page.sequence, &page.tags)
    }

    /// Replaces `page` by its compressed form `packed`, if `page` is still cached.
    pub fn replace(&self, key: &str, page: &Arc<Page>, packed: Arc<Page>) {
        let mut contents = self.write();
        let Some(slot) = contents.slots.get_mut(key) else { return };
        if Arc::ptr_eq(&slot.page, page) {
            let (before, after) = (slot.weight, packed.weight(key));
            slot.page = packed;
            slot.weight = after;
            contents.bytes = contents.bytes - before + after;
            contents.evict(self.max_bytes);
        }
    }

    /// Purges every page that has one of `tags` and was made before `sequence`. Returns the purged
    /// pages, those of the rarest tag first (the most specific change), and then by visits.
    pub fn purge(
        &self,
        tags: &BTreeSet<String>,
        sequence: Sequence,
        traceparent: Option<&str>,
    ) -> Vec<PurgedPage> {
        let mut contents = self.write();
        for tag in tags {
            contents.purges.record(tag, sequence);
        }
        let mut keys_by_tag: Vec<Vec<Arc<str>>> = tags
            .iter()
            .filter_map(|tag| contents.tagged.get(tag.as_str()))
            .map(|keys| keys.iter().cloned().collect())
            .collect();
        keys_by_tag.sort_by_key(Vec::len);

        let own = own_tags(tags);
        let mut purged = Purged {
            at: Instant::now(),
            traceparent: traceparent.map(Arc::from),
            shows_the_change: false,
        };
        let mut removed = Vec::new();
        for keys in keys_by_tag {
            let first = removed.len();
            removed.extend(keys.into_iter().filter_map(|key| {
                let page = &contents.slots.get(&key)?.page;
                purged.shows_the_change = page.tags.iter().any(|tag| own.contains(&**tag));
                let uses = contents.mark_purged(&key, sequence, &purged)?;
                Some(PurgedPage { key, uses })
            }));
            removed[first..].sort_by_key(|page| std::cmp::Reverse(page.uses));
        }
        removed
    }

    /// Purges every page that has one of `tags`, whatever position it was made from, on an operator's
    /// request. Renders in flight are not cached.
    pub fn drop_tagged(&self, tags: &BTreeSet<String>) -> Vec<PurgedPage> {
        let mut contents = self.write();
        let keys_by_tag = tags.iter().filter_map(|tag| contents.tagged.get(tag.as_str()));
        let keys: HashSet<Arc<str>> = keys_by_tag.flatten().cloned().collect();
        contents.drop_pages(keys)
    }

    /// Purges every page, in the way of [`Self::drop_tagged`].
    pub fn drop_all(&self) -> Vec<PurgedPage> {
        let mut contents = self.write();
        let keys: Vec<Arc<str>> = contents.slots.keys().cloned().collect();
        contents.drop_pages(keys)
    }

    /// Purges everything and restarts at `sequence`, because changes may have been missed.
    pub fn restart(&self, sequence: Sequence) {
        let mut contents = self.write();
        let purged = Purged { at: Instant::now(), traceparent: None, shows_the_change: false };
        for slot in contents.slots.values_mut() {
            slot.purged.get_or_insert_with(|| purged.clone());
        }
        contents.current = 0;
        contents.tagged.clear();
        contents.purges.restart(sequence);
        contents.unverified_since = None;
    }

    /// Sets whether pages can be trusted: the change stream has resumed without a gap, or has been down
    /// for too long.
    pub fn set_verified(&self, verified: bool) {
        let mut contents = self.write();
        if verified {
            contents.unverified_since = None;
        } else {
            contents.unverified_since.get_or_insert_with(Instant::now);
        }
    }

    /// Returns the maximum size of the cache, in bytes.
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// Returns the current size of the cache.
    pub fn size(&self) -> Size {
        let contents = self.read();
        Size { pages: contents.slots.len(), current: contents.current, bytes: contents.bytes }
    }

    fn read(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Contents> {
        self.contents.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn fresh(&self, key: &str) -> Option<&Slot> {
        let slot = self.slots.get(key)?;
        let untrusted = slot.purged.is_some()
            || self.unverified_since.is_some() && slot.rendered.elapsed() > UNVERIFIED_FRESHNESS
            || Instant::now() >= slot.page.expires;
        (!untrusted).then_some(slot)
    }

    fn insert(&mut self, key: &Arc<str>, page: &Arc<Page>, weight: usize, uses: u32) {
        for tag in &page.tags {
            if let Some(keys) = self.tagged.get_mut(tag) {
                keys.insert(key.clone());
            } else {
                self.tagged.insert(tag.clone(), HashSet::from([key.clone()]));
            }
        }
        let slot = Slot {
            page: page.clone(),
            weight,
            rendered: Instant::now(),
            purged: None,
            uses: AtomicU32::new(uses),
        };
        self.bytes += weight;
        self.current += 1;
        self.slots.insert(key.clone(), slot);
    }

    fn remove(&mut self, key: &str) -> Option<Slot> {
        let slot = self.slots.swap_remove(key)?;
        self.bytes -= slot.weight;
        self.current -= usize::from(slot.purged.is_none());
        self.untag(key, &slot.page);
        Some(slot)
    }

    fn untag(&mut self, key: &str, page: &Page) {
        for tag in &page.tags {
            if let Some(keys) = self.tagged.get_mut(tag) {
                keys.remove(key);
                if keys.is_empty() {
                    self.tagged.remove(tag);
                }
            }
        }
    }

    /// Marks the page at `key` as purged, if it was made before `sequence`, and returns its visits. The
    /// page stays in the cache for the time that it may be shown if it can't be rendered.
    fn mark_purged(&mut self, key: &str, sequence: Sequence, purged: &Purged) -> Option<u32> {
        let slot = self.slots.get_mut(key)?;
        if slot.purged.is_some() || slot.page.sequence >= sequence {
            return None;
        }
        slot.purged = Some(purged.clone());
        self.current -= 1;
        let uses = slot.uses.load(Ordering::Relaxed);
        let page = slot.page.clone();
        self.untag(key, &page);
        Some(uses)
    }

    /// Purges the pages at `keys`, and invalidates the renders in flight. Returns the purged pages, the
    /// most visited first.
    fn drop_pages(&mut self, keys: impl IntoIterator<Item = Arc<str>>) -> Vec<PurgedPage> {
        self.purges.start_era();
        let purged = Purged { at: Instant::now(), traceparent: None, shows_the_change: false };
        let mut removed: Vec<PurgedPage> = keys
            .into_iter()
            .filter_map(|key| {
                let uses = self.mark_purged(&key, Sequence::LAST, &purged)?;
                Some(PurgedPage { key, uses })
            })
            .collect();
        removed.sort_by_key(|page| std::cmp::Reverse(page.uses));
        removed
    }

    /// Evicts pages by the CLOCK algorithm until the cache fits into `max_bytes`. The hand halves the
    /// uses of a visited page, and removes an unvisited one. A purged page is removed at once.
    fn evict(&mut self, max_bytes: usize) {
        while self.bytes > max_bytes {
            // The last slot is skipped, because it may have just been stored. It becomes a candidate
            // when another slot is last.
            if self.clock_hand + 1 >= self.slots.len() {
                self.clock_hand = 0;
            }
            let Some((key, slot)) = self.slots.get_index(self.clock_hand) else { return };
            let uses = slot.uses.load(Ordering::Relaxed);
            if uses == 0 || slot.purged.is_some() {
                let key = key.clone();
                // `swap_remove` moves the last slot, which may have just been stored, to this index. The
                // hand moves on, so that it is not considered before the next round.
                self.remove(&key);
            } else {
                slot.uses.store(uses / 2, Ordering::Relaxed);
            }
            self.clock_hand += 1;
        }
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
