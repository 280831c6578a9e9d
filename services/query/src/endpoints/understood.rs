//! What was typed, as filters.

use search_index::{PropertyQuery, understand};

use crate::{
    places::{Known, PoundRate},
    schema::{Pounds, Understood},
};

/// Narrows `query` by what its text means to one who has `known`: only the words that are left stay its
/// text. Gives the parts that became filters.
pub(crate) fn narrow(known: &Known, query: &mut PropertyQuery) -> Vec<Understood> {
    let Some(text) = query.text.take() else { return Vec::new() };
    let per_euro = known.rate.map(|rate| rate.per_euro);
    let mut understood = understand(query.locale, &text, &known.places, per_euro);
    understood.narrow(query);
    let in_pounds = |amount| {
        known.rate.map(|PoundRate { per_euro, as_of }| Pounds { amount, rate: per_euro, as_of })
    };
    let parts = understood.filters.into_iter().map(|part| Understood {
        text: part.text,
        parameter: part.parameter.to_owned(),
        value: part.value,
        pounds: part.pounds.and_then(in_pounds),
    });
    parts.collect()
}
