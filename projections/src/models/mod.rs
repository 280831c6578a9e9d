//! The read models: computes the rows of each table as a pure function of a snapshot.

mod editorial;
mod property;
mod site;

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Collection, Locale, Localized, Offer, Version, closed_set, content::Snapshot,
};
use read_models::{
    ArticleRow, DocRow, LocationRow, NavigationRow, Origin, PageRow, PropertyRow, RedirectRow,
    SiteSettingsRow, TeamMemberRow,
};
use serde::Serialize;

pub(crate) use property::offer;

closed_set!(
    /// One table of read models, by the name of its view in the schema `read`.
    ReadModel, "read model", {
        /// Cards and details of properties.
        Property = "property",
        /// Places.
        Location = "location",
        /// Names, addresses, figures.
        SiteSettings = "site_settings",
        /// Menu entries.
        Navigation = "navigation",
        /// Guides, legal texts, landing pages.
        Page = "page",
        /// News.
        Article = "article",
        /// The documentation.
        Doc = "doc",
        /// The agency's team.
        TeamMember = "team_member",
        /// Redirects from old paths.
        Redirect = "redirect",
    }
);

/// One row of a read model. It serializes to a JSON object with a member for each column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is a row of the read model of its name")]
pub enum Row {
    Property(Box<PropertyRow>),
    Location(LocationRow),
    SiteSettings(Box<SiteSettingsRow>),
    Navigation(NavigationRow),
    Page(PageRow),
    Article(ArticleRow),
    Doc(DocRow),
    TeamMember(TeamMemberRow),
    Redirect(RedirectRow),
}

/// The capture of an aggregate that a row is made from.
#[derive(Clone, Copy)]
struct Capture<'a> {
    key: &'a str,
    version: Version,
    at: DateTime<Utc>,
}

impl Capture<'_> {
    /// Returns the origin of the row for `locale`.
    fn origin(self, locale: Locale) -> Origin {
        Origin { key: self.key.to_owned(), locale, version: self.version, changed_at: self.at }
    }
}

impl ReadModel {
    /// Returns the read model for the aggregates of `collection`.
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

    /// Returns the rows that the tables should have for `snapshot`, captured as `version` at `changed_at`.
    /// Returns no rows for content without text in any language, except for properties and redirects. For a
    /// property, `offers` is its price history, the oldest first.
    pub fn rows(
        id: &AggregateId,
        version: Version,
        changed_at: DateTime<Utc>,
        snapshot: &Snapshot,
        offers: &[Offer],
    ) -> Vec<Row> {
        let capture = Capture { key: &id.key, version, at: changed_at };
        let row = |locale: Locale| -> Option<Row> {
            Some(match snapshot {
                Snapshot::Properties(it) => {
                    Row::Property(Box::new(property::row(capture, it, offers, locale)))
                }
                Snapshot::Locations(it) => Row::Location(site::location(capture, it, locale)?),
                Snapshot::SiteSettings(it) => {
                    Row::SiteSettings(Box::new(site::settings(capture, it, locale)?))
                }
                Snapshot::Navigation(it) => Row::Navigation(site::navigation(capture, it, locale)?),
                Snapshot::Pages(it) => Row::Page(editorial::page(capture, it, locale)?),
                Snapshot::Articles(it) => Row::Article(editorial::article(capture, it, locale)?),
                Snapshot::Docs(it) => Row::Doc(editorial::doc(capture, it, locale)?),
                Snapshot::Team(it) => Row::TeamMember(editorial::team_member(capture, it, locale)?),
                // One row for all locales.
                Snapshot::Redirects(it) if locale == Locale::default() => {
                    Row::Redirect(site::redirect(capture, it))
                }
                Snapshot::Redirects(_) => return None,
            })
        };
        Locale::ALL.into_iter().filter_map(row).collect()
    }
}

/// Returns the languages that `text` is available in.
fn languages_of<T>(text: &Localized<T>) -> Vec<Locale> {
    Locale::ALL.into_iter().filter(|locale| text.get(*locale).is_some()).collect()
}
