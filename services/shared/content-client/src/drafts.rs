//! Reads unpublished content for previews, and for nothing else.
//!
//! It has a separate client and type, so that no draft can get where a [`Reading`](crate::Reading) is
//! recorded: a [`Draft`] gives access to the rows that a page is rendered from, and can't be cloned,
//! serialised or converted to a [`Snapshot`].

use std::fmt;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use contracts::{AggregateId, Collection, Version, Violation, content::Snapshot};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use url::Url;
use uuid::Uuid;

use crate::{
    error::Error,
    fields, mapping,
    raw::Raw,
    transport::{Answer, ITEM_TIMEOUT, Transport, malformed},
};

type Object = Map<String, Value>;

/// The maximum number of drafts that are searched for one that changes the item's name.
const MAX_DRAFTS: usize = 500;
/// How many items are requested by name or key. Two items may have the same name; the first one is used.
const MAX_MATCHES: usize = 1;

/// The requested form of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The main item, published or not.
    Main,
    /// The content version with this name; the main item, if it has no such version.
    Version(String),
}

/// Reads the content service for previews.
#[derive(Clone, Debug)]
pub struct Drafts {
    transport: Transport,
}

/// An item as an editor sees it.
pub struct Draft {
    id: AggregateId,
    main_name: Option<String>,
    status: String,
    is_version: bool,
    refused: Vec<Violation>,
    left_out: Vec<Violation>,
    shown: Option<Snapshot>,
}

impl Drafts {
    /// Creates a client of the service at `base`, with a token that may read content, files and versions.
    ///
    /// A TLS provider must have been installed for the process.
    pub fn new(base: Url, token: SecretString) -> Result<Self, Error> {
        Transport::new(base, token).map(|transport| Self { transport }).map_err(Error::Unreachable)
    }

    /// Returns the item of `collection` whose `field` is `value`, in `form`. An empty `value` finds an item
    /// whose field is empty.
    pub async fn find(
        &self,
        collection: Collection,
        field: &str,
        value: &str,
        form: &Form,
    ) -> Result<Option<Draft>, Error> {
        // A field that an editor leaves empty is null or empty.
        let wanted = match value {
            "" => json!({ "_empty": true }),
            _ => json!({ "_eq": value }),
        };
        let by_name = json!({ field: wanted });
        let Form::Version(version) = form else {
            let main = self.first(collection, &by_name, None).await?;
            return main.map(|main| draft(collection, &main, None, false)).transpose();
        };
        let mut key = self.key(collection, &by_name).await?;
        let mut main_name = None;
        if key.is_none() {
            // The draft may change the name itself.
            key = self.named(collection, field, value, version).await?;
            if let Some(key) = &key {
                main_name = self.main_name(collection, field, key).await?;
            }
        }
        let Some(key) = key else { return Ok(None) };
        let by_key = json!({ "id": { "_eq": key } });
        let Some(item) = self.version(collection, &key, version).await? else {
            let main = self.first(collection, &by_key, None).await?;
            return main.map(|main| draft(collection, &main, None, false)).transpose();
        };
        let mut found = draft(collection, &item, None, true)?;
        if found.shown.is_none() {
            // Fields that break a rule are shown as in the main item.
            let main = self.first(collection, &by_key, None).await?;
            found = draft(collection, &item, main.as_ref(), true)?;
        }
        found.main_name = main_name;
        Ok(Some(found))
    }

    /// Checks that the service answers and accepts the token, by reading only a key.
    pub async fn check_access(&self) -> Result<(), Error> {
        let query = [("fields", "id".to_owned()), ("limit", "1".to_owned())];
        self.items(Collection::Pages, &query).await.map(drop)
    }

    /// Returns a picture, scaled by the content service to at most `width` pixels wide, in `format` as the
    /// service calls it.
    pub async fn picture(&self, file: Uuid, width: u32, format: &str) -> Result<Bytes, Error> {
        let query = [
            ("width", width.to_string()),
            ("fit", "inside".to_owned()),
            ("withoutEnlargement", "true".to_owned()),
            ("format", format.to_owned()),
        ];
        self.transport.get_file(&format!("/assets/{file}"), &query).await
    }

    /// Returns only the key of the item that `filter` finds; if it has a version, its other fields are not
    /// needed.
    async fn key(&self, collection: Collection, filter: &Value) -> Result<Option<String>, Error> {
        let query = [
            ("fields", "id".to_owned()),
            ("filter", filter.to_string()),
            ("limit", MAX_MATCHES.to_string()),
        ];
        let found = self.items(collection, &query).await?;
        found.first().map(|item| key_of(collection, item)).transpose()
    }

    /// Returns the `version` of the item with `key`, if there is one.
    ///
    /// The item is requested by key, because then the content service computes only this version. For a list
    /// it first computes the versions of all items, whatever the filter, which takes longer the more drafts
    /// there are.
    async fn version(
        &self,
        collection: Collection,
        key: &str,
        version: &str,
    ) -> Result<Option<Object>, Error> {
        let path = format!("/items/{collection}/{key}");
        let query =
            [("fields", fields::full(collection).to_owned()), ("version", version.to_owned())];
        let answer: Result<Answer<Object>, Error> =
            self.transport.get(&path, &query, ITEM_TIMEOUT).await;
        match answer {
            Ok(answer) => Ok(Some(answer.data)),
            // A missing version gives the same 403 as one that may not be read.
            Err(error @ Error::NotFoundOrForbidden(_)) => {
                if self.has_version(collection, key, version).await? {
                    Err(error)
                } else {
                    Ok(None)
                }
            }
            // A version with values that can't be stored is refused by key, but a list contains it.
            Err(error) if error.may_be_caused_by_one_item() => {
                let by_key = json!({ "id": { "_eq": key } });
                let found = self.first(collection, &by_key, Some(version)).await?;
                Ok(found.filter(|found| Raw::new(found).key("id").as_deref() == Some(key)))
            }
            Err(error) => Err(error),
        }
    }

    async fn has_version(
        &self,
        collection: Collection,
        key: &str,
        version: &str,
    ) -> Result<bool, Error> {
        let filter = json!({
            "collection": { "_eq": collection.name() },
            "item": { "_eq": key },
            "key": { "_eq": version },
        });
        let query = [
            ("fields", "id".to_owned()),
            ("filter", filter.to_string()),
            ("limit", MAX_MATCHES.to_string()),
        ];
        let answer: Answer<Vec<Object>> =
            self.transport.get("/versions", &query, ITEM_TIMEOUT).await?;
        Ok(!answer.data.is_empty())
    }

    /// Returns the key of the item whose version sets `field` to `value`.
    async fn named(
        &self,
        collection: Collection,
        field: &str,
        value: &str,
        version: &str,
    ) -> Result<Option<String>, Error> {
        let query = [
            ("fields", format!("id,{field}")),
            ("version", version.to_owned()),
            ("limit", MAX_DRAFTS.to_string()),
        ];
        let drafts = self.items(collection, &query).await?;
        let named = |draft: &&Object| {
            draft.get(field).is_some_and(|named| named.as_str().unwrap_or_default() == value)
        };
        let found = drafts.iter().find(named);
        Ok(found.and_then(|draft| Raw::new(draft).key("id")))
    }

    /// Returns `field` of the main item with `key`; empty if the field is.
    async fn main_name(
        &self,
        collection: Collection,
        field: &str,
        key: &str,
    ) -> Result<Option<String>, Error> {
        let query = [
            ("fields", field.to_owned()),
            ("filter", json!({ "id": { "_eq": key } }).to_string()),
            ("limit", MAX_MATCHES.to_string()),
        ];
        let found = self.items(collection, &query).await?;
        let name =
            |item: &Object| item.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(found.first().map(name))
    }

    async fn first(
        &self,
        collection: Collection,
        filter: &Value,
        version: Option<&str>,
    ) -> Result<Option<Object>, Error> {
        let mut query = vec![
            ("fields", fields::full(collection).to_owned()),
            ("filter", filter.to_string()),
            ("limit", MAX_MATCHES.to_string()),
        ];
        if let Some(version) = version {
            query.push(("version", version.to_owned()));
        }
        Ok(self.items(collection, &query).await?.into_iter().next())
    }

    async fn items(
        &self,
        collection: Collection,
        query: &[(&str, String)],
    ) -> Result<Vec<Object>, Error> {
        let path = format!("/items/{collection}");
        let answer: Answer<Vec<Object>> = self.transport.get(&path, query, ITEM_TIMEOUT).await?;
        Ok(answer.data)
    }
}

impl Draft {
    /// Returns the rows that a page is rendered from; none if the item can't be shown at all. `rows_of` is a
    /// function pointer, so that it can't capture and keep the snapshot.
    pub fn rows<R>(
        &self,
        rows_of: fn(&AggregateId, Version, DateTime<Utc>, &Snapshot) -> Vec<R>,
    ) -> Vec<R> {
        let shown = self.shown.as_ref();
        shown
            .map(|shown| rows_of(&self.id, Version::default(), Utc::now(), shown))
            .unwrap_or_default()
    }

    /// Returns the item's id.
    pub const fn id(&self) -> &AggregateId {
        &self.id
    }

    /// Returns the name of the main item, if the draft changes it; empty if the main item has none.
    pub fn main_name(&self) -> Option<&str> {
        self.main_name.as_deref()
    }

    /// Returns its status as in the content service.
    pub fn status(&self) -> &str {
        &self.status
    }

    /// Returns whether it is a version of the item, not the main item.
    pub const fn is_version(&self) -> bool {
        self.is_version
    }

    /// Returns the rules that would keep it off the site if it were published as it is. A field that breaks a
    /// rule is shown as in the main item, if that is valid.
    pub fn refused(&self) -> &[Violation] {
        &self.refused
    }

    /// Returns the pictures that the site would omit. It does not include files that only turn out to be
    /// broken when they are read.
    pub fn left_out(&self) -> &[Violation] {
        &self.left_out
    }
}

/// Omits the content, so that logs never contain a draft.
impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Creates the draft of `item`, which is a version of `main` or the main item itself.
fn draft(
    collection: Collection,
    item: &Object,
    main: Option<&Object>,
    is_version: bool,
) -> Result<Draft, Error> {
    let key = key_of(collection, item)?;
    let status = item.get("status").and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut refused = Vec::new();
    let mut item = item.clone();
    publish(collection, &mut item, &mut refused);
    refused.extend(mapping::publication_violations(collection, Raw::new(&item)));
    let shown = match mapping::snapshot(collection, Raw::new(&item)) {
        Ok(snapshot) => Some(snapshot),
        Err(violations) => {
            refused.extend(violations);
            main.and_then(|main| {
                for violation in &refused {
                    let field = violation.field.split('.').next().unwrap_or_default();
                    if let Some(before) = main.get(field) {
                        item.insert(field.to_owned(), before.clone());
                    }
                }
                publish(collection, &mut item, &mut Vec::new());
                mapping::snapshot(collection, Raw::new(&item)).ok()
            })
        }
    };
    let left_out = mapping::left_out(Raw::new(&item));
    let id = AggregateId::new(collection, key);
    Ok(Draft { id, main_name: None, status, is_version, refused, left_out, shown })
}

/// Changes `item` so that it is read as if it were published. Adds the rules to `refused` that publishing
/// only the item would not fix: a property also needs a published place, other items with a place do not.
fn publish(collection: Collection, item: &mut Object, refused: &mut Vec<Violation>) {
    item.insert("status".to_owned(), json!("published"));
    if collection == Collection::Properties {
        refused.extend(mapping::publish_place(item));
    }
}

fn key_of(collection: Collection, item: &Object) -> Result<String, Error> {
    Raw::new(item).key("id").ok_or_else(|| malformed(collection.name(), "an item without id"))
}

#[cfg(test)]
mod tests {
    use contracts::Locale;

    use super::*;

    fn home(price: i64, title: &str) -> Object {
        let home = json!({
            "id": 7, "status": "published", "ref": "AH-7", "listing_status": "for_sale",
            "property_type": "house", "kind": "villa", "price": price, "images": [],
            "energy_rating": "B",
            "location": { "id": 1, "status": "published", "slug": "nerja",
                          "translations": [{ "languages_code": "en-GB", "name": "Nerja" }] },
            "translations": [{ "id": 1, "languages_code": "en-GB", "title": title,
                               "summary": "", "description": "" }],
        });
        home.as_object().expect("an object").clone()
    }

    fn seen(draft: &Draft) -> Vec<(Option<i64>, String)> {
        draft.rows(|_, _, _, snapshot| match snapshot {
            Snapshot::Properties(home) => {
                let (_, text) = home.text.get_or_fallback(Locale::En).expect("a text");
                vec![(home.price, text.title.clone())]
            }
            _ => Vec::new(),
        })
    }

    #[test]
    fn a_draft_is_shown_as_if_it_were_published() {
        let mut item = home(250_000, "A draft");
        item.insert("status".to_owned(), json!("draft"));
        let draft = draft(Collection::Properties, &item, None, false).expect("a draft");
        assert_eq!(seen(&draft), [(Some(250_000), "A draft".to_owned())]);
        assert_eq!((draft.status(), draft.is_version()), ("draft", false));
        assert!(draft.refused().is_empty(), "{:?}", draft.refused());
    }

    #[test]
    fn a_field_that_breaks_a_rule_is_reported_and_shown_as_in_the_main_item() {
        let main = home(250_000, "As it was");
        let invalid = home(-5, "A draft");
        let draft = draft(Collection::Properties, &invalid, Some(&main), true).expect("a draft");
        assert_eq!(draft.refused().len(), 1);
        assert_eq!(draft.refused()[0].field, "price");
        assert_eq!(seen(&draft), [(Some(250_000), "A draft".to_owned())]);
    }

    #[test]
    fn an_item_that_was_never_valid_is_reported_and_not_shown() {
        let invalid = home(-5, "A draft");
        let draft = draft(Collection::Properties, &invalid, None, false).expect("a draft");
        assert_eq!(draft.refused().len(), 1);
        assert!(seen(&draft).is_empty());
    }

    #[test]
    fn a_missing_energy_rating_is_reported_but_the_draft_is_shown() {
        let mut item = home(250_000, "A draft");
        item.insert("energy_rating".to_owned(), json!("in_process"));
        let draft = draft(Collection::Properties, &item, None, false).expect("a draft");
        assert_eq!(draft.refused()[0].field, "energy_rating");
        assert_eq!(seen(&draft), [(Some(250_000), "A draft".to_owned())]);
    }

    #[test]
    fn an_unpublished_place_of_a_property_is_reported() {
        let mut item = home(250_000, "A draft");
        item["location"]["status"] = json!("draft");
        let draft = draft(Collection::Properties, &item, None, false).expect("a draft");
        assert_eq!(draft.refused()[0].field, "location");
        assert_eq!(seen(&draft).len(), 1);
    }

    #[test]
    fn an_unpublished_place_does_not_keep_a_page_off_the_site() {
        let page = json!({
            "id": 3, "status": "draft", "slug": "nerja-malaga-east", "kind": "landing",
            "location": { "id": 1, "status": "draft", "slug": "nerja" },
            "translations": [{ "id": 5, "languages_code": "en-GB", "title": "Nerja" }],
        });
        let page = page.as_object().expect("an object");
        let draft = draft(Collection::Pages, page, None, false).expect("a draft");
        assert!(draft.refused().is_empty(), "{:?}", draft.refused());
        let places = draft.rows(|_, _, _, snapshot| match snapshot {
            Snapshot::Pages(page) => vec![page.location.clone()],
            _ => Vec::new(),
        });
        assert_eq!(places, [None], "as the site would show it");
    }

    #[test]
    fn debug_output_omits_the_content() {
        let draft = draft(Collection::Properties, &home(1, "Zanzibar"), None, false);
        assert!(!format!("{draft:?}").contains("Zanzibar"));
    }
}
