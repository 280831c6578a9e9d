//! `GET /api/cards`: the homes that a visitor keeps, by their references.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use contracts::{Locale, Reference, Tag};
use utoipa::IntoParams;

use super::kept_cards::KeptCards;
use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::ChosenCards,
};

/// The parameters, for the document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which are read one by one")]
pub(crate) struct ChosenParameters {
    /// The language of the texts.
    locale: Option<Locale>,
    /// A home's reference.
    #[param(max_items = 50)]
    reference: Option<Vec<Reference>>,
}

/// Homes as cards, in the order that was asked; those that are not for sale any more are named.
#[utoipa::path(
    get,
    path = "/api/cards",
    tag = "properties",
    params(ChosenParameters),
    responses((status = 200, body = ChosenCards))
)]
pub(crate) async fn chosen_cards(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<ChosenCards>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    let references = given.all::<Reference>("reference", Reference::WORDS);
    given.finish()?;
    let references: Vec<String> = references.into_iter().map(String::from).collect();
    let (cards, sequence) = KeptCards::of(&node, locale, &references).await?;
    let is_there = |reference: &String| cards.iter().any(|card| card.item.reference == *reference);
    let gone = references.iter().filter(|reference| !is_there(reference)).cloned().collect();
    let items = cards.iter().map(|card| Arc::clone(&card.brief)).collect();
    let body = ChosenCards { items, gone };
    Ok(Answer { body, sequence, tags: vec![Tag::PropertyList, Tag::LocationList, Tag::Day] })
}
