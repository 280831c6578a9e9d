//! Editorial content: pages, news, documentation, the team.

use chrono::{DateTime, Utc};
use contracts::{Locale, Sequence, content::Question};
use read_models::{ArticleRow, DocRow, Heading, PageRow, TeamMemberRow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Picture;

/// A guide, legal text or landing page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Its path without the leading slash.
    pub slug: String,
    /// `guide`, `legal`, `landing`, `service` or `list`.
    pub kind: String,
    /// The slug of the place that it introduces.
    pub location: Option<String>,
    /// The language of the texts.
    pub language: Locale,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// Its picture.
    pub image: Option<Picture>,
    /// The title.
    pub title: String,
    /// The lead.
    pub intro: String,
    /// HTML.
    pub body: String,
    /// Its headings.
    pub headings: Vec<Heading>,
    /// The reading time, in minutes.
    pub minutes: i32,
    /// For search engines.
    pub meta_description: String,
    /// Questions and answers.
    pub faq: Vec<Question>,
}

impl From<PageRow> for Page {
    fn from(row: PageRow) -> Self {
        Self {
            slug: row.slug,
            kind: row.kind,
            location: row.location,
            language: row.language,
            locales: row.locales,
            image: row.image,
            title: row.title,
            intro: row.intro,
            body: row.body,
            headings: row.headings,
            minutes: row.minutes,
            meta_description: row.meta_description,
            faq: row.faq,
        }
    }
}

/// An article.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Article {
    /// The last part of its path.
    pub slug: String,
    /// When it was published.
    pub published_at: Option<DateTime<Utc>>,
    /// The language of the texts.
    pub language: Locale,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// Its picture.
    pub image: Option<Picture>,
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// HTML; empty in lists.
    pub body: String,
    /// Its headings; empty in lists.
    pub headings: Vec<Heading>,
    /// The reading time, in minutes.
    pub minutes: i32,
}

impl From<ArticleRow> for Article {
    fn from(row: ArticleRow) -> Self {
        Self {
            slug: row.slug,
            published_at: row.published_at,
            language: row.language,
            locales: row.locales,
            image: row.image,
            title: row.title,
            summary: row.summary,
            body: row.body,
            headings: row.headings,
            minutes: row.minutes,
        }
    }
}

/// A page of the list of articles.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArticleList {
    /// The articles, newest first, without their bodies.
    pub items: Vec<Article>,
    /// The number of items on all pages.
    pub total: u64,
    /// The number of the page, from 1.
    pub page: u32,
    /// The number of items on a page.
    pub per_page: u32,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A page of the documentation.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Doc {
    /// Its path under `/docs`; empty for the index.
    pub slug: String,
    /// The language of the texts.
    pub language: Locale,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// HTML.
    pub body: String,
    /// Its headings.
    pub headings: Vec<Heading>,
    /// The reading time, in minutes.
    pub minutes: i32,
    /// All pages, for the table of contents, in the editors' order.
    pub contents: Vec<DocLink>,
}

impl Doc {
    /// Returns the page of `row`, with the `contents` of the entire documentation.
    pub fn of(row: DocRow, contents: Vec<DocLink>) -> Self {
        Self {
            slug: row.slug,
            language: row.language,
            locales: row.locales,
            title: row.title,
            summary: row.summary,
            body: row.body,
            headings: row.headings,
            minutes: row.minutes,
            contents,
        }
    }
}

/// An entry of the documentation's table of contents.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DocLink {
    /// Its path under `/docs`.
    pub slug: String,
    /// The title.
    pub title: String,
}

/// One of the people of the agency.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TeamMember {
    /// The id of the person.
    pub id: String,
    /// The name.
    pub name: String,
    /// Whether they work for the property administration.
    pub administration: bool,
    /// The person's role.
    pub role: String,
    /// A sentence or two.
    pub bio: String,
    /// A portrait.
    pub photo: Option<Picture>,
    /// The telephone.
    pub phone: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
}

impl From<TeamMemberRow> for TeamMember {
    fn from(row: TeamMemberRow) -> Self {
        Self {
            id: row.origin.key,
            name: row.name,
            administration: row.administration,
            role: row.role,
            bio: row.bio,
            photo: row.photo,
            phone: row.phone,
            email: row.email,
        }
    }
}

/// The people of the agency.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Team {
    /// In the editors' order.
    pub items: Vec<TeamMember>,
    /// The position in the content log that the answer reflects.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
