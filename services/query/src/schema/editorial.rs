//! What the editors write: pages, news, documentation, the team.

use contracts::{Locale, Sequence};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Picture;

/// A question and its answer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer, plain text.
    pub answer: String,
}

/// A guide, legal text or landing page.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all(serialize = "camelCase"))]
#[schema(rename_all = "camelCase")]
pub struct Page {
    /// Its path without the leading slash.
    pub slug: String,
    /// `guide`, `legal`, `landing`, `service` or `list`.
    pub kind: String,
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
    /// For search engines.
    pub meta_description: String,
    /// Questions and answers.
    pub faq: Vec<Question>,
}

/// An article.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all(serialize = "camelCase"))]
#[schema(rename_all = "camelCase")]
pub struct Article {
    /// Its part of the path.
    pub slug: String,
    /// When it was published (RFC 3339).
    pub published_at: Option<String>,
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
    #[serde(default)]
    pub body: String,
}

/// The news.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ArticleList {
    /// The newest first, without their bodies.
    pub items: Vec<Article>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A page of the documentation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    /// Every page, for the contents list, in the editors' order.
    #[serde(default)]
    pub contents: Vec<DocLink>,
}

/// A page of the documentation in the contents list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DocLink {
    /// Its path under `/docs`.
    pub slug: String,
    /// The title.
    pub title: String,
}

/// One of the people of the agency.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TeamMember {
    /// What tells them apart.
    pub id: String,
    /// The name.
    pub name: String,
    /// Whether they work for the property administration.
    pub administration: bool,
    /// What they do.
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

/// The people of the agency.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Team {
    /// In the editors' order.
    pub items: Vec<TeamMember>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
