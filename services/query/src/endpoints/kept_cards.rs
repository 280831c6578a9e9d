//! The cards of properties that were shown lately.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use contracts::{Locale, Sequence};

use super::cards::{COLUMNS, CardRow, ON_CARD};
use crate::{
    Node,
    database::{fetch, statement},
    error::ApiError,
    schema::PropertyItem,
};

/// How many cards are kept, of some two thousand bytes each.
const MOST: usize = 20_000;

/// Cards by language and reference, kept until the read models move on.
#[derive(Default)]
pub(crate) struct KeptCards(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// Where the feed saw the read models when the cards were asked for.
    asked_at: Option<Sequence>,
    /// The least position that one of them was read at.
    sequence: Option<Sequence>,
    cards: [HashMap<String, PropertyItem>; 2],
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
    ) -> Result<(Vec<PropertyItem>, Sequence), ApiError> {
        // Before anything is read: what is kept is at least as new as what it is kept for.
        let asked_at = *node.projected.borrow();
        let (mut found, kept_at) = node.cards.kept(asked_at, locale, references);
        let missing: Vec<String> =
            references.iter().filter(|each| !found.contains_key(*each)).cloned().collect();
        let sequence = match kept_at {
            Some(sequence) if missing.is_empty() => sequence,
            _ => {
                let (cards, read_at) = read(node, locale, missing).await?;
                node.cards.keep(asked_at, locale, &cards, read_at);
                found.extend(cards.into_iter().map(|card| (card.reference.clone(), card)));
                kept_at.map_or(read_at, |sequence| sequence.min(read_at))
            }
        };
        let items = references.iter().filter_map(|reference| found.remove(reference));
        Ok((items.collect(), sequence))
    }

    fn kept(
        &self,
        asked_at: Sequence,
        locale: Locale,
        references: &[String],
    ) -> (HashMap<String, PropertyItem>, Option<Sequence>) {
        let kept = self.lock();
        if kept.asked_at != Some(asked_at) {
            return (HashMap::new(), None);
        }
        let cards = &kept.cards[usize::from(locale == Locale::Es)];
        let found = references.iter().filter_map(|reference| {
            cards.get(reference).map(|card| (reference.clone(), card.clone()))
        });
        (found.collect(), kept.sequence)
    }

    fn keep(&self, asked_at: Sequence, locale: Locale, cards: &[PropertyItem], sequence: Sequence) {
        // Before the feed has looked for the first time nothing tells of changes.
        if asked_at == Sequence::START {
            return;
        }
        let mut kept = self.lock();
        if kept.asked_at.is_some_and(|newest| newest > asked_at) {
            return;
        }
        let count: usize = kept.cards.iter().map(HashMap::len).sum();
        if kept.asked_at != Some(asked_at) || count + cards.len() > MOST {
            *kept = Kept { asked_at: Some(asked_at), ..Kept::default() };
        }
        kept.sequence = Some(kept.sequence.map_or(sequence, |least| least.min(sequence)));
        kept.cards[usize::from(locale == Locale::Es)]
            .extend(cards.iter().map(|card| (card.reference.clone(), card.clone())));
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn read(
    node: &Node,
    locale: Locale,
    references: Vec<String>,
) -> Result<(Vec<PropertyItem>, Sequence), ApiError> {
    let sql = format!(
        "select coalesce(json_agg(c), '[]') from (
            select {COLUMNS} from read.property where locale = $1 and reference = any($2)) as c"
    );
    let asked = statement(&sql).bind(locale.code()).bind(references);
    let (rows, sequence): (Vec<CardRow>, _) = fetch(&node.pool, asked).await?;
    Ok((rows.into_iter().map(|card| card.into_item(locale, ON_CARD)).collect(), sequence))
}
