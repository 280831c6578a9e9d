//! The read models: what each table holds, as a pure function of a snapshot.

mod article;
mod doc;
mod location;
mod navigation;
pub(crate) mod offer;
mod page;
mod picture;
mod property;
mod redirect;
mod site_settings;
mod team_member;

use chrono::{DateTime, Utc};
use contracts::{AggregateId, Collection, Locale, Localized, Version, content::Snapshot};
use serde_json::{Map, Value, json};

use crate::table::{Per, Table};

/// One table of read models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadModel {
    /// Cards and details of properties.
    Property,
    /// Places.
    Location,
    /// Names, addresses, figures.
    SiteSettings,
    /// Menu entries.
    Navigation,
    /// Guides, legal texts, landing pages.
    Page,
    /// News.
    Article,
    /// The documentation.
    Doc,
    /// The people of the agency.
    TeamMember,
    /// Moved paths.
    Redirect,
}

/// One row: a JSON object with a member for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The table.
    pub model: ReadModel,
    /// The columns by name.
    pub columns: Map<String, Value>,
}

impl ReadModel {
    /// Every read model.
    pub const ALL: [Self; 9] = [
        Self::Property,
        Self::Location,
        Self::SiteSettings,
        Self::Navigation,
        Self::Page,
        Self::Article,
        Self::Doc,
        Self::TeamMember,
        Self::Redirect,
    ];

    /// The read model of the aggregates of `collection`.
    pub const fn of(collection: Collection) -> Self {
        match collection {
            Collection::Properties => Self::Property,
            Collection::Locations => Self::Location,
            Collection::SiteSettings => Self::SiteSettings,
            Collection::Navigation => Self::Navigation,
            Collection::Pages => Self::Page,
            Collection::Articles => Self::Article,
            Collection::Docs => Self::Doc,
            Collection::Team => Self::TeamMember,
            Collection::Redirects => Self::Redirect,
        }
    }

    /// Its name: that of the view `read.<name>`.
    pub const fn name(self) -> &'static str {
        self.table().name
    }

    pub(crate) const fn table(self) -> &'static Table {
        match self {
            Self::Property => &property::TABLE,
            Self::Location => &location::TABLE,
            Self::SiteSettings => &site_settings::TABLE,
            Self::Navigation => &navigation::TABLE,
            Self::Page => &page::TABLE,
            Self::Article => &article::TABLE,
            Self::Doc => &doc::TABLE,
            Self::TeamMember => &team_member::TABLE,
            Self::Redirect => &redirect::TABLE,
        }
    }

    /// The rows of `snapshot`, captured as `version` at `changed_at`: what the tables should hold of
    /// it. None where there is no text in any language to show.
    pub fn rows(
        id: &AggregateId,
        version: Version,
        changed_at: DateTime<Utc>,
        snapshot: &Snapshot,
    ) -> Vec<Row> {
        let model = Self::of(snapshot.collection());
        let row = |locale: Option<Locale>| -> Option<Row> {
            let columns = match (snapshot, locale) {
                (Snapshot::Properties(property), Some(locale)) => {
                    Some(property::columns(property, locale))
                }
                (Snapshot::Locations(place), Some(locale)) => location::columns(place, locale),
                (Snapshot::SiteSettings(settings), Some(locale)) => {
                    site_settings::columns(settings, locale)
                }
                (Snapshot::Navigation(link), Some(locale)) => navigation::columns(link, locale),
                (Snapshot::Pages(page), Some(locale)) => page::columns(page, locale),
                (Snapshot::Articles(article), Some(locale)) => article::columns(article, locale),
                (Snapshot::Docs(doc), Some(locale)) => doc::columns(doc, locale),
                (Snapshot::Team(member), Some(locale)) => team_member::columns(member, locale),
                (Snapshot::Redirects(redirect), None) => Some(redirect::columns(redirect)),
                _ => None,
            };
            let Value::Object(mut columns) = columns? else { return None };
            columns.insert("key".to_owned(), json!(id.key));
            columns.insert("version".to_owned(), json!(version));
            columns.insert("changed_at".to_owned(), json!(changed_at));
            if let Some(locale) = locale {
                columns.insert("locale".to_owned(), json!(locale));
            }
            Some(Row { model, columns })
        };
        if model.table().per == Per::Locale {
            Locale::ALL.into_iter().filter_map(|locale| row(Some(locale))).collect()
        } else {
            row(None).into_iter().collect()
        }
    }
}

/// The languages that `text` is written in.
fn written_in<T>(text: &Localized<T>) -> Vec<Locale> {
    Locale::ALL.into_iter().filter(|locale| text.get(*locale).is_some()).collect()
}
