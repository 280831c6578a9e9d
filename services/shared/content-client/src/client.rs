//! The client for published content.

use std::{collections::BTreeMap, time::Duration};

use backon::{ConstantBuilder, Retryable};
use bytes::Bytes;
use contracts::{AggregateId, Collection, PartCollection};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use url::Url;
use uuid::Uuid;

use crate::{
    activity::{Activity, ActivityWindow},
    error::Error,
    fields, mapping,
    raw::Raw,
    reading::{ComparableItem, Reading},
    transport::{Answer, ITEM_TIMEOUT, LIST_TIMEOUT, Transport, malformed},
};

/// The maximum number of keys in one call, since they are listed in the URL.
const MAX_KEYS: usize = 100;

/// How often a list that is shorter than its count is requested again, and after which delay.
const RECOUNTS: usize = 3;
const RECOUNT_DELAY: Duration = Duration::from_millis(100);

type Object = Map<String, Value>;

/// Reads the content service.
#[derive(Clone, Debug)]
pub struct Client {
    transport: Transport,
}

/// The result of reading several items, by key.
#[derive(Debug, Default)]
pub struct Items {
    /// The items that were read.
    pub readings: BTreeMap<String, Reading>,
    /// The items that the service fails to return, although it returns others.
    pub unreadable: BTreeMap<String, Error>,
}

impl Items {
    /// Returns whether the item was requested and does not exist.
    pub fn is_absent(&self, key: &str) -> bool {
        !self.unreadable.contains_key(key)
            && self.readings.get(key).is_none_or(|reading| *reading == Reading::Absent)
    }
}

/// An item's key and whether it is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdStatus {
    /// The key.
    pub key: String,
    /// Whether its status is neither `draft` nor `archived`.
    pub published: bool,
}

impl Client {
    /// Creates a client of the service at `base`, with a token that may read every collection. With an empty
    /// token, requests are anonymous.
    ///
    /// A TLS provider must have been installed for the process.
    pub fn new(base: Url, token: SecretString) -> Result<Self, Error> {
        Transport::new(base, token).map(|transport| Self { transport }).map_err(Error::Unreachable)
    }

    /// Reads one complete aggregate.
    pub async fn read(&self, id: &AggregateId) -> Result<Reading, Error> {
        let keys = std::slice::from_ref(&id.key);
        let mut readings = self.read_together(id.collection, keys).await?;
        Ok(readings.remove(&id.key).unwrap_or(Reading::Absent))
    }

    /// Reads the aggregates of `collection` with `keys`. The result has an entry for every key. If a call
    /// fails in a way that a single item may cause, the keys are split in halves until that item is isolated,
    /// so that the others can be read.
    pub async fn read_many(&self, collection: Collection, keys: &[String]) -> Result<Items, Error> {
        let mut items = Items::default();
        let mut answers_at_all = false;
        let mut waiting: Vec<&[String]> = keys.chunks(MAX_KEYS).collect();
        while let Some(keys) = waiting.pop() {
            let error = match self.read_together(collection, keys).await {
                Ok(readings) => {
                    items.readings.extend(readings);
                    continue;
                }
                Err(error) => error,
            };
            if error.may_be_caused_by_one_item() && !answers_at_all {
                answers_at_all = self.canary(collection).await.unwrap_or(false);
            }
            if !(error.may_be_caused_by_one_item() && answers_at_all) {
                return Err(error);
            }
            match keys {
                [key] => {
                    items.unreadable.insert(key.clone(), error);
                }
                _ => waiting.extend(keys.chunks(keys.len().div_ceil(2))),
            }
        }
        Ok(items)
    }

    /// Returns the content of a published item, even if it breaks rules; `None` if there is no item, or it is
    /// a draft or archived.
    pub async fn comparable(&self, id: &AggregateId) -> Result<Option<ComparableItem>, Error> {
        let collection = id.collection;
        let item = if collection.is_singleton() {
            self.singleton(collection).await?
        } else if is_possible_key(collection, &id.key) {
            self.fetch_full(collection, &[&id.key]).await?.into_iter().next()
        } else {
            None
        };
        Ok(item.and_then(|item| mapping::comparable(collection, &item)))
    }

    /// Reads at most [`MAX_KEYS`] aggregates in one call. The result has an entry for every key.
    ///
    /// The request uses a filter, because the service answers a request by key with the same 403 for a missing
    /// item as for one that the token may not see.
    async fn read_together(
        &self,
        collection: Collection,
        keys: &[String],
    ) -> Result<BTreeMap<String, Reading>, Error> {
        let mut readings: BTreeMap<String, Reading> =
            keys.iter().map(|key| (key.clone(), Reading::Absent)).collect();
        if collection.is_singleton() {
            if let Some((id, reading)) = self.read_singleton(collection).await? {
                readings.entry(id.key).and_modify(|slot| *slot = reading);
            }
            return Ok(readings);
        }
        let possible: Vec<&String> =
            keys.iter().filter(|key| is_possible_key(collection, key)).collect();
        if possible.is_empty() {
            return Ok(readings);
        }
        for item in &self.fetch_full(collection, &possible).await? {
            let (id, reading) = map_item(collection, item)?;
            readings.insert(id.key, reading);
        }
        Ok(readings)
    }

    /// Fetches the items of `collection` with `keys`, including all their parts.
    async fn fetch_full(
        &self,
        collection: Collection,
        keys: &[&String],
    ) -> Result<Vec<Object>, Error> {
        let filter = json!({ "id": { "_in": keys } });
        let query = [
            ("fields", fields::full(collection).to_owned()),
            ("filter", filter.to_string()),
            ("limit", "-1".to_owned()),
        ];
        Ok(self.items(collection.name(), &query).await?.data)
    }

    /// Returns every key of `collection` with its publication status. It is cheap, for sweeps.
    ///
    /// Fails with [`Error::Partial`] if the list is shorter than the service's own count.
    pub async fn ids(&self, collection: Collection) -> Result<Vec<IdStatus>, Error> {
        if collection.is_singleton() {
            let found = self.read_singleton(collection).await?;
            let id = found.map(|(id, reading)| IdStatus {
                key: id.key,
                published: matches!(reading, Reading::Published { .. } | Reading::Invalid { .. }),
            });
            return Ok(id.into_iter().collect());
        }
        // The service lists and counts in two statements, so an item created in between is only counted. A
        // retry fixes that, but not a truncated list.
        let tries = ConstantBuilder::default().with_delay(RECOUNT_DELAY).with_max_times(RECOUNTS);
        (|| self.try_ids(collection))
            .retry(tries)
            .when(|error| matches!(error, Error::Partial { .. }))
            .await
    }

    async fn try_ids(&self, collection: Collection) -> Result<Vec<IdStatus>, Error> {
        let query = [
            ("fields", "id,status".to_owned()),
            ("sort", "id".to_owned()),
            ("limit", "-1".to_owned()),
            ("meta", "filter_count".to_owned()),
        ];
        let answer = self.items(collection.name(), &query).await?;
        let listed = answer.data.len() as u64;
        let counted = answer.meta.filter_count.unwrap_or(u64::MAX);
        if listed < counted {
            return Err(Error::Partial { path: collection.name().to_owned(), listed, counted });
        }
        answer
            .data
            .iter()
            .map(|item| {
                let raw = Raw::new(item);
                let key = raw.key("id").ok_or_else(|| malformed(collection.name(), "no id"))?;
                let status = item.get("status").and_then(Value::as_str).unwrap_or_default();
                Ok(IdStatus { key, published: !mapping::is_withdrawn(status.trim()) })
            })
            .collect()
    }

    /// Returns the rows of the activity log in `window`, ordered by id.
    pub async fn activity(&self, window: &ActivityWindow) -> Result<Vec<Activity>, Error> {
        let query = [
            ("fields", "id,collection,item,timestamp".to_owned()),
            ("filter", window.filter().to_string()),
            ("sort", "id".to_owned()),
            ("limit", window.limit.to_string()),
        ];
        Ok(self.transport.get("/activity", &query, LIST_TIMEOUT).await?.data)
    }

    /// Returns the aggregates that the rows `keys` of `part` reference. Deleted rows and files reference
    /// none; which aggregates used them is known only from earlier readings.
    pub async fn parents(
        &self,
        part: PartCollection,
        keys: &[String],
    ) -> Result<Vec<AggregateId>, Error> {
        let Some((parent, field)) = part.parent() else { return Ok(Vec::new()) };
        let keys: Vec<&String> = keys.iter().filter(|key| is_integer_key(key)).collect();
        let mut parents = Vec::new();
        for chunk in keys.chunks(MAX_KEYS) {
            let query = [
                ("fields", field.clone()),
                ("filter", json!({ "id": { "_in": chunk } }).to_string()),
                ("limit", "-1".to_owned()),
            ];
            let rows = self.items(&part.name(), &query).await?.data;
            parents.extend(
                rows.iter()
                    .filter_map(|row| Raw::new(row).key(&field))
                    .map(|key| aggregate_id(parent, key)),
            );
        }
        parents.sort_unstable();
        parents.dedup();
        Ok(parents)
    }

    /// Returns the bytes of `file` at `version`.
    pub async fn original(&self, file: Uuid, version: &str) -> Result<Bytes, Error> {
        let query = [("v", version.to_owned())];
        self.transport.get_file(&format!("/assets/{file}"), &query).await
    }

    /// Returns whether the token can demonstrably read `collection`: it sees an item or, if the collection is
    /// readable but empty, the languages, which every content service has.
    ///
    /// Call this before treating an absent item as deleted.
    pub async fn canary(&self, collection: Collection) -> Result<bool, Error> {
        if collection.is_singleton() {
            if self.read_singleton(collection).await?.is_some() {
                return Ok(true);
            }
        } else {
            let query = [("fields", "id".to_owned()), ("limit", "1".to_owned())];
            if !self.items(collection.name(), &query).await?.data.is_empty() {
                return Ok(true);
            }
        }
        let query = [("fields", "code".to_owned()), ("limit", "1".to_owned())];
        Ok(!self.items("languages", &query).await?.data.is_empty())
    }

    pub(crate) async fn read_singleton(
        &self,
        collection: Collection,
    ) -> Result<Option<(AggregateId, Reading)>, Error> {
        let item = self.singleton(collection).await?;
        item.map(|item| map_item(collection, &item)).transpose()
    }

    async fn singleton(&self, collection: Collection) -> Result<Option<Object>, Error> {
        let path = format!("/items/{collection}");
        let query = [("fields", fields::full(collection).to_owned())];
        let answer: Answer<Object> = self.transport.get(&path, &query, ITEM_TIMEOUT).await?;
        // A singleton that was never saved is returned with its defaults and without an id.
        let is_saved = Raw::new(&answer.data).key("id").is_some();
        Ok(is_saved.then_some(answer.data))
    }

    pub(crate) async fn items(
        &self,
        collection: &str,
        query: &[(&str, String)],
    ) -> Result<Answer<Vec<Object>>, Error> {
        let is_list = query.iter().any(|(name, _)| *name == "sort");
        let timeout = if is_list { LIST_TIMEOUT } else { ITEM_TIMEOUT };
        self.transport.get(&format!("/items/{collection}"), query, timeout).await
    }
}

pub(crate) fn map_item(
    collection: Collection,
    item: &Object,
) -> Result<(AggregateId, Reading), Error> {
    let raw = Raw::new(item);
    let key = raw.key("id").ok_or_else(|| malformed(collection.name(), "an item without id"))?;
    Ok((aggregate_id(collection, key), mapping::reading(collection, raw)))
}

fn aggregate_id(collection: Collection, key: String) -> AggregateId {
    if collection.is_singleton() {
        AggregateId::singleton(collection)
    } else {
        AggregateId::new(collection, key)
    }
}

pub(crate) const fn has_uuid_keys(collection: Collection) -> bool {
    matches!(collection, Collection::Articles)
}

/// Returns whether `key` has the key type of `collection`. A hint may contain any key, and the service fails
/// the whole request for one key of the wrong type.
fn is_possible_key(collection: Collection, key: &str) -> bool {
    if has_uuid_keys(collection) { Uuid::try_parse(key).is_ok() } else { is_integer_key(key) }
}

pub(crate) fn is_integer_key(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_digit()) && key.parse::<i32>().is_ok()
}
