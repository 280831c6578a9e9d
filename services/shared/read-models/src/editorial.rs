//! Editorial content: pages, news, documentation, the team.

use chrono::{DateTime, Utc};
use contracts::{Locale, content::Question};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Origin, Picture};

/// A heading of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Heading {
    /// Its id in the text's HTML.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Its level: 2, or 3 for a subheading.
    pub level: u8,
}

/// `read.page`: a guide, legal text or landing page in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRow {
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
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

/// `read.article`: an article in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleRow {
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
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
    /// HTML; empty where a list omits it.
    #[serde(default)]
    pub body: String,
    /// Its headings; empty where a list omits them.
    #[serde(default)]
    pub headings: Vec<Heading>,
    /// The reading time, in minutes.
    pub minutes: i32,
}

/// `read.doc`: a page of the documentation in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocRow {
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// Its path under `/docs`; empty for the index.
    pub slug: String,
    /// The sort key among its siblings: lower first, none last.
    pub sort: Option<i64>,
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
}

/// `read.team_member`: one of the people of the agency, in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamMemberRow {
    /// What the row was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The name.
    pub name: String,
    /// Whether they work for the property administration.
    pub administration: bool,
    /// The sort key in the list: lower first, none last.
    pub sort: Option<i64>,
    /// A portrait.
    pub photo: Option<Picture>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The telephone.
    pub phone: Option<String>,
    /// The language of the texts.
    pub language: Locale,
    /// The person's role.
    pub role: String,
    /// A sentence or two.
    pub bio: String,
}
