//! `GET /api/figures`: the taxes, fees and rates of buying a home, as maintained by the editors.

use std::str::FromStr;

use axum::extract::{RawQuery, State};
use contracts::{Locale, Sequence, Tag};
use serde_json::Value;
use sqlx::query;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::Figures,
    spans::read_rows,
};

/// The maximum length of a group's name, in bytes.
const MAX_GROUP_LENGTH: usize = 64;

/// Returns taxes, fees and rates, each with its source.
///
/// The figures are the same in every language; their texts are given in all languages unless one is
/// requested.
#[utoipa::path(
    get,
    path = "/api/figures",
    tag = "site",
    params(
        ("locale" = Option<Locale>, Query, description = "Limits the texts to one language."),
        ("group" = inline(Option<Vec<Group>>), Query, max_items = 50,
            description = "Limits the answer to these groups. Unknown groups are ignored."),
    ),
    responses((status = 200, body = Figures))
)]
pub(crate) async fn figures(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Figures>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale: Option<Locale> = given.one("locale", "en or es");
    let groups: Vec<Group> = given.all("group", Group::WORDS);
    given.finish()?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select settings -> 'figures' from read.site_settings where locale = $1 limit 1)
                   as figures"#,
        Locale::default().code(),
    );
    let row = read_rows("SELECT read.site_settings", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let mut figures = row.figures.unwrap_or_default();
    if let (Value::Object(by_group), false) = (&mut figures, groups.is_empty()) {
        by_group.retain(|name, _| groups.iter().any(|Group(group)| group == name));
    }
    if let Some(locale) = locale {
        translate(&mut figures, locale);
    }
    Ok(Answer { body: Figures { figures, sequence }, sequence, tags: vec![Tag::Site] })
}

/// The name of a group of figures, as the editors keep it.
#[derive(PartialEq)]
struct Group(String);

impl PartialSchema for Group {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[a-z_]{1,64}$")).into()
    }
}

impl ToSchema for Group {}

impl Group {
    const WORDS: &str = "small letters and underlines, at most 64";
}

impl FromStr for Group {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let fits = (1..=MAX_GROUP_LENGTH).contains(&text.len());
        let is_valid = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if fits && is_valid { Ok(Self(text.to_owned())) } else { Err(()) }
    }
}

/// Replaces every object of texts by language with the text in `locale`.
fn translate(value: &mut Value, locale: Locale) {
    match value {
        Value::Object(fields) => {
            if let Some(text) = fields.remove(locale.language_tag()) {
                *value = text;
            } else {
                fields.values_mut().for_each(|field| translate(field, locale));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| translate(item, locale)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_by_language_become_the_text_of_one_language() {
        let mut figures = json!({ "taxes": [{
            "value": 7, "label": { "en-GB": "Transfer tax", "es-ES": "ITP" }, "source": "BOE"
        }] });
        translate(&mut figures, Locale::Es);
        assert_eq!(figures, json!({ "taxes": [{ "value": 7, "label": "ITP", "source": "BOE" }] }));
    }

    #[test]
    fn a_group_is_a_plain_name() {
        assert!("notary_scale".parse::<Group>().is_ok());
        for wrong in ["", "Notary", "a b", &"a".repeat(65)] {
            assert!(wrong.parse::<Group>().is_err(), "{wrong}");
        }
    }
}
