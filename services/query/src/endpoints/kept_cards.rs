//! The cards of properties that were shown lately.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use contracts::{Locale, Sequence, Tag};

use read_models::PropertyCard;
use runtime::postgres::answered;
use sqlx::{query, types::Json};

use crate::{
    Node,
    error::ApiError,
    schema::{Card, ON_CARD, item},
};

/// How many cards are kept, of some five thousand bytes each.
const MOST: usize = 10_000;
/// For how long what is kept counts after a look: longer than a look may wait for a connection, or a crowd that
/// asks Postgres would keep it from counting for as long as it comes. Rows also change at one position, which a
/// node that can't look would never see; whoever tells of that waits as long.
pub(crate) const COUNTS_FOR: Duration = Duration::from_secs(5);

/// Cards by language and reference, each until a change touches it.
#[derive(Default)]
pub(crate) struct KeptCards(Mutex<CardsAt>);

#[derive(Default)]
struct CardsAt {
    /// Every card is at least as new as the last look. Before the first one nothing tells of changes,
    /// and nothing is kept.
    looked: Option<Look>,
    /// When that look began.
    looked_at: Option<Instant>,
    cards: [HashMap<String, Arc<Card>>; 2],
}

/// Up to where changes were looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    pub position: Sequence,
    /// How many changes were found: rows also change without a position of their own, when they
    /// are filled anew or a message is applied late.
    changed: u64,
}

impl CardsAt {
    /// The last look, while it counts.
    fn looked(&self) -> Option<Look> {
        self.looked.filter(|_| self.looked_at.is_some_and(|at| at.elapsed() < COUNTS_FOR))
    }
}

impl KeptCards {
    /// The cards of `references`, in their order and without those that the read models no longer
    /// have, and the position that all of them are at least as new as.
    ///
    /// Only what is not kept is asked of Postgres, in one statement.
    pub async fn of(
        node: &Node,
        locale: Locale,
        references: &[String],
    ) -> Result<(Vec<Arc<Card>>, Sequence), ApiError> {
        let (mut found, looked) = node.cards.kept(locale, references);
        let missing: Vec<String> =
            references.iter().filter(|each| !found.contains_key(*each)).cloned().collect();
        let sequence = match looked {
            Some(looked) if missing.is_empty() => looked.position,
            _ => {
                let (cards, read_at) = read(node, locale, missing).await?;
                node.cards.keep(looked, read_at, locale, &cards);
                found.extend(cards.into_iter().map(|card| (card.item.reference.clone(), card)));
                looked.map_or(read_at, |looked| looked.position.min(read_at))
            }
        };
        let cards = references.iter().filter_map(|reference| found.remove(reference));
        Ok((cards.collect(), sequence))
    }

    /// Drops what the changes up to `position` have touched, by their tags, as a look found them that
    /// began at `looked_at`; everything where it is not known what they were.
    pub fn follow<'a>(
        &self,
        looked_at: Instant,
        position: Sequence,
        changes: Option<impl IntoIterator<Item = &'a BTreeSet<String>>>,
    ) {
        let mut kept = self.lock();
        kept.looked_at = Some(looked_at);
        let mut count = kept.looked.map_or(0, |looked| looked.changed);
        let Some(changes) = changes else {
            kept.looked = Some(Look { position, changed: count + 1 });
            kept.cards = Default::default();
            return;
        };
        for tags in changes {
            count += 1;
            let mut is_of_properties = false;
            let mut is_of_places = false;
            for tag in tags {
                match tag.parse() {
                    Ok(Tag::Property(reference)) => {
                        is_of_properties = true;
                        kept.cards.iter_mut().for_each(|cards| drop(cards.remove(&reference)));
                    }
                    Ok(Tag::Location(_)) => is_of_places = true,
                    _ => {}
                }
            }
            // The name of a place stands on the card of every home there.
            if is_of_places && !is_of_properties {
                kept.cards = Default::default();
            }
        }
        kept.looked = Some(Look { position, changed: count });
    }

    /// The last look at changes; none before the first one, nor once it is too long ago.
    pub fn looked(&self) -> Option<Look> {
        self.lock().looked()
    }

    fn kept(
        &self,
        locale: Locale,
        references: &[String],
    ) -> (HashMap<String, Arc<Card>>, Option<Look>) {
        let kept = self.lock();
        let looked = kept.looked();
        if looked.is_none() {
            return (HashMap::new(), None);
        }
        let cards = &kept.cards[locale.index()];
        let found = references
            .iter()
            .filter_map(|reference| Some((reference.clone(), Arc::clone(cards.get(reference)?))));
        (found.collect(), looked)
    }

    /// Keeps `cards`, which were read after the look `looked`, as they are at `read_at`.
    fn keep(&self, looked: Option<Look>, read_at: Sequence, locale: Locale, cards: &[Arc<Card>]) {
        let mut kept = self.lock();
        let Some(looked) = looked else { return };
        // What has changed since then may be among them, as may be what a server has that is behind.
        if kept.looked != Some(looked) || read_at < looked.position {
            return;
        }
        if kept.cards.iter().map(HashMap::len).sum::<usize>() + cards.len() > MOST {
            kept.cards = Default::default();
        }
        kept.cards[locale.index()]
            .extend(cards.iter().map(|card| (card.item.reference.clone(), Arc::clone(card))));
    }

    fn lock(&self) -> MutexGuard<'_, CardsAt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(
    node: &Node,
    locale: Locale,
    references: Vec<String>,
) -> Result<(Vec<Arc<Card>>, Sequence), ApiError> {
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(c) from read.property_card as c
                     where locale = $1 and reference = any($2))
                   as "cards!: Vec<Json<PropertyCard>>""#,
        locale.code(),
        &references,
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let cards = row
        .cards
        .into_iter()
        .map(|Json(card)| Card::new(item(card, ON_CARD), locale).map(Arc::new));
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
        Arc::new(Card::new(item(row, ON_CARD), Locale::En).expect("a card"))
    }

    fn kept(cards: &KeptCards) -> Vec<String> {
        let all = ["A".to_owned(), "B".to_owned()];
        let mut kept: Vec<_> = cards.kept(Locale::En, &all).0.into_keys().collect();
        kept.sort_unstable();
        kept
    }

    fn change(tags: &[&str]) -> BTreeSet<String> {
        tags.iter().map(|tag| (*tag).to_owned()).collect()
    }

    fn with_a_and_b() -> KeptCards {
        let cards = KeptCards::default();
        let start = Sequence::from(1);
        cards.follow(Instant::now(), start, Some(&[]));
        cards.keep(cards.looked(), start, Locale::En, &[card("A"), card("B")]);
        assert_eq!(kept(&cards), ["A", "B"]);
        cards
    }

    #[test]
    fn a_change_takes_the_cards_that_show_it_and_no_other() {
        let cards = with_a_and_b();
        let of_a_home = change(&["property:A", "list:properties", "location:nerja"]);
        cards.follow(
            Instant::now(),
            Sequence::from(2),
            Some(&[of_a_home, change(&["page:about"])]),
        );
        assert_eq!(kept(&cards), ["B"]);
        cards.follow(
            Instant::now(),
            Sequence::from(3),
            Some(&[change(&["location:nerja", "list:locations"])]),
        );
        assert!(kept(&cards).is_empty());
    }

    #[test]
    fn changes_that_are_not_known_take_all() {
        let cards = with_a_and_b();
        cards.follow(Instant::now(), Sequence::from(9), None::<[&BTreeSet<String>; 0]>);
        assert!(kept(&cards).is_empty());
    }

    #[test]
    fn nothing_is_kept_while_nobody_looks() {
        let cards = with_a_and_b();
        // It was asked long ago and has answered just now.
        let long_ago = Instant::now().checked_sub(COUNTS_FOR).expect("the machine runs for longer");
        cards.follow(long_ago, Sequence::from(1), Some(&[]));
        assert!(kept(&cards).is_empty() && cards.looked().is_none());
        cards.follow(Instant::now(), Sequence::from(1), Some(&[]));
        assert_eq!(kept(&cards), ["A", "B"]);
        assert!(cards.looked().is_some());
    }

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let cards = with_a_and_b();
        let before = cards.looked();
        cards.follow(Instant::now(), Sequence::from(2), Some(&[change(&["property:A"])]));
        cards.keep(before, Sequence::from(2), Locale::En, &[card("A")]);
        assert_eq!(kept(&cards), ["B"]);
    }

    #[test]
    fn what_was_read_before_rows_changed_at_one_position_is_not_kept_after_it() {
        let cards = with_a_and_b();
        let before = cards.looked();
        cards.follow(Instant::now(), Sequence::from(1), None::<[&BTreeSet<String>; 0]>);
        cards.keep(before, Sequence::from(1), Locale::En, &[card("A")]);
        assert!(kept(&cards).is_empty());
        cards.keep(cards.looked(), Sequence::from(1), Locale::En, &[card("A")]);
        assert_eq!(kept(&cards), ["A"]);
    }

    #[test]
    fn what_a_server_has_that_is_behind_is_not_kept() {
        let cards = with_a_and_b();
        cards.follow(Instant::now(), Sequence::from(2), Some(&[change(&["property:A"])]));
        cards.keep(cards.looked(), Sequence::from(1), Locale::En, &[card("A")]);
        assert_eq!(kept(&cards), ["B"]);
        cards.keep(cards.looked(), Sequence::from(2), Locale::En, &[card("A")]);
        assert_eq!(kept(&cards), ["A", "B"]);
    }

    #[test]
    fn nothing_is_kept_before_changes_are_looked_at() {
        let cards = KeptCards::default();
        cards.keep(None, Sequence::from(1), Locale::En, &[card("A")]);
        assert!(kept(&cards).is_empty());
    }
}
