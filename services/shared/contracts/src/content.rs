//! The content model: the full snapshots of each kind of aggregate that the log carries.
//!
//! A snapshot contains only what is shown, and nothing else of the content service: no user ids, no
//! drafts, no row ids of translations. Two equal snapshots are the same content.

mod particulars;
mod place;
mod property;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    OpeningPeriod,
    collection::Collection,
    locale::{Locale, Localized},
};

pub use particulars::{
    BeachSlope, BeachWalk, Embed, EmbedService, MAX_BEACH_MINUTES, Orientation, Particulars, Room,
    RoomKind,
};
pub use place::{Location, LocationRef, LocationText};
pub use property::{
    AnnualCosts, Coordinates, EnergyExemption, EnergyLabel, EnergyRating, KindFamily,
    ListingStatus, Property, PropertyKind, PropertyText, PropertyType,
};

/// A full snapshot of one published aggregate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "collection", rename_all = "snake_case")]
pub enum Snapshot {
    /// A home or premises.
    Properties(Property),
    /// A place.
    Locations(Location),
    /// An article.
    Articles(Article),
    /// A guide, legal text or landing page.
    Pages(Page),
    /// A page of the documentation.
    Docs(Doc),
    /// A member of the agency's team.
    Team(TeamMember),
    /// A menu entry.
    Navigation(NavigationLink),
    /// The settings.
    SiteSettings(SiteSettings),
    /// A redirect from an old path.
    Redirects(Redirect),
}

impl Snapshot {
    /// Returns the collection that the aggregate belongs to.
    pub const fn collection(&self) -> Collection {
        match self {
            Self::Properties(_) => Collection::Properties,
            Self::Locations(_) => Collection::Locations,
            Self::Articles(_) => Collection::Articles,
            Self::Pages(_) => Collection::Pages,
            Self::Docs(_) => Collection::Docs,
            Self::Team(_) => Collection::Team,
            Self::Navigation(_) => Collection::Navigation,
            Self::SiteSettings(_) => Collection::SiteSettings,
            Self::Redirects(_) => Collection::Redirects,
        }
    }

    /// Returns its pictures, mutably.
    pub fn pictures_mut(&mut self) -> impl Iterator<Item = &mut Picture> {
        let (gallery, single) = match self {
            Self::Properties(property) => {
                (property.images.as_mut_slice(), property.floor_plan.as_mut())
            }
            Self::Locations(place) => (&mut [][..], place.image.as_mut()),
            Self::Articles(article) => (&mut [][..], article.image.as_mut()),
            Self::Pages(page) => (&mut [][..], page.image.as_mut()),
            Self::Team(member) => (&mut [][..], member.photo.as_mut()),
            Self::SiteSettings(settings) => (&mut [][..], settings.hero.as_mut()),
            Self::Docs(_) | Self::Navigation(_) | Self::Redirects(_) => (&mut [][..], None),
        };
        gallery.iter_mut().chain(single)
    }

    /// Returns its pictures.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        let (gallery, single) = match self {
            Self::Properties(property) => {
                (property.images.as_slice(), property.floor_plan.as_ref())
            }
            Self::Locations(place) => (&[][..], place.image.as_ref()),
            Self::Articles(article) => (&[][..], article.image.as_ref()),
            Self::Pages(page) => (&[][..], page.image.as_ref()),
            Self::Team(member) => (&[][..], member.photo.as_ref()),
            Self::SiteSettings(settings) => (&[][..], settings.hero.as_ref()),
            Self::Docs(_) | Self::Navigation(_) | Self::Redirects(_) => (&[][..], None),
        };
        gallery.iter().chain(single)
    }

    /// Removes the pictures for which `keep` returns false.
    pub fn retain_pictures(&mut self, keep: impl Fn(&Picture) -> bool) {
        let single = match self {
            Self::Properties(property) => {
                property.images.retain(&keep);
                &mut property.floor_plan
            }
            Self::Locations(place) => &mut place.image,
            Self::Articles(article) => &mut article.image,
            Self::Pages(page) => &mut page.image,
            Self::Team(member) => &mut member.photo,
            Self::SiteSettings(settings) => &mut settings.hero,
            Self::Docs(_) | Self::Navigation(_) | Self::Redirects(_) => return,
        };
        single.take_if(|picture| !keep(picture));
    }
}

/// A picture in the content service's file library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// The file's id.
    pub file: Uuid,
    /// Changes whenever the file's bytes may have changed. It is part of every URL of the picture.
    pub version: String,
    /// The original width, in pixels.
    pub width: u32,
    /// The original height, in pixels.
    pub height: u32,
    /// The editors' description of it; empty for a decorative picture.
    pub alt: String,
    /// The description in Spanish, if the editors have written one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt_es: Option<String>,
    /// What a page shows until the picture has loaded: a tiny WebP in base64; `None` until sync has made it.
    /// The content service does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
}

impl Picture {
    /// Returns its file and version as in its URLs: `<file>/<version>`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.file, self.version)
    }

    /// Returns its description for readers of `locale`.
    pub fn alt_in(&self, locale: Locale) -> &str {
        match locale {
            Locale::En => &self.alt,
            Locale::Es => self.alt_es.as_deref().unwrap_or(&self.alt),
        }
    }
}

/// Removes the placeholders of pictures anywhere in `value`, the JSON of a snapshot or of what is made from
/// one: sync makes them, the content service does not have them.
pub fn remove_placeholders(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(remove_placeholders),
        Value::Object(members) => {
            if members.contains_key("file") {
                members.remove("placeholder");
            }
            members.values_mut().for_each(remove_placeholders);
        }
        _ => {}
    }
}

/// A news article.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Article {
    /// Its path segment.
    pub slug: String,
    /// When it was published.
    pub published_at: Option<DateTime<Utc>>,
    /// Its picture.
    pub image: Option<Picture>,
    /// Its texts.
    pub text: Localized<ArticleText>,
}

/// An article's or a documentation page's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArticleText {
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// HTML.
    pub body: String,
}

/// A guide, legal text or landing page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Its path without the leading slash; `home` for the home page.
    pub slug: String,
    /// Its kind: `guide`, `legal`, `landing`, `service` or `list`.
    pub kind: String,
    /// The slug of the place that a landing page introduces, if that place is published. Older entries of
    /// the log have none.
    #[serde(default)]
    pub location: Option<String>,
    /// Its picture.
    pub image: Option<Picture>,
    /// Its texts.
    pub text: Localized<PageText>,
}

/// A page's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageText {
    /// The title.
    pub title: String,
    /// The lead.
    pub intro: String,
    /// HTML.
    pub body: String,
    /// The description for search engines; if empty, the intro is used.
    pub meta_description: String,
    /// Questions and answers.
    pub faq: Vec<Question>,
}

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer, plain text.
    pub answer: String,
}

/// A page of the documentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doc {
    /// Its path under `/docs`, with slashes; empty for the index.
    pub slug: String,
    /// Its order among its siblings: lower first, `None` last.
    pub sort: Option<i64>,
    /// Its texts.
    pub text: Localized<ArticleText>,
}

/// A member of the agency's team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// Name.
    pub name: String,
    /// Whether they work for the property administration.
    #[serde(default)]
    pub administration: bool,
    /// The order in the list: lower first, `None` last.
    pub sort: Option<i64>,
    /// Portrait.
    pub photo: Option<Picture>,
    /// Mail address.
    pub email: Option<String>,
    /// Telephone.
    pub phone: Option<String>,
    /// Texts.
    pub text: Localized<TeamMemberText>,
}

/// A team member's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamMemberText {
    /// Their job.
    pub role: String,
    /// A few sentences.
    pub bio: String,
}

/// An entry of a menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationLink {
    /// The menu: `header`, `footer`, `popular`, `quick` or `legal`.
    pub menu: String,
    /// The key of its parent entry.
    pub parent: Option<String>,
    /// Its order among its siblings: lower first, `None` last.
    pub sort: Option<i64>,
    /// The link's target; `None` for a label without a link.
    pub url: Option<String>,
    /// `_blank` for an external link.
    pub target: Option<String>,
    /// An icon's name.
    pub icon: Option<String>,
    /// A short mark beside the label.
    pub badge: Option<String>,
    /// Whether it is shown without being clickable.
    pub disabled: bool,
    /// Its texts.
    pub text: Localized<NavigationText>,
}

/// A menu entry's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NavigationText {
    /// The label.
    pub label: String,
    /// A short description, empty where there is none.
    pub description: String,
}

/// The agency's name, address and contact data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agency {
    /// The trade name.
    pub company_name: String,
    /// The registered name.
    pub legal_name: Option<String>,
    /// Tax number.
    pub tax_id: Option<String>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// E-mail addresses.
    pub emails: Vec<String>,
    /// The number for WhatsApp.
    pub whatsapp: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub town: Option<String>,
    /// Province.
    pub province: Option<String>,
    /// The coordinates of the office.
    pub coordinates: Option<Coordinates>,
    /// The URL of the agency's social media page.
    pub social_url: Option<String>,
    /// The opening hours, in the agency's local time. Missing in older entries of the log.
    #[serde(default)]
    #[schema(required)]
    pub opening_hours: Vec<OpeningPeriod>,
}

/// The settings of the site: the agency, its figures and its texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteSettings {
    /// The agency.
    #[serde(flatten)]
    pub agency: Agency,
    /// Purchase cost and mortgage figures with their sources, as the editors maintain them.
    pub figures: serde_json::Value,
    /// The main picture of the home page.
    pub hero: Option<Picture>,
    /// Texts.
    pub text: Localized<SiteText>,
}

/// The site's own texts in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteText {
    /// The suffix of every page title.
    pub title_suffix: String,
    /// The tagline under the name.
    pub tagline: String,
    /// For search engines.
    pub description: String,
    /// A note in the footer.
    pub footer_note: String,
    /// The notice about sample content; empty on a real site.
    pub sample_notice: String,
}

/// A redirect from an old path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Redirect {
    /// The old path, with its leading slash.
    pub from_path: String,
    /// The new path; `None` if the page was removed.
    pub to_path: Option<String>,
    /// 301, 308 or 410.
    pub code: u16,
}
