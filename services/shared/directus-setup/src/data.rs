//! The declarative parts, as they stand in `data/`.

use std::collections::BTreeMap;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Error, texts::Names};

/// A collection, as `data/` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the files")]
pub struct CollectionData {
    pub collection: String,
    /// The collection that it holds the texts of.
    pub translates: Option<String>,
    pub name: Option<Names>,
    pub icon: Option<String>,
    /// Its place in the Studio's list.
    pub order: Option<u32>,
    pub template: Option<String>,
    /// Whether its items have an order that editors give them.
    #[serde(default)]
    pub sorted: bool,
    /// Whether its items have drafts beside what is published.
    #[serde(default)]
    pub versioned: bool,
    /// The path of its items' pages on the site, as Directus writes templates: where they are previewed.
    pub page: Option<String>,
    #[serde(default)]
    pub hidden: bool,
    #[serde(default)]
    pub singleton: bool,
    /// Whether its items have no status.
    #[serde(default)]
    pub plain: bool,
    /// Whether Directus must keep no copies: it holds what visitors sent.
    #[serde(default)]
    pub personal: bool,
    /// Whether a program of ours tells editors something by it: no content, and what a program
    /// writes all day belongs in no history.
    #[serde(default)]
    pub told: bool,
    pub fields: Vec<FieldData>,
}

/// A field, as `data/` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the files")]
pub struct FieldData {
    /// Empty where the kind names its fields itself.
    #[serde(default)]
    pub field: String,
    pub is: Kind,
    pub name: Option<Names>,
    pub note: Option<Names>,
    #[serde(default)]
    pub half: bool,
    pub needed: Option<Needed>,
    #[serde(default)]
    pub unique: bool,
    #[serde(default)]
    pub readonly: bool,
    pub default: Option<String>,
    pub length: Option<u32>,
    pub precision: Option<u32>,
    pub scale: Option<u32>,
    /// The choices, or the columns of a list.
    pub of: Option<Choices>,
    /// Words that a program writes and editors choose from.
    pub words: Option<Vec<(String, String, String)>>,
    /// Shown only where this filter holds.
    pub shown_if: Option<Value>,
    /// Hidden where this filter holds.
    pub hidden_if: Option<Value>,
    pub icon: Option<String>,
    /// Whether a group is closed at first.
    #[serde(default)]
    pub closed: bool,
    /// What a group holds.
    #[serde(default)]
    pub fields: Vec<FieldData>,
    /// The collection that it names an item of.
    pub to: Option<String>,
    /// Whether that item can't be deleted while this one names it.
    #[serde(default)]
    pub keeps: bool,
    pub template: Option<String>,
    /// Of a map: the field that names the place that the item lies in.
    pub place: Option<String>,
    /// What the other collection calls the list of these.
    #[serde(rename = "as")]
    pub as_field: Option<String>,
    /// The other key of a junction.
    pub beside: Option<String>,
    /// Whether that list is sorted.
    #[serde(default)]
    pub sorted: bool,
}

/// How a field must be filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Needed {
    /// By the editor.
    Always,
    /// By the editor or, where it is left empty, by the extension.
    Made,
}

/// Where choices come from.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Choices {
    /// Of the vocabulary.
    Vocabulary(String),
    /// A value, what it is called in English, what in Spanish.
    Listed(Vec<(String, String, String)>),
}

/// What kind of field it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    IntegerKey,
    UuidKey,
    CodeKey,
    Status,
    Text,
    Slug,
    LongText,
    RichText,
    Whole,
    Decimal,
    Flag,
    Date,
    Moment,
    /// One of a few.
    Choice,
    /// Some of many, and others that an editor invents.
    Labels,
    Tags,
    Json,
    /// What a program of ours remembers of the item, and no editor sees.
    Memory,
    List,
    /// Which rules are broken: fields, their values, and the rules in both languages.
    Reasons,
    /// Months, weekdays, and from when to when.
    OpeningHours,
    /// What each room is for, its size and floor.
    Rooms,
    Reference,
    Picture,
    Pictures,
    Translations,
    /// The key of the item that it is a part of, with which it goes.
    PartOf,
    Group,
    /// No field but a place in the form, where the extension says whether the item is on the site.
    LiveStatus,
    /// No field but a place in the form, where the extension sets `lat` and `lng`.
    Map,
    Sort,
    DateUpdated,
    DateCreated,
    /// Four fields: who made and changed it, and when.
    History,
}

/// Who may do what.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessData {
    pub policies: Vec<PolicyData>,
    pub roles: Vec<RoleData>,
    pub services: Vec<ServiceData>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyData {
    pub id: String,
    pub name: String,
    pub icon: String,
    /// Whether it opens the Studio, and so takes a seat.
    pub studio: bool,
    /// Actions by collection; `*` stands for all content.
    pub may: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleData {
    pub id: String,
    pub name: String,
    pub icon: String,
    pub description: String,
    pub policies: Vec<String>,
}

/// A program of ours that calls Directus by a token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceData {
    pub id: String,
    pub name: String,
    pub token: TokenName,
    pub policy: String,
}

/// Which token a service has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenName {
    Content,
    Enquiries,
    Erase,
    LiveStatus,
    Preview,
    Console,
}

/// A flow that posts what happened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowData {
    pub id: String,
    /// Whether it is wanted only where enquiries are.
    #[serde(default)]
    pub of_enquiries: bool,
    pub name: String,
    pub description: String,
    pub events: Vec<String>,
    /// `*` stands for all content.
    pub collections: Vec<String>,
    pub operation: String,
    pub operation_key: String,
    pub operation_name: String,
    /// The variable of Directus's environment that names where to post to.
    pub address: String,
    /// The variable that holds the secret to post with.
    pub secret: String,
}

/// What editors find ready in the Studio.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewsData {
    pub bookmarks: Vec<BookmarkData>,
    pub dashboard: DashboardData,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookmarkData {
    /// None for what a collection shows where nobody has chosen otherwise.
    pub name: Option<Names>,
    pub collection: String,
    pub icon: Option<String>,
    pub filter: Value,
    pub columns: Vec<String>,
    pub sort: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DashboardData {
    pub id: String,
    pub name: Names,
    pub icon: String,
    pub panels: Vec<PanelData>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelData {
    pub id: String,
    pub name: Names,
    pub icon: String,
    /// Left, top, width, height, in the dashboard's grid.
    pub at: [u32; 4],
    pub counts: Option<PanelOf>,
    pub lists: Option<PanelOf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelOf {
    pub collection: String,
    pub filter: Option<Value>,
    pub template: Option<String>,
    pub sort: Option<String>,
}

/// The collections, each after those that it refers to.
pub fn collections() -> Result<Vec<CollectionData>, Error> {
    let mut all = Vec::new();
    for (what, text) in [
        ("data/site.json", include_str!("../data/site.json")),
        ("data/homes.json", include_str!("../data/homes.json")),
        ("data/editorial.json", include_str!("../data/editorial.json")),
        ("data/office.json", include_str!("../data/office.json")),
    ] {
        all.extend(parsed::<Vec<CollectionData>>(what, text)?);
    }
    Ok(all)
}

pub fn access() -> Result<AccessData, Error> {
    parsed("data/access.json", include_str!("../data/access.json"))
}

pub fn flows() -> Result<Vec<FlowData>, Error> {
    parsed("data/flows.json", include_str!("../data/flows.json"))
}

pub fn views() -> Result<ViewsData, Error> {
    parsed("data/views.json", include_str!("../data/views.json"))
}

fn parsed<T: DeserializeOwned>(what: &str, text: &str) -> Result<T, Error> {
    serde_json::from_str(text)
        .map_err(|error| Error::Data { what: what.to_owned(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    #[test]
    fn editors_read_of_the_site_by_the_word_that_visitors_read() {
        for text in [
            include_str!("../data/site.json"),
            include_str!("../data/homes.json"),
            include_str!("../data/editorial.json"),
            include_str!("../data/office.json"),
            include_str!("../data/views.json"),
        ] {
            let other = text.lines().find(|line| line.to_lowercase().contains("sitio"));
            assert_eq!(other, None, "it is “la web”");
        }
    }
}
