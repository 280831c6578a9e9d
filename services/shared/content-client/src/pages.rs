//! Reads a complete collection page by page.

use std::collections::BTreeMap;

use contracts::{AggregateId, Collection};
use serde_json::json;

use crate::{
    client::{Client, Items, has_uuid_keys, is_integer_key, map_item},
    error::Error,
    fields,
    reading::Reading,
};

/// A page may have this many unreadable items, or as many as readable ones if that is more. If more fail, the
/// cause is not single items, and the page fails.
const MAX_UNREADABLE: usize = 10;

/// One page of a collection.
#[derive(Debug)]
pub struct Page {
    /// Its items in the order of their keys, including drafts as [`Reading::Hidden`].
    pub readings: Vec<(AggregateId, Reading)>,
    /// The keys that the service fails to return, although it returns others.
    pub unreadable: BTreeMap<String, Error>,
    /// The key after which the next page starts; `None` for the last page.
    pub next: Option<String>,
}

impl Client {
    /// Reads a page of at most `limit` items of `collection`, after the key `after`.
    ///
    /// Pages are ordered by key, so that an item that exists all the time is on exactly one page. An
    /// unreadable item does not prevent reading the others.
    pub async fn read_all(
        &self,
        collection: Collection,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, Error> {
        if collection.is_singleton() {
            let readings = self.read_singleton(collection).await?.into_iter().collect();
            return Ok(Page { readings, unreadable: BTreeMap::new(), next: None });
        }
        if has_uuid_keys(collection) {
            return self.read_page_by_ids(collection, after, limit).await;
        }
        match self.read_page(collection, after, limit).await {
            Err(error) if error.may_be_caused_by_one_item() => {
                self.read_page_by_ids(collection, after, limit).await
            }
            page => page,
        }
    }

    async fn read_page(
        &self,
        collection: Collection,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, Error> {
        let mut query = vec![
            ("fields", fields::full(collection).to_owned()),
            ("sort", "id".to_owned()),
            ("limit", limit.to_string()),
        ];
        if let Some(after) = after {
            query.push(("filter", json!({ "id": { "_gt": after } }).to_string()));
        }
        let items = self.items(collection.name(), &query).await?.data;
        let readings = items
            .iter()
            .map(|item| map_item(collection, item))
            .collect::<Result<Vec<_>, Error>>()?;
        let next = if readings.len() < limit { None } else { last_key(&readings) };
        Ok(Page { readings, unreadable: BTreeMap::new(), next })
    }

    /// Reads a page by listing all keys and reading a range of them. It is used for keys that the service
    /// can't compare, and for isolating unreadable items.
    async fn read_page_by_ids(
        &self,
        collection: Collection,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, Error> {
        let after = after.map(sort_key);
        let mut keys: Vec<String> = self
            .ids(collection)
            .await?
            .into_iter()
            .map(|id| id.key)
            .filter(|key| after.is_none_or(|after| sort_key(key) > after))
            .collect();
        keys.sort_unstable_by(|one, other| sort_key(one).cmp(&sort_key(other)));
        let more = keys.len() > limit;
        keys.truncate(limit);
        let Items { mut readings, mut unreadable } = self.read_many(collection, &keys).await?;
        if unreadable.len() > MAX_UNREADABLE.max(readings.len())
            && let Some((_, error)) = unreadable.pop_first()
        {
            return Err(error);
        }
        // In the order of `keys`, without items that were deleted since the keys were listed.
        let existing = keys.iter().filter_map(|key| {
            let reading = readings.remove(key).filter(|reading| *reading != Reading::Absent)?;
            Some((AggregateId::new(collection, key.clone()), reading))
        });
        let readings = existing.collect();
        Ok(Page { readings, unreadable, next: keys.pop().filter(|_| more) })
    }
}

fn last_key(readings: &[(AggregateId, Reading)]) -> Option<String> {
    readings.last().map(|(id, _)| id.key.clone())
}

/// Returns the sort key of `key`: integers sort by value, others as text.
fn sort_key(key: &str) -> (usize, &str) {
    if is_integer_key(key) { (key.len(), key) } else { (usize::MAX, key) }
}
