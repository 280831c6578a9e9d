//! The read models: what each table holds, as a pure function of a snapshot.

mod editorial;
mod property;
mod site;

use chrono::{DateTime, Utc};
use contracts::{AggregateId, Collection, Locale, Localized, Offer, Version, content::Snapshot};
use read_models::{
    ArticleRow, DocRow, LocationRow, NavigationRow, PageRow, PropertyRow, RedirectRow,
    SiteSettingsRow, TeamMemberRow,
};
use serde::Serialize;

pub(crate) use property::offer;

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

/// One row of a read model. As JSON it is an object with a member for each column.
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

/// Which capture of an aggregate a row is of.
#[derive(Clone, Copy)]
struct Capture<'a> {
    key: &'a str,
    version: Version,
    at: DateTime<Utc>,
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
        match self {
            Self::Property => "property",
            Self::Location => "location",
            Self::SiteSettings => "site_settings",
            Self::Navigation => "navigation",
            Self::Page => "page",
            Self::Article => "article",
            Self::Doc => "doc",
            Self::TeamMember => "team_member",
            Self::Redirect => "redirect",
        }
    }

    /// The rows of `snapshot`, captured as `version` at `changed_at`: what the tables should hold of
    /// it. None where there is no text in any language to show. Of a property, `offers` is what it was
    /// offered at, the oldest first.
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

/// The languages that `text` is written in.
fn written_in<T>(text: &Localized<T>) -> Vec<Locale> {
    Locale::ALL.into_iter().filter(|locale| text.get(*locale).is_some()).collect()
}
