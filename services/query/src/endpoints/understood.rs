//! What was typed, as filters.

use search_index::{EUROS_A_POUND, POUNDS_AS_OF, Place, PropertyQuery, understand};

use crate::schema::{Pounds, Understood};

/// Narrows `query` by what its text means to one who knows `places`: only the words that are left
/// stay its text. Gives the parts that became filters.
pub(crate) fn narrow(places: &[Place], query: &mut PropertyQuery) -> Vec<Understood> {
    let Some(text) = query.text.take() else { return Vec::new() };
    let mut understood = understand(query.locale, &text, places);
    understood.narrow(query);
    let parts = understood.filters.into_iter().map(|part| Understood {
        text: part.text,
        parameter: part.parameter.to_owned(),
        value: part.value,
        pounds: part.pounds.map(|amount| Pounds {
            amount,
            rate: EUROS_A_POUND,
            as_of: POUNDS_AS_OF.to_owned(),
        }),
    });
    parts.collect()
}
