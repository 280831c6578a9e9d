//! The rules of [`contracts::rules`], asked of an item and of the parts that show in it.

use contracts::{
    Collection, Locale, PartCollection, Rule, Violation,
    rules::{Need, OfferRule, is_blank},
};

use super::picture;
use crate::raw::Raw;

/// Every rule that `raw`, an item of `collection`, breaks.
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

/// What keeps `raw`, an item of `collection`, from the public alone: what an offer must tell by law.
pub(crate) fn of_offers(collection: Collection, raw: Raw<'_>) -> Vec<Violation> {
    if collection != Collection::Properties {
        return Vec::new();
    }
    OfferRule::check(|field| raw.value(field)).err().into_iter().collect()
}

fn broken(collection: &str, raw: Raw<'_>) -> Vec<Violation> {
    Rule::of(collection).filter_map(|rule| rule.check(raw.value(rule.field)).err()).collect()
}

/// What is wrong with the texts of the languages that the site speaks.
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

/// The files that the item shows, each with the field that it stands in.
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
