//! What editors write and have not published: read for a preview, and for nothing else.
//!
//! It is a client and a type of its own, so that no draft can come where a
//! [`Reading`](crate::Reading) is recorded: a [`Draft`] gives the rows that a page is made from, and
//! can be neither copied, written out nor taken for a [`Snapshot`].

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

/// How many drafts are looked through for one that goes by another name than what is published.
const MAX_DRAFTS: usize = 500;
/// Under how many names one is looked for: two items may want the same.
const MAX_SAME: usize = 1;

/// Which form of an item is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it stands among the items, published or not.
    Main,
    /// As its version of this name has it; where it has none, as it stands among the items.
    Version(String),
}

/// Reads the content service for previews.
#[derive(Clone, Debug)]
pub struct Drafts {
    transport: Transport,
}

/// An item as an editor has it in front of them.
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
    /// A client of the service at `base`, with a token that may read content, files and versions.
    ///
    /// A TLS provider must have been installed for the process.
    pub fn new(base: Url, token: SecretString) -> Result<Self, Error> {
        Transport::new(base, token).map(|transport| Self { transport }).map_err(Error::Unreachable)
    }

    /// The item of `collection` whose `field` is `value` (empty, if that is nothing), in `form`.
    pub async fn find(
        &self,
        collection: Collection,
        field: &str,
        value: &str,
        form: &Form,
    ) -> Result<Option<Draft>, Error> {
        // A field that an editor leaves empty is none at all.
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
            // Perhaps the draft changes the name itself.
            key = self.named(collection, field, value, version).await?;
            if let Some(key) = &key {
                main_name = self.main_name(collection, field, key).await?;
            }
        }
        let Some(key) = key else { return Ok(None) };
        let by_key = json!({ "id": { "_eq": key } });
        let Some(ours) = self.version(collection, &key, version).await? else {
            let main = self.first(collection, &by_key, None).await?;
            return main.map(|main| draft(collection, &main, None, false)).transpose();
        };
        let mut found = draft(collection, &ours, None, true)?;
        if found.shown.is_none() {
            // What breaks a rule is shown as it was before.
            let main = self.first(collection, &by_key, None).await?;
            found = draft(collection, &ours, main.as_ref(), true)?;
        }
        found.main_name = main_name;
        Ok(Some(found))
    }

    /// Whether the service answers and takes the token: a key is read, and nothing of what it stands for.
    pub async fn are_readable(&self) -> Result<(), Error> {
        let query = [("fields", "id".to_owned()), ("limit", "1".to_owned())];
        self.items(Collection::Pages, &query).await.map(drop)
    }

    /// A picture, scaled by the content service: at most `width` wide, in `format` as it names it.
    pub async fn picture(&self, file: Uuid, width: u32, format: &str) -> Result<Bytes, Error> {
        let query = [
            ("width", width.to_string()),
            ("fit", "inside".to_owned()),
            ("withoutEnlargement", "true".to_owned()),
            ("format", format.to_owned()),
        ];
        self.transport.get_file(&format!("/assets/{file}"), &query).await
    }

    /// The key of the item that `filter` finds; all else would be read for nothing where it has a version.
    async fn key(&self, collection: Collection, filter: &Value) -> Result<Option<String>, Error> {
        let query = [
            ("fields", "id".to_owned()),
            ("filter", filter.to_string()),
            ("limit", MAX_SAME.to_string()),
        ];
        let found = self.items(collection, &query).await?;
        found.first().map(|item| key_of(collection, item)).transpose()
    }

    /// The item of `key` as its `version` has it, where it has one.
    ///
    /// By key the content service works out this version alone; for a list it works out those of all
    /// items first, whatever the filter, and takes the longer the more drafts there are.
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
            // A version that is not there is the same 403 as one that may not be read.
            Err(error @ Error::NotFoundOrForbidden(_)) => {
                if self.has_version(collection, key, version).await? {
                    Err(error)
                } else {
                    Ok(None)
                }
            }
            // What can't be stored as it stands is refused by key. A list tells it all the same.
            Err(error) if error.may_be_of_one_item() => {
                let by_key = json!({ "id": { "_eq": key } });
                let ours = self.first(collection, &by_key, Some(version)).await?;
                Ok(ours.filter(|ours| Raw::new(ours).key("id").as_deref() == Some(key)))
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
            ("limit", MAX_SAME.to_string()),
        ];
        let answer: Answer<Vec<Object>> =
            self.transport.get("/versions", &query, ITEM_TIMEOUT).await?;
        Ok(!answer.data.is_empty())
    }

    /// The key of the item whose version makes its `field` `value`.
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

    /// What the item of `key` has in `field` among the items; empty where that is nothing.
    async fn main_name(
        &self,
        collection: Collection,
        field: &str,
        key: &str,
    ) -> Result<Option<String>, Error> {
        let query = [
            ("fields", field.to_owned()),
            ("filter", json!({ "id": { "_eq": key } }).to_string()),
            ("limit", MAX_SAME.to_string()),
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
            ("limit", MAX_SAME.to_string()),
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
    /// The rows that a page is made from, by a function that keeps nothing of what it sees; none where
    /// the item can't be shown at all.
    pub fn rows<R>(
        &self,
        rows_of: fn(&AggregateId, Version, DateTime<Utc>, &Snapshot) -> Vec<R>,
    ) -> Vec<R> {
        let shown = self.shown.as_ref();
        shown
            .map(|shown| rows_of(&self.id, Version::default(), Utc::now(), shown))
            .unwrap_or_default()
    }

    /// Which item.
    pub const fn id(&self) -> &AggregateId {
        &self.id
    }

    /// The name by which it stands among the items, where the draft changes that; empty where it has none.
    pub fn main_name(&self) -> Option<&str> {
        self.main_name.as_deref()
    }

    /// Its status, in the content service's words.
    pub fn status(&self) -> &str {
        &self.status
    }

    /// Whether it is a version beside the item, or the item itself.
    pub const fn is_version(&self) -> bool {
        self.is_version
    }

    /// What would keep it from the site, were it published as it is. A field that breaks a rule is
    /// shown as it was before, where that is better.
    pub fn refused(&self) -> &[Violation] {
        &self.refused
    }

    /// The pictures that the site would show it without. Of a file that only turns out to be broken when
    /// it is read, there is no word here.
    pub fn left_out(&self) -> &[Violation] {
        &self.left_out
    }
}

/// Without what it holds: whoever logs it logs nothing of a draft.
impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What `item` is to who previews it: a version beside `main`, or the item itself.
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
    refused.extend(mapping::kept_from_the_public(collection, Raw::new(&item)));
    let shown = match mapping::snapshot(collection, Raw::new(&item)) {
        Ok(snapshot) => Some(snapshot),
        Err(slips) => {
            refused.extend(slips);
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

/// Has `item` of `collection` read as if it were published, and notes in `refused` what that alone would
/// not mend. Of all that name a place a home alone goes with it.
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
    fn what_breaks_a_rule_is_told_and_shown_as_it_was() {
        let main = home(250_000, "As it was");
        let slip = home(-5, "A draft");
        let draft = draft(Collection::Properties, &slip, Some(&main), true).expect("a draft");
        assert_eq!(draft.refused().len(), 1);
        assert_eq!(draft.refused()[0].field, "price");
        assert_eq!(seen(&draft), [(Some(250_000), "A draft".to_owned())]);
    }

    #[test]
    fn what_was_never_right_is_told_and_not_shown() {
        let slip = home(-5, "A draft");
        let draft = draft(Collection::Properties, &slip, None, false).expect("a draft");
        assert_eq!(draft.refused().len(), 1);
        assert!(seen(&draft).is_empty());
    }

    #[test]
    fn what_lacks_its_energy_rating_is_told_and_shown_all_the_same() {
        let mut item = home(250_000, "A draft");
        item.insert("energy_rating".to_owned(), json!("in_process"));
        let draft = draft(Collection::Properties, &item, None, false).expect("a draft");
        assert_eq!(draft.refused()[0].field, "energy_rating");
        assert_eq!(seen(&draft), [(Some(250_000), "A draft".to_owned())]);
    }

    #[test]
    fn a_place_that_is_a_draft_itself_is_told() {
        let mut item = home(250_000, "A draft");
        item["location"]["status"] = json!("draft");
        let draft = draft(Collection::Properties, &item, None, false).expect("a draft");
        assert_eq!(draft.refused()[0].field, "location");
        assert_eq!(seen(&draft).len(), 1);
    }

    #[test]
    fn a_place_that_is_a_draft_itself_keeps_no_page_from_the_site() {
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
    fn nobody_logs_what_it_holds() {
        let draft = draft(Collection::Properties, &home(1, "Zanzibar"), None, false);
        assert!(!format!("{draft:?}").contains("Zanzibar"));
    }
}
