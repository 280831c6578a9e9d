//! What was typed, as filters.

use contracts::Sequence;
use search_index::{PropertyQuery, understand};

use crate::{Node, error::ApiError, places::Places, schema::Understood};

/// Narrows `query` by what its text means: only the words that are left stay its text. Gives the
/// parts that became filters, and the position of what they were understood by, if anything was
/// typed.
pub(crate) async fn narrow(
    node: &Node,
    query: &mut PropertyQuery,
) -> Result<(Vec<Understood>, Option<Sequence>), ApiError> {
    let Some(text) = query.text.take() else { return Ok((Vec::new(), None)) };
    let (places, sequence) = Places::of(node, query.locale).await?;
    let mut understood = understand(query.locale, &text, &places);
    understood.narrow(query);
    let parts = understood.parts.into_iter().map(|part| Understood {
        text: part.text,
        parameter: part.parameter.to_owned(),
        value: part.value,
    });
    Ok((parts.collect(), Some(sequence)))
}
