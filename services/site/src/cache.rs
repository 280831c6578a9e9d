//! The rendered pages, purged by what they show.
//!
//! Its one invariant: a page that [`PageCache::fresh`] gives was made from a position that has every
//! change this cache was told of. Storing and purging hold one lock, so no page slips in between a
//! purge and the check against it.

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

use crate::{
    page::Page,
    purges::{Position, Purges},
};

/// How many tags' last purges are remembered one by one.
const MAX_PURGED_TAGS: usize = 20_000;
/// How long after a purge a render of what it removed is part of the publish, and not only later.
const PART_OF_THE_PUBLISH: Duration = Duration::from_secs(10);
/// While the change stream is away, a page is held to be current for this long after its render.
const UNVERIFIED_FRESHNESS: Duration = Duration::from_secs(2);

/// For how long pages may be shown that could not be rendered again.
#[derive(Clone, Copy, Debug)]
pub struct StaleLimits {
    /// Pages known to be out of date.
    pub purged: Duration,
    /// Pages of which nothing is known, because the change stream is away.
    pub unverified: Duration,
}

/// Rendered pages within a bound of bytes.
#[derive(Debug)]
pub struct PageCache {
    contents: RwLock<Contents>,
    max_bytes: usize,
    limits: StaleLimits,
}

#[derive(Debug)]
struct Contents {
    slots: IndexMap<Arc<str>, Slot>,
    /// Tag → keys of the pages that show it and are not purged.
    tagged: HashMap<Box<str>, HashSet<Arc<str>>>,
    purges: Purges,
    bytes: usize,
    /// Pages that are not purged.
    current: usize,
    /// Where the search for something to evict goes on.
    hand: usize,
    /// Since when changes may have been missed; none while the change stream is followed.
    unverified_since: Option<Instant>,
}

#[derive(Debug)]
struct Slot {
    page: Arc<Page>,
    weight: usize,
    rendered: Instant,
    purged: Option<Purged>,
    /// Visits since the page was stored, halved each time the slot is passed over for eviction.
    uses: AtomicU32,
}

#[derive(Clone, Debug)]
struct Purged {
    at: Instant,
    traceparent: Option<Arc<str>>,
    /// Whether the page shows the very thing that changed, and not only a list of such things.
    shows_the_change: bool,
}

/// A purge, for the render that it makes necessary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeTrace {
    /// The purge's span.
    pub traceparent: Arc<str>,
    /// Whether the render is part of the publish: it shows the very thing that changed, and comes at
    /// once. Any other comes after it.
    pub is_part: bool,
}

/// What became of a page that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is in, and current.
    Kept,
    /// It is not to be kept: private, untagged or too large.
    NotKept,
    /// A purge came after the position that it was made from.
    OutOfDate,
}

/// What is known of something that was made of what is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has every change of its tags that this process was told of.
    Current,
    /// It had, and nothing is known since, because the change stream is away: it may stand in for a
    /// newer one that can't be had.
    Unverified,
    /// A change came after it, or nothing was known for too long.
    Old,
}

/// A page that a purge removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// Its key.
    pub key: Arc<str>,
    /// How often it was visited lately.
    pub uses: u32,
}

/// How much is in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pages, purged ones included.
    pub pages: usize,
    /// Those that are not purged.
    pub current: usize,
    /// Their bytes.
    pub bytes: usize,
}

impl PageCache {
    /// An empty cache of at most `max_bytes`. Until it is told where the change stream stands
    /// ([`PageCache::restart`]) it trusts no page for longer than a moment.
    pub fn new(max_bytes: usize, limits: StaleLimits) -> Self {
        let contents = Contents {
            slots: IndexMap::new(),
            tagged: HashMap::new(),
            purges: Purges::new(MAX_PURGED_TAGS),
            bytes: 0,
            current: 0,
            hand: 0,
            unverified_since: Some(Instant::now()),
        };
        Self { contents: RwLock::new(contents), max_bytes, limits }
    }

    /// How something stands that was made from `sequence` and has `tags`, where it was `asked` for
    /// when this cache stood at `began`: what holds for a page holds for it.
    pub fn standing(
        &self,
        began: Position,
        sequence: Sequence,
        tags: &[Box<str>],
        asked: Instant,
    ) -> Standing {
        let contents = self.read();
        let purges = &contents.purges;
        if purges.position().era != began.era || !purges.allow(sequence, tags) {
            return Standing::Old;
        }
        match contents.unverified_since {
            Some(since) if since.elapsed() > self.limits.unverified => Standing::Old,
            Some(_) if asked.elapsed() > UNVERIFIED_FRESHNESS => Standing::Unverified,
            _ => Standing::Current,
        }
    }

    /// Where the cache stands in the change stream.
    pub fn position(&self) -> Position {
        self.read().purges.position()
    }

    /// The page at `key`, if it is current.
    pub fn fresh(&self, key: &str) -> Option<Arc<Page>> {
        let contents = self.read();
        let slot = contents.fresh(key)?;
        slot.uses.fetch_add(1, Ordering::Relaxed);
        Some(slot.page.clone())
    }

    /// Whether the page at `key` is current. Nobody visits it by this.
    pub fn is_fresh(&self, key: &str) -> bool {
        self.read().fresh(key).is_some()
    }

    /// The page at `key` for when it can't be rendered again, within the limits for that.
    pub fn stale(&self, key: &str) -> Option<Arc<Page>> {
        let contents = self.read();
        let slot = contents.slots.get(key)?;
        // What is yet to be has elapsed for no time at all.
        let over = |since: Option<Instant>, limit| since.is_some_and(|at| at.elapsed() > limit);
        let too_old = over(slot.purged.as_ref().map(|purged| purged.at), self.limits.purged)
            || over(Some(slot.page.expires), self.limits.purged)
            || over(contents.unverified_since, self.limits.unverified);
        (!too_old).then(|| slot.page.clone())
    }

    /// The trace of the purge that removed the page at `key`.
    pub fn purge_trace(&self, key: &str) -> Option<PurgeTrace> {
        let contents = self.read();
        let purged = contents.slots.get(key)?.purged.as_ref()?;
        let traceparent = purged.traceparent.clone()?;
        let is_part = purged.shows_the_change && purged.at.elapsed() < PART_OF_THE_PUBLISH;
        Some(PurgeTrace { traceparent, is_part })
    }

    /// Stores a `page` whose render began at `began`, unless a purge has overtaken it. The position
    /// is the one up to which the page is known to be current.
    pub fn store(&self, key: &Arc<str>, page: &Arc<Page>, began: Position) -> (Stored, Position) {
        let mut contents = self.write();
        let now = contents.purges.position();
        if !page.keep {
            return (Stored::NotKept, began);
        }
        if now.era != began.era || !contents.purges.allow(page.sequence, &page.tags) {
            return (Stored::OutOfDate, began);
        }
        let weight = page.weight(key);
        if weight > self.max_bytes / 8 {
            return (Stored::NotKept, now);
        }
        let uses = contents.remove(key).map_or(0, |old| old.uses.load(Ordering::Relaxed) / 2);
        contents.insert(key, page, weight, uses);
        contents.evict(self.max_bytes);
        (Stored::Kept, now)
    }

    /// Whether nothing that `page` shows was purged since it was made, as far as a page says what it shows.
    pub fn is_current(&self, page: &Page) -> bool {
        !page.keep || self.read().purges.allow(page.sequence, &page.tags)
    }

    /// Puts `packed` in the place of the `page` that it was made from, if that is still there.
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

    /// Purges every page that shows one of `tags` as it was before `sequence`. The pages come back
    /// with those of the rarest tag first (what changed most particularly), and then by visits.
    pub fn purge(
        &self,
        tags: &BTreeSet<String>,
        sequence: Sequence,
        traceparent: Option<&str>,
    ) -> Vec<Removed> {
        let mut contents = self.write();
        for tag in tags {
            contents.purges.record(tag, sequence);
        }
        let mut showing: Vec<Vec<Arc<str>>> = tags
            .iter()
            .filter_map(|tag| contents.tagged.get(tag.as_str()))
            .map(|keys| keys.iter().cloned().collect())
            .collect();
        showing.sort_by_key(Vec::len);

        let own = own_tags(tags);
        let mut purged = Purged {
            at: Instant::now(),
            traceparent: traceparent.map(Arc::from),
            shows_the_change: false,
        };
        let mut removed = Vec::new();
        for keys in showing {
            let first = removed.len();
            removed.extend(keys.into_iter().filter_map(|key| {
                let page = &contents.slots.get(&key)?.page;
                purged.shows_the_change = page.tags.iter().any(|tag| own.contains(&**tag));
                let uses = contents.set_aside(&key, sequence, &purged)?;
                Some(Removed { key, uses })
            }));
            removed[first..].sort_by_key(|page| std::cmp::Reverse(page.uses));
        }
        removed
    }

    /// Purges every page that shows one of `tags`, whatever it was made from: an operator says so. What
    /// is being rendered meanwhile is not kept.
    pub fn drop_tagged(&self, tags: &BTreeSet<String>) -> Vec<Removed> {
        let mut contents = self.write();
        let showing = tags.iter().filter_map(|tag| contents.tagged.get(tag.as_str()));
        let keys: HashSet<Arc<str>> = showing.flatten().cloned().collect();
        contents.drop_pages(keys)
    }

    /// Purges every page, as [`Self::drop_tagged`] does some.
    pub fn drop_all(&self) -> Vec<Removed> {
        let mut contents = self.write();
        let keys: Vec<Arc<str>> = contents.slots.keys().cloned().collect();
        contents.drop_pages(keys)
    }

    /// Drops everything and begins again at `sequence`: changes may have been missed.
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

    /// The change stream is followed again without a gap, or has been away for too long.
    pub fn set_verified(&self, verified: bool) {
        let mut contents = self.write();
        if verified {
            contents.unverified_since = None;
        } else {
            contents.unverified_since.get_or_insert_with(Instant::now);
        }
    }

    /// The most bytes that it holds.
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// How much is in it.
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
        let doubtful = slot.purged.is_some()
            || self.unverified_since.is_some() && slot.rendered.elapsed() > UNVERIFIED_FRESHNESS
            || Instant::now() >= slot.page.expires;
        (!doubtful).then_some(slot)
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

    /// Marks the page at `key` as purged, if it was made before `sequence`. It stays for the time
    /// in which it may have to stand in for one that can't be rendered.
    fn set_aside(&mut self, key: &str, sequence: Sequence, purged: &Purged) -> Option<u32> {
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

    /// Purges the pages at `keys`, the most visited first, and what is being rendered.
    fn drop_pages(&mut self, keys: impl IntoIterator<Item = Arc<str>>) -> Vec<Removed> {
        self.purges.begin_an_era();
        let purged = Purged { at: Instant::now(), traceparent: None, shows_the_change: false };
        let mut removed: Vec<Removed> = keys
            .into_iter()
            .filter_map(|key| {
                let uses = self.set_aside(&key, Sequence::LAST, &purged)?;
                Some(Removed { key, uses })
            })
            .collect();
        removed.sort_by_key(|page| std::cmp::Reverse(page.uses));
        removed
    }

    /// Evicts until the bound holds: the hand goes round, halves the uses of what was visited and
    /// takes what was not. A purged page has nothing to wait for.
    fn evict(&mut self, max_bytes: usize) {
        while self.bytes > max_bytes {
            // What is last was perhaps just stored: it has its turn once something else is last.
            if self.hand + 1 >= self.slots.len() {
                self.hand = 0;
            }
            let Some((key, slot)) = self.slots.get_index(self.hand) else { return };
            let uses = slot.uses.load(Ordering::Relaxed);
            if uses == 0 || slot.purged.is_some() {
                let key = key.clone();
                // What was last, perhaps just stored, comes in its place, and has its turn in the
                // next round.
                self.remove(&key);
            } else {
                slot.uses.store(uses / 2, Ordering::Relaxed);
            }
            self.hand += 1;
        }
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
