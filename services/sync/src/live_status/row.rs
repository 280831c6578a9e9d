//! The live status of an item as editors read it: a row of the content service's collection
//! `live_status`.

use chrono::{DateTime, Utc};
use contracts::{Locale, Violation, content::Snapshot, location_path, property_path};
use serde::Serialize;
use url::Url;
use uuid::Uuid;

/// The namespace of the rows' ids.
const ROW_ID_NAMESPACE: Uuid = Uuid::from_u128(0x5b0f_1c1e_7c39_4a6e_9a53_1d5f_0a5c_0100);

/// A row of `live_status`.
#[derive(Debug, PartialEq, Serialize)]
pub struct Row {
    pub id: Uuid,
    pub item_collection: String,
    pub item_key: String,
    /// Not written where the item has none now: the row keeps its last name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_name: Option<String>,
    pub state: State,
    /// None where the site shows no version of it.
    pub live_since: Option<DateTime<Utc>>,
    /// From the hint until the site showed it; none where that was not measured.
    pub milliseconds: Option<i64>,
    pub addresses: Vec<String>,
    pub reasons: Vec<Reason>,
    pub noted_at: DateTime<Utc>,
    /// When the site was seen to show the newest version, or nothing where that is a removal; none where
    /// that is recorded already, or is not yet the case. Only for operators.
    #[serde(skip)]
    pub seen_at: Option<DateTime<Utc>>,
}

/// The live status of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The site shows the version that was published last.
    Live,
    /// The site shows that version without the pictures that can't be shown.
    LiveInPart,
    /// It was published and can't be shown as it is; the site shows the last valid version, or nothing.
    NotLive,
    /// It is not on the site.
    Off,
}

/// The reason why an item is not live, or why a picture of it is omitted.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    pub field: String,
    pub value: String,
    pub rule: Words,
}

/// A text in both languages of the Studio.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    pub en: String,
    pub es: String,
}

/// Returns the id of the row of an item.
pub fn id_of(collection: &str, key: &str) -> Uuid {
    Uuid::new_v5(&ROW_ID_NAMESPACE, format!("{collection}/{key}").as_bytes())
}

/// Returns the name by which editors know an item.
pub fn name_of(snapshot: &Snapshot) -> Option<&str> {
    Some(match snapshot {
        Snapshot::Properties(property) => &property.reference,
        Snapshot::Locations(location) => &location.slug,
        Snapshot::Articles(article) => &article.slug,
        Snapshot::Pages(page) => &page.slug,
        Snapshot::Docs(doc) if doc.slug.is_empty() => "docs",
        Snapshot::Docs(doc) => &doc.slug,
        Snapshot::Team(member) => &member.name,
        Snapshot::Redirects(redirect) => &redirect.from_path,
        Snapshot::Navigation(link) => {
            link.text.get_or_fallback(Locale::En).map(|(_, text)| text.label.as_str())?
        }
        Snapshot::SiteSettings(settings) => &settings.agency.company_name,
    })
}

/// Returns the path of an item's own page, without a language prefix; none where it has no page.
pub fn path_of(snapshot: &Snapshot) -> Option<String> {
    Some(match snapshot {
        Snapshot::Properties(property) => {
            property_path(&property.location.slug, &property.reference)
        }
        Snapshot::Locations(location) => location_path(&location.slug),
        Snapshot::Articles(article) => format!("/news/{}", article.slug),
        Snapshot::Pages(page) if page.slug == "home" => "/".to_owned(),
        Snapshot::Pages(page) => format!("/{}", page.slug),
        Snapshot::Docs(doc) if doc.slug.is_empty() => "/docs".to_owned(),
        Snapshot::Docs(doc) => format!("/docs/{}", doc.slug),
        Snapshot::Team(_)
        | Snapshot::Redirects(_)
        | Snapshot::Navigation(_)
        | Snapshot::SiteSettings(_) => return None,
    })
}

/// Returns the addresses of `path` on the site at `public`, one per language.
pub fn addresses(public: &Url, path: &str) -> Vec<String> {
    let site = public.as_str().trim_end_matches('/');
    Locale::ALL.iter().map(|locale| format!("{site}{}", locale.path_of(path))).collect()
}

/// Converts `violation` to a reason, in both languages where its rule has words in both.
pub fn reason(violation: &Violation) -> Reason {
    Reason {
        field: violation.field.clone(),
        value: violation.value.clone(),
        rule: Words { en: violation.rule.clone(), es: violation.rule_in(Locale::Es) },
    }
}

#[cfg(test)]
mod tests {
    use contracts::Rule;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rule_is_described_in_both_languages() {
        let price = Rule::of("properties").find(|rule| rule.field == "price").expect("a rule");
        let violation = price.check(&json!(-5)).expect_err("it is broken");
        let reason = reason(&violation);
        assert_eq!(reason.rule.en, price.words_in(Locale::En));
        assert_eq!(reason.rule.es, price.words_in(Locale::Es));
        assert_eq!((reason.field.as_str(), reason.value.as_str()), ("price", "-5"));
    }

    #[test]
    fn a_rule_of_a_translation_is_described_in_both_languages() {
        let title =
            Rule::of("properties_translations").find(|rule| rule.field == "title").expect("a rule");
        let violation =
            Violation::new("title", &json!(3), title.words()).within("translations.es-ES");
        assert_eq!(reason(&violation).rule.es, title.words_in(Locale::Es));
    }

    #[test]
    fn a_path_has_an_address_in_each_language() {
        let public: Url = "https://homes.example/".parse().expect("a URL");
        assert_eq!(addresses(&public, "/"), ["https://homes.example/", "https://homes.example/es"]);
        assert_eq!(
            addresses(&public, "/news/a"),
            ["https://homes.example/news/a", "https://homes.example/es/news/a"]
        );
    }
}
