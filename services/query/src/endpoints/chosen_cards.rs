//! `GET /api/cards`: the homes that a visitor has saved, by their references.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::{RawQuery, State};
use contracts::{Locale, Reference, Sequence, Tag};
use serde::Deserialize;
use sqlx::{query, types::Json};

use super::card_cache::CardCache;
use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::{Card, ChosenCards},
    spans::read_rows,
};

/// Returns homes as cards, in the requested order, and lists the references that are no longer on
/// the site.
#[utoipa::path(
    get,
    path = "/api/cards",
    tag = "properties",
    params(
        ("locale" = Option<Locale>, Query, description = "The language of the texts."),
        ("reference" = Option<Vec<Reference>>, Query, description = "The references of the homes.",
            max_items = 50),
    ),
    responses((status = 200, body = ChosenCards))
)]
pub(crate) async fn chosen_cards(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<ChosenCards>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    let references = given.all::<Reference>("reference", Reference::DESCRIPTION);
    given.finish()?;
    let references: Vec<String> = references.into_iter().map(String::from).collect();
    let (mut cards, mut sequence) = CardCache::get(&node, locale, &references).await?;
    let gone = missing(&cards, references.iter());
    let mut moved = BTreeMap::new();
    if !gone.is_empty() {
        let (found, found_at) = current_references(&node, locale, &gone).await?;
        let others = missing(&cards, found.values());
        let (more, more_at) = CardCache::get(&node, locale, &others).await?;
        cards.extend(more);
        sequence = sequence.min(found_at).min(more_at);
        moved = found;
        moved.retain(|_, now| has(&cards, now));
    }
    let items = cards.iter().map(|card| Arc::clone(&card.card_json)).collect();
    let body = ChosenCards { items, gone, moved };
    Ok(Answer { body, sequence, tags: vec![Tag::PropertyList, Tag::LocationList, Tag::Day] })
}

fn has(cards: &[Arc<Card>], reference: &str) -> bool {
    cards.iter().any(|card| card.item.reference == reference)
}

/// Returns the `references` for which there is no card in `cards`.
fn missing<'a>(cards: &[Arc<Card>], references: impl Iterator<Item = &'a String>) -> Vec<String> {
    references.filter(|reference| !has(cards, reference)).cloned().collect()
}

/// A home's former reference, and its current one.
#[derive(Debug, Deserialize)]
struct Moved {
    former: String,
    now: String,
}

/// Returns the current references of the homes that had the `former` ones, found the same way as their pages
/// are, and the position they were read at.
async fn current_references(
    node: &Node,
    locale: Locale,
    former: &[String],
) -> Result<(BTreeMap<String, String>, Sequence), ApiError> {
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select jsonb_build_object('former', asked.reference, 'now', p.reference)
                     from unnest($2::text[]) as asked (reference)
                     cross join lateral (
                         select key from read.offer as o where o.reference = asked.reference
                         order by o.changed_at desc limit 1) as last
                     join read.property as p on p.key = last.key and p.locale = $1)
                   as "moved!: Vec<Json<Moved>>""#,
        locale.code(),
        former,
    );
    let row = read_rows("SELECT read.offer read.property", statement.fetch_one(&node.pool)).await?;
    let moved = row.moved.into_iter().map(|Json(moved)| (moved.former, moved.now));
    Ok((moved.collect(), Sequence::from_i64(row.sequence)))
}
