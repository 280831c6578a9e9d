//! What the API answers, as JSON in camelCase.

use contracts::{
    Locale, Sequence,
    content::{AnnualCosts, Coordinates, EnergyLabel, ListingStatus, PropertyKind, PropertyType},
};
use runtime::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A picture: its address is `/media/<file>/<version>/<width>.<avif|webp|jpg>`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Picture {
    /// The file's id.
    pub file: String,
    /// Part of every address of it.
    pub version: String,
    /// Natural width in pixels.
    pub width: u32,
    /// Natural height in pixels.
    pub height: u32,
    /// What it shows.
    pub alt: String,
}

/// A place, as others name it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LocationName {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
}

/// A property in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyItem {
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The path of its page.
    pub url: String,
    /// The title.
    pub title: String,
    /// A sentence or two.
    pub summary: String,
    /// The language of the texts; another than asked for where there is no translation.
    pub language: Locale,
    /// Where it is listed.
    pub location: LocationName,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// What exactly it is.
    pub kind: PropertyKind,
    /// Where the sale stands.
    pub status: ListingStatus,
    /// Euros; none where it is told on request.
    pub price: Option<i64>,
    /// Euros before the last reduction.
    pub previous_price: Option<i64>,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Bathrooms.
    pub bathrooms: Option<i64>,
    /// Built size, m².
    pub built_area: Option<i64>,
    /// Plot, m².
    pub plot_area: Option<i64>,
    /// Features in kebab case.
    pub features: Vec<String>,
    /// Put forward by the editors.
    pub featured: bool,
    /// Reduced in price.
    pub reduced: bool,
    /// Never lived in.
    pub new_build: bool,
    /// When it was first offered (RFC 3339).
    #[schema(format = DateTime)]
    pub published_at: String,
    /// When it was last changed (RFC 3339).
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Where it is.
    pub coordinates: Option<Coordinates>,
    /// Pictures in order.
    pub images: Vec<Picture>,
}

/// One choice of a facet and what it would leave.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FacetValue {
    /// The value as the parameter takes it.
    pub value: String,
    /// What people call it, where that is not for the site to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How many properties it would leave.
    pub count: u64,
}

/// The facets of a list; each leaves its own filter out.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// By type.
    pub property_type: Vec<FacetValue>,
    /// By place.
    pub location: Vec<FacetValue>,
    /// By status.
    pub status: Vec<FacetValue>,
    /// By feature.
    pub features: Vec<FacetValue>,
    /// By bedrooms at least.
    pub bedrooms: Vec<FacetValue>,
    /// By bathrooms at least.
    pub bathrooms: Vec<FacetValue>,
    /// How many are reduced.
    pub reduced: u64,
    /// How many are featured.
    pub featured: u64,
}

/// A page of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyList {
    /// The properties of the page.
    pub items: Vec<PropertyItem>,
    /// How many there are on all pages.
    pub total: u64,
    /// The page, from 1.
    pub page: u32,
    /// How many a page has.
    pub per_page: u32,
    /// What further choices would leave.
    pub facets: Facets,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// All of one property.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PropertyDetail {
    /// What lists show of it.
    #[serde(flatten)]
    pub item: PropertyItem,
    /// HTML.
    pub description: String,
    /// Terraces, m².
    pub terrace_area: Option<i64>,
    /// Year of building.
    pub year_built: Option<i64>,
    /// Floor, in the editors' words.
    pub floor: Option<String>,
    /// The energy certificate.
    pub energy: Option<EnergyLabel>,
    /// Yearly costs.
    pub annual_costs: AnnualCosts,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// What it was first offered at, and each change since, the oldest first.
    pub history: Vec<Offer>,
    /// Homes like it.
    pub similar: Vec<PropertyItem>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// What a property was offered at, from a moment on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Offer {
    /// Since when (RFC 3339).
    #[schema(format = DateTime)]
    pub at: String,
    /// Euros; none where it was told on request.
    pub price: Option<i64>,
    /// Where the sale stood.
    pub status: ListingStatus,
}

/// A property that was offered once: a problem that knows what to show instead.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WithdrawnProperty {
    /// What every problem says.
    #[serde(flatten)]
    pub problem: Problem,
    /// The agency's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Where it was listed.
    pub location: LocationName,
    /// Homes like it.
    pub similar: Vec<PropertyItem>,
}

/// One of the people of the agency.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TeamMember {
    /// What tells them apart.
    pub id: String,
    /// The name.
    pub name: String,
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

/// Where a page went.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Moved {
    /// The path to go to; none where the page is gone.
    pub to: Option<String>,
    /// 301, 302, 307, 308 or 410.
    pub code: u16,
}

/// One address of the site.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Address {
    /// Its path in English; `/es` before it in Spanish.
    pub path: String,
    /// The languages that what it shows is written in.
    pub locales: Vec<Locale>,
    /// When what it shows last changed (RFC 3339).
    #[schema(format = DateTime)]
    pub lastmod: String,
    /// The files of its pictures.
    pub images: Vec<String>,
}

/// The addresses of the site.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Sitemap {
    /// By path.
    pub items: Vec<Address>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A place with homes for sale.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationItem {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// HTML.
    pub description: String,
    /// The language of the texts.
    pub language: Locale,
    /// The languages that it is written in.
    pub locales: Vec<Locale>,
    /// Its centre.
    pub coordinates: Option<Coordinates>,
    /// Its picture.
    pub image: Option<Picture>,
    /// How many homes are listed there.
    pub count: u64,
}

/// Every place.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationList {
    /// In the editors' order.
    pub items: Vec<LocationItem>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// A place in the footer or a menu.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LocationLink {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// A sentence or two.
    pub intro: String,
    /// How many homes are listed there.
    pub count: u64,
}

/// An entry of a menu.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(no_recursion)]
pub struct NavigationItem {
    /// The label.
    pub label: String,
    /// A short description, empty where there is none.
    pub description: String,
    /// Where it leads; none for a label without a link.
    pub url: Option<String>,
    /// `_blank` marks an external one.
    pub target: Option<String>,
    /// An icon's name.
    pub icon: Option<String>,
    /// A short mark beside the label.
    pub badge: Option<String>,
    /// Shown but not to be followed.
    pub disabled: bool,
    /// What stands under it.
    pub children: Vec<NavigationItem>,
}

/// The menus.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Navigation {
    /// At the top.
    pub header: Vec<NavigationItem>,
    /// At the bottom.
    pub footer: Vec<NavigationItem>,
    /// Searches that many make.
    pub popular: Vec<NavigationItem>,
    /// Quick links.
    pub quick: Vec<NavigationItem>,
    /// Terms and privacy.
    pub legal: Vec<NavigationItem>,
}

/// Names, addresses and texts of the agency.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteSettings {
    /// The name on the door.
    pub company_name: String,
    /// The name in the register.
    pub legal_name: Option<String>,
    /// Tax number.
    pub tax_id: Option<String>,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Mail addresses.
    pub emails: Vec<String>,
    /// Number for WhatsApp.
    pub whatsapp: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub town: Option<String>,
    /// Province.
    pub province: Option<String>,
    /// Where the office is.
    pub coordinates: Option<Coordinates>,
    /// The social page.
    pub social_url: Option<String>,
    /// The picture of the home page.
    pub hero: Option<Picture>,
    /// What every page title ends with.
    pub title_suffix: String,
    /// The line under the name.
    pub tagline: String,
    /// For search engines.
    pub description: String,
    /// A note in the footer.
    pub footer_note: String,
    /// What is said about sample content; empty on a real site.
    pub sample_notice: String,
}

/// What buying a home costs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Figures {
    /// As the editors keep them; null before they have saved any.
    #[schema(value_type = Option<Object>)]
    pub figures: serde_json::Value,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

/// What every page shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Site {
    /// None before the editors have saved any.
    pub settings: Option<SiteSettings>,
    /// The menus.
    pub navigation: Navigation,
    /// The places, in the editors' order.
    pub locations: Vec<LocationLink>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}

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

/// What completes a word.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Suggestion {
    /// `location` or `property`.
    pub kind: String,
    /// What to show.
    pub label: String,
    /// Where it leads.
    pub url: String,
}

/// What completes what is being typed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Suggestions {
    /// The best first.
    pub items: Vec<Suggestion>,
    /// The position that the answer was made from.
    #[schema(value_type = u64)]
    pub sequence: Sequence,
}
