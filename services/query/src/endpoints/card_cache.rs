//! A cache of the cards of recently shown properties.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use contracts::{Locale, Sequence, Tag};

use read_models::PropertyCard;
use sqlx::{query, types::Json};

use crate::{
    Node,
    error::ApiError,
    schema::{CARD_PICTURES, Card, list_item},
    spans::read_rows,
};

/// The maximum number of cached cards, of some five thousand bytes each.
const MAX_CARDS: usize = 10_000;
/// How old the last poll may be for the cache to be used. It is longer than a poll may wait for a connection:
/// otherwise heavy traffic on Postgres would disable the cache for as long as it lasts. There has to be a limit
/// because rows also change without a new position, which a node that can't poll would never notice. A node
/// that announces such a change first waits this long, so that no other node still uses its old cards.
pub(crate) const MAX_POLL_AGE: Duration = Duration::from_secs(5);

/// Cards by language and reference. Each is cached until a change touches it.
#[derive(Default)]
pub(crate) struct CardCache(Mutex<State>);

#[derive(Default)]
struct State {
    /// Every card is at least as new as the last poll. Before the first poll nothing is cached, since nothing
    /// would invalidate it.
    last_poll: Option<LastPoll>,
    /// When that poll began.
    polled_at: Option<Instant>,
    cards: [HashMap<String, Arc<Card>>; 2],
}

/// Identifies the state of the read models at a poll of the feed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastPoll {
    pub position: Sequence,
    /// How many changes all polls have found. The position alone is not enough: rows also change without a
    /// new position, when they are rebuilt or a message is applied late.
    change_count: u64,
}

impl State {
    /// Returns the last poll, unless it is too old.
    fn last_poll(&self) -> Option<LastPoll> {
        self.last_poll.filter(|_| self.polled_at.is_some_and(|at| at.elapsed() < MAX_POLL_AGE))
    }
}

impl CardCache {
    /// Returns the cards of `references`, in their order and without those that the read models no longer
    /// have, and a position that all of them are at least as new as.
    ///
    /// Only cards that are not cached are read from Postgres, in one statement.
    pub async fn get(
        node: &Node,
        locale: Locale,
        references: &[String],
    ) -> Result<(Vec<Arc<Card>>, Sequence), ApiError> {
        let (mut found, last_poll) = node.cards.cached(locale, references);
        let missing: Vec<String> =
            references.iter().filter(|each| !found.contains_key(*each)).cloned().collect();
        let sequence = match last_poll {
            Some(last_poll) if missing.is_empty() => last_poll.position,
            _ => {
                let (cards, read_at) = read(node, locale, missing).await?;
                node.cards.insert(last_poll, read_at, locale, &cards);
                found.extend(cards.into_iter().map(|card| (card.item.reference.clone(), card)));
                last_poll.map_or(read_at, |last_poll| last_poll.position.min(read_at))
            }
        };
        let cards = references.iter().filter_map(|reference| found.remove(reference));
        Ok((cards.collect(), sequence))
    }

    /// Removes the cards that `changes` touch, given by their tags, or all cards where the changes are not
    /// known. A poll that began at `polled_at` found them, and the read models at `position`.
    pub fn invalidate<'a>(
        &self,
        polled_at: Instant,
        position: Sequence,
        changes: Option<impl IntoIterator<Item = &'a BTreeSet<String>>>,
    ) {
        let mut state = self.lock();
        state.polled_at = Some(polled_at);
        let mut change_count = state.last_poll.map_or(0, |last_poll| last_poll.change_count);
        let Some(changes) = changes else {
            state.last_poll = Some(LastPoll { position, change_count: change_count + 1 });
            state.cards = Default::default();
            return;
        };
        for tags in changes {
            change_count += 1;
            let mut touches_properties = false;
            let mut touches_places = false;
            for tag in tags {
                match tag.parse() {
                    Ok(Tag::Property(reference)) => {
                        touches_properties = true;
                        state.cards.iter_mut().for_each(|cards| drop(cards.remove(&reference)));
                    }
                    Ok(Tag::Location(_)) => touches_places = true,
                    _ => {}
                }
            }
            // The card of every home shows the name of its place.
            if touches_places && !touches_properties {
                state.cards = Default::default();
            }
        }
        state.last_poll = Some(LastPoll { position, change_count });
    }

    /// Returns the last poll; none before the first one, or if it is too old.
    pub fn last_poll(&self) -> Option<LastPoll> {
        self.lock().last_poll()
    }

    fn cached(
        &self,
        locale: Locale,
        references: &[String],
    ) -> (HashMap<String, Arc<Card>>, Option<LastPoll>) {
        let state = self.lock();
        let last_poll = state.last_poll();
        if last_poll.is_none() {
            return (HashMap::new(), None);
        }
        let cards = &state.cards[locale.index()];
        let found = references
            .iter()
            .filter_map(|reference| Some((reference.clone(), Arc::clone(cards.get(reference)?))));
        (found.collect(), last_poll)
    }

    /// Caches `cards`, which were read at the position `read_at`, after the poll `last_poll`. Does nothing if
    /// they may be outdated.
    fn insert(
        &self,
        last_poll: Option<LastPoll>,
        read_at: Sequence,
        locale: Locale,
        cards: &[Arc<Card>],
    ) {
        let mut state = self.lock();
        let Some(last_poll) = last_poll else { return };
        // They may have changed since that poll, or may come from a lagging server.
        if state.last_poll != Some(last_poll) || read_at < last_poll.position {
            return;
        }
        if state.cards.iter().map(HashMap::len).sum::<usize>() + cards.len() > MAX_CARDS {
            state.cards = Default::default();
        }
        state.cards[locale.index()]
            .extend(cards.iter().map(|card| (card.item.reference.clone(), Arc::clone(card))));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(
    node: &Node,
    locale: Locale,
    references: Vec<String>,
) -> Result<(Vec<Arc<Card>>, Sequence), ApiError> {
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(c) from read.property_card as c
                     where locale = $1 and reference = any($2))
                   as "cards!: Vec<Json<PropertyCard>>""#,
        locale.code(),
        &references,
    );
    let row = read_rows("SELECT read.property_card", statement.fetch_one(&node.pool)).await?;
    let cards = row
        .cards
        .into_iter()
        .map(|Json(card)| Card::new(list_item(card, CARD_PICTURES), locale).map(Arc::new));
    Ok((cards.collect::<Result<_, _>>()?, Sequence::from_i64(row.sequence)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(reference: &str) -> Arc<Card> {
        let row = serde_json::json!({
            "key": reference, "locale": "en", "reference": reference, "language": "en", "title": "", "summary": "",
            "location_slug": "nerja", "location_name": "Nerja", "property_type": "House",
            "kind": "villa", "status": "for_sale", "price": null, "previous_price": null,
            "bedrooms": null, "bathrooms": null, "built_area": null, "plot_area": null,
            "features": [], "featured": false, "reduced": false, "new_build": false,
            "listed_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "lat": null, "lng": null, "images": [],
        });
        let row: PropertyCard = serde_json::from_value(row).expect("a row");
        Arc::new(Card::new(list_item(row, CARD_PICTURES), Locale::En).expect("a card"))
    }

    fn cached(cache: &CardCache) -> Vec<String> {
        let all = ["A".to_owned(), "B".to_owned()];
        let mut cached: Vec<_> = cache.cached(Locale::En, &all).0.into_keys().collect();
        cached.sort_unstable();
        cached
    }

    fn change(tags: &[&str]) -> BTreeSet<String> {
        tags.iter().map(|tag| (*tag).to_owned()).collect()
    }

    fn with_a_and_b() -> CardCache {
        let cache = CardCache::default();
        let start = Sequence::from(1);
        cache.invalidate(Instant::now(), start, Some(&[]));
        cache.insert(cache.last_poll(), start, Locale::En, &[card("A"), card("B")]);
        assert_eq!(cached(&cache), ["A", "B"]);
        cache
    }

    #[test]
    fn a_change_removes_only_the_cards_that_show_it() {
        let cache = with_a_and_b();
        let of_a_home = change(&["property:A", "list:properties", "location:nerja"]);
        cache.invalidate(
            Instant::now(),
            Sequence::from(2),
            Some(&[of_a_home, change(&["page:about"])]),
        );
        assert_eq!(cached(&cache), ["B"]);
        cache.invalidate(
            Instant::now(),
            Sequence::from(3),
            Some(&[change(&["location:nerja", "list:locations"])]),
        );
        assert!(cached(&cache).is_empty());
    }

    #[test]
    fn unknown_changes_remove_all_cards() {
        let cache = with_a_and_b();
        cache.invalidate(Instant::now(), Sequence::from(9), None::<[&BTreeSet<String>; 0]>);
        assert!(cached(&cache).is_empty());
    }

    #[test]
    fn the_cache_is_not_used_after_an_old_poll() {
        let cache = with_a_and_b();
        // A poll that began long ago and has just ended.
        let long_ago =
            Instant::now().checked_sub(MAX_POLL_AGE).expect("the machine runs for longer");
        cache.invalidate(long_ago, Sequence::from(1), Some(&[]));
        assert!(cached(&cache).is_empty() && cache.last_poll().is_none());
        cache.invalidate(Instant::now(), Sequence::from(1), Some(&[]));
        assert_eq!(cached(&cache), ["A", "B"]);
        assert!(cache.last_poll().is_some());
    }

    #[test]
    fn a_card_read_before_a_change_is_not_cached_after_it() {
        let cache = with_a_and_b();
        let before = cache.last_poll();
        cache.invalidate(Instant::now(), Sequence::from(2), Some(&[change(&["property:A"])]));
        cache.insert(before, Sequence::from(2), Locale::En, &[card("A")]);
        assert_eq!(cached(&cache), ["B"]);
    }

    #[test]
    fn a_card_read_before_a_change_without_a_new_position_is_not_cached_after_it() {
        let cache = with_a_and_b();
        let before = cache.last_poll();
        cache.invalidate(Instant::now(), Sequence::from(1), None::<[&BTreeSet<String>; 0]>);
        cache.insert(before, Sequence::from(1), Locale::En, &[card("A")]);
        assert!(cached(&cache).is_empty());
        cache.insert(cache.last_poll(), Sequence::from(1), Locale::En, &[card("A")]);
        assert_eq!(cached(&cache), ["A"]);
    }

    #[test]
    fn a_card_of_a_lagging_server_is_not_cached() {
        let cache = with_a_and_b();
        cache.invalidate(Instant::now(), Sequence::from(2), Some(&[change(&["property:A"])]));
        cache.insert(cache.last_poll(), Sequence::from(1), Locale::En, &[card("A")]);
        assert_eq!(cached(&cache), ["B"]);
        cache.insert(cache.last_poll(), Sequence::from(2), Locale::En, &[card("A")]);
        assert_eq!(cached(&cache), ["A", "B"]);
    }

    #[test]
    fn nothing_is_cached_before_the_first_poll() {
        let cache = CardCache::default();
        cache.insert(None, Sequence::from(1), Locale::En, &[card("A")]);
        assert!(cached(&cache).is_empty());
    }
}
