//! The declarative descriptions in `data/`.

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
    /// The collection whose texts it contains.
    pub translates: Option<String>,
    pub name: Option<Names>,
    pub icon: Option<String>,
    /// Its position in the Studio's list.
    pub order: Option<u32>,
    pub template: Option<String>,
    /// Whether editors can sort its items.
    #[serde(default)]
    pub sorted: bool,
    /// Whether its items have drafts besides the published version.
    #[serde(default)]
    pub versioned: bool,
    /// The path of its items' pages on the site, as a Directus template, for previews.
    pub page: Option<String>,
    #[serde(default)]
    pub hidden: bool,
    #[serde(default)]
    pub singleton: bool,
    /// Whether its items have no status.
    #[serde(default)]
    pub plain: bool,
    /// Whether it contains data from visitors, of which Directus must keep no copies.
    #[serde(default)]
    pub personal: bool,
    /// Whether an Almijara program writes it to inform editors. It is not content, and such frequent writes
    /// are kept out of the history.
    #[serde(default)]
    pub told: bool,
    pub fields: Vec<FieldData>,
}

/// A field, as `data/` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the files")]
pub struct FieldData {
    /// Empty if the kind determines the field names.
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
    /// Values that a program writes and editors choose from.
    pub words: Option<Vec<(String, String, String)>>,
    /// Shown only where this filter holds.
    pub shown_if: Option<Value>,
    /// Hidden where this filter holds.
    pub hidden_if: Option<Value>,
    pub icon: Option<String>,
    /// Whether a group is initially closed.
    #[serde(default)]
    pub closed: bool,
    /// The fields of a group.
    #[serde(default)]
    pub fields: Vec<FieldData>,
    /// The collection that it references.
    pub to: Option<String>,
    /// Whether the referenced item can't be deleted while this one references it.
    #[serde(default)]
    pub keeps: bool,
    pub template: Option<String>,
    /// For a map: the field with the place of the item.
    pub place: Option<String>,
    /// The field of the referenced collection that lists these items.
    #[serde(rename = "as")]
    pub as_field: Option<String>,
    /// The other key of a junction.
    pub beside: Option<String>,
    /// Whether that list is sorted.
    #[serde(default)]
    pub sorted: bool,
}

/// Who must fill in a required field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Needed {
    /// The editor.
    Always,
    /// The editor or, if the editor leaves it empty, the extension.
    Made,
}

/// The source of choices.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Choices {
    /// A part of the vocabulary.
    Vocabulary(String),
    /// Values with their English and Spanish names.
    Listed(Vec<(String, String, String)>),
}

/// The kind of a field.
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
    /// One of several choices.
    Choice,
    /// Several of many choices, and values that an editor adds.
    Labels,
    Tags,
    Json,
    /// Data that an Almijara program stores with the item, hidden from editors.
    Memory,
    List,
    /// The broken rules: fields, their values, and the rules in both languages.
    Reasons,
    /// Months, weekdays, and opening and closing times.
    OpeningHours,
    /// The kind of each room, its size and floor.
    Rooms,
    Reference,
    Picture,
    Pictures,
    Translations,
    /// The key of the item that it is a part of, with which it is deleted.
    PartOf,
    Group,
    /// A form element without a column, where the extension shows whether the item is on the site.
    LiveStatus,
    /// A form element without a column, where the extension sets `lat` and `lng`.
    Map,
    Sort,
    DateUpdated,
    DateCreated,
    /// Four fields: who created and changed it, and when.
    History,
}

/// Policies, roles and service accounts.
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
    /// Whether it gives access to the Studio, and so takes a seat.
    pub studio: bool,
    /// Actions by collection; `*` stands for all content that is not named itself.
    pub may: BTreeMap<String, Vec<String>>,
    /// Actions that an earlier version granted and this one does not.
    #[serde(default)]
    pub taken_back: BTreeMap<String, Vec<String>>,
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

/// An Almijara program that calls Directus with a token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceData {
    pub id: String,
    pub name: String,
    pub token: TokenName,
    pub policy: String,
}

/// The token of a service.
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

impl TokenName {
    /// Returns the environment variable in which the set-up is given it.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Content => "CONTENT_TOKEN",
            Self::Enquiries => "ENQUIRIES_TOKEN",
            Self::Erase => "ENQUIRIES_ERASE_TOKEN",
            Self::LiveStatus => "LIVE_STATUS_TOKEN",
            Self::Preview => "PREVIEW_TOKEN",
            Self::Console => "CONSOLE_CONTENT_TOKEN",
        }
    }
}

/// A flow that posts events.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowData {
    pub id: String,
    /// Whether it is only needed if enquiries are enabled.
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
    /// The environment variable of Directus with the URL to post to.
    pub address: String,
    /// The environment variable with the secret for posting.
    pub secret: String,
}

/// Bookmarks and the dashboard in the Studio.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewsData {
    pub bookmarks: Vec<BookmarkData>,
    pub dashboard: DashboardData,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookmarkData {
    /// `None` for the default view of a collection.
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

/// Returns the collections, each after those that it references.
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
        .map_err(|error| Error::Data { what: what.to_owned(), source: error.into() })
}

#[cfg(test)]
mod tests {
    #[test]
    fn spanish_texts_use_the_same_word_for_the_site_as_the_site_itself() {
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
