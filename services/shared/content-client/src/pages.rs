//! Reading all of a collection, page by page.

use std::collections::BTreeMap;

use contracts::{AggregateId, Collection};
use serde_json::json;

use crate::{
    client::{Client, Items, has_uuid_keys, is_integer_key, map_item},
    error::Error,
    fields,
    reading::Reading,
};

/// A page may lack so many items, or half of them, that the service fails to give. Where it gives even
/// fewer, none of them is to blame.
const MAX_UNREADABLE: usize = 10;

/// One page of a full reading.
#[derive(Debug)]
pub struct Page {
    /// Its items in the order of their keys, drafts among them as [`Reading::Hidden`].
    pub readings: Vec<(AggregateId, Reading)>,
    /// The keys of those that the service can't give, though it gives others.
    pub unreadable: BTreeMap<String, Error>,
    /// Where the next page starts; none after the last.
    pub next: Option<String>,
}

impl Client {
    /// Reads a page of at most `limit` items of `collection`, after the key `after`.
    ///
    /// Pages go by key, so that an item that is there all the while is in exactly one of them. One
    /// that can't be given keeps none of the others from being read.
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
            Err(error) if error.may_be_of_one_item() => {
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

    /// The same for keys that the service can't compare, and for items that must be told apart: the
    /// service lists the keys, and a page of them is read.
    async fn read_page_by_ids(
        &self,
        collection: Collection,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, Error> {
        let after = after.map(place_of);
        let mut keys: Vec<String> = self
            .ids(collection)
            .await?
            .into_iter()
            .map(|id| id.key)
            .filter(|key| after.is_none_or(|after| place_of(key) > after))
            .collect();
        keys.sort_unstable_by(|one, other| place_of(one).cmp(&place_of(other)));
        let more = keys.len() > limit;
        keys.truncate(limit);
        let Items { mut readings, mut unreadable } = self.read_many(collection, &keys).await?;
        if unreadable.len() > MAX_UNREADABLE.max(readings.len())
            && let Some((_, error)) = unreadable.pop_first()
        {
            return Err(error);
        }
        // In the order of `keys`, and without what was deleted since they were listed: that is on no
        // page, as if it had been so before.
        let there = keys.iter().filter_map(|key| {
            let reading = readings.remove(key).filter(|reading| *reading != Reading::Absent)?;
            Some((AggregateId::new(collection, key.clone()), reading))
        });
        let readings = there.collect();
        Ok(Page { readings, unreadable, next: keys.pop().filter(|_| more) })
    }
}

fn last_key(readings: &[(AggregateId, Reading)]) -> Option<String> {
    readings.last().map(|(id, _)| id.key.clone())
}

/// Where `key` stands among others: numbers by their value, and else by their letters.
fn place_of(key: &str) -> (usize, &str) {
    if is_integer_key(key) { (key.len(), key) } else { (usize::MAX, key) }
}
