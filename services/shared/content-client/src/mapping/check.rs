//! Checks the rules of [`contracts::rules`] on an item and the parts that it displays.

use chrono::{DateTime, Utc};
use contracts::{
    Collection, Locale, PartCollection, Rule, Violation, rest_of_day,
    rules::{Need, OfferRule, OtherRule, is_blank},
};

use super::picture;
use crate::raw::Raw;

/// Returns every rule that `raw`, an item of `collection`, breaks.
pub(super) fn violations(collection: Collection, raw: Raw<'_>) -> Vec<Violation> {
    let mut violations = broken(collection.name(), raw);
    violations.extend(translations(collection, raw));
    for (field, file) in files(raw) {
        let broken = broken(&PartCollection::Files.name(), file);
        violations.extend(broken.into_iter().map(|violation| violation.within(&field)));
    }
    for row in raw.objects("images") {
        let broken = broken(&PartCollection::PropertyFiles.name(), row);
        violations.extend(broken.into_iter().map(|violation| violation.within("images")));
    }
    violations
}

/// Returns the rules that only prevent publishing `raw`, an item of `collection`: what an offer must state by
/// law, and that the day of an article has come.
pub(crate) fn publication_violations(collection: Collection, raw: Raw<'_>) -> Vec<Violation> {
    let result = match collection {
        Collection::Properties => OfferRule::check(|field| raw.value(field)),
        Collection::Articles => check_day(raw, Utc::now()),
        _ => Ok(()),
    };
    result.err().into_iter().collect()
}

/// Checks that the article's day in Spain has come; pages show no time of day. An invalid date breaks the rule
/// of its field instead.
fn check_day(article: Raw<'_>, now: DateTime<Utc>) -> Result<(), Violation> {
    let tomorrow = now + rest_of_day(now.into());
    match article.moment("published_at") {
        Ok(Some(day)) if day >= tomorrow => {
            Err(article.breaks("published_at", OtherRule::FutureDay))
        }
        _ => Ok(()),
    }
}

fn broken(collection: &str, raw: Raw<'_>) -> Vec<Violation> {
    Rule::of(collection).filter_map(|rule| rule.check(raw.value(rule.field)).err()).collect()
}

/// Returns the violations in the texts of the site's languages.
fn translations(collection: Collection, raw: Raw<'_>) -> Vec<Violation> {
    let name = PartCollection::Translations(collection).name();
    let mut violations = Vec::new();
    let mut rows = Vec::new();
    for row in raw.objects("translations") {
        let code = row.key("languages_code").unwrap_or_default();
        if Locale::from_language_tag(&code).is_some() {
            let place = format!("translations.{code}");
            violations.extend(broken(&name, row).into_iter().map(|it| it.within(&place)));
            rows.push(row);
        }
    }
    for rule in Rule::of(&name).filter(|rule| rule.need == Need::InALanguage) {
        if rows.iter().all(|row| is_blank(row.value(rule.field))) {
            let value = raw.value("translations");
            violations.push(Violation::new(rule.field, value, rule.words()).within("translations"));
        }
    }
    violations
}

/// Returns the files that the item displays, each with its field.
fn files(raw: Raw<'_>) -> impl Iterator<Item = (String, Raw<'_>)> {
    let single = picture::SINGLE
        .into_iter()
        .filter_map(move |field| Some((field.to_owned(), raw.object(field)?)));
    let gallery = raw.objects("images").filter_map(|row| {
        let file = row.object("directus_files_id")?;
        Some((format!("images.{}", file.key("id").unwrap_or_default()), file))
    });
    single.chain(gallery)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::mapping::tests::{broken, holding, read};

    fn article(published_at: &Value) -> Value {
        json!({
            "id": "b0000000-0000-4000-8000-000000000001", "status": "published", "slug": "market",
            "published_at": published_at,
            "translations": [{ "id": 1, "languages_code": "en-GB", "title": "The market" }],
        })
    }

    #[test]
    fn an_article_waits_for_its_day_in_spain() {
        // Half past eleven there.
        let now = "2026-11-30T22:30:00Z".parse().expect("a moment");
        for (published_at, waits) in [
            (json!(null), false),
            (json!("2026-11-30"), false),
            (json!("2026-11-30T22:59:59Z"), false),
            (json!("2026-11-30T23:00:00Z"), true),
            (json!("2026-12-01"), true),
            (json!("2099-01-01T00:00:00"), true),
            (json!("yesterday"), false),
        ] {
            let article = article(&published_at);
            let raw = Raw::new(article.as_object().expect("an item"));
            assert_eq!(check_day(raw, now).is_err(), waits, "{published_at}");
        }
    }

    #[test]
    fn a_mistyped_year_is_reported() {
        let reading = read(Collection::Articles, &article(&json!("2099-01-01T00:00:00Z")));
        assert_eq!(broken(reading), holding("published_at", "\"2099-01-01T00:00:00Z\""));
        let reading = read(Collection::Articles, &article(&json!("2026-01-01T00:00:00Z")));
        assert!(reading.snapshot().is_some(), "{reading:?}");
    }
}
