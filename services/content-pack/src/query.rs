//! Parses the query parameters of Directus that the content pack supports.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::{
    content::Item,
    errors::ApiError,
    filter::Filter,
    schema::{Collection, FieldKind},
    select::Selection,
    values::compare,
};

/// The number of items returned if there is no limit.
const DEFAULT_LIMIT: usize = 100;

/// The maximum depth of a field path or a filter: the same as in Directus.
const MAX_DEPTH: usize = 10;

/// A request for items.
#[derive(Debug)]
pub(crate) struct Query {
    pub selection: Selection,
    pub filter: Filter,
    sort: Vec<SortField>,
    limit: Option<usize>,
    offset: usize,
    pub total_count: bool,
    pub filter_count: bool,
}

#[derive(Debug)]
struct SortField {
    field: &'static str,
    kind: FieldKind,
    descending: bool,
}

impl Query {
    /// Parses the query string of a request for items of `collection`.
    pub fn parse(collection: &'static Collection, text: Option<&str>) -> Result<Self, ApiError> {
        let pairs: Vec<(String, String)> =
            url::form_urlencoded::parse(text.unwrap_or_default().as_bytes()).into_owned().collect();
        let values_of = |name: &str| {
            pairs
                .iter()
                .filter(|(key, _)| key == name || key.starts_with(&format!("{name}[")))
                .flat_map(|(_, value)| value.split(','))
                .map(|entry| entry.trim().to_owned())
                .filter(|entry| !entry.is_empty())
                .collect::<Vec<_>>()
        };
        let meta = values_of("meta");
        let has_meta = |name: &str| meta.iter().any(|entry| entry == name || entry == "*");
        let limit = match integer(&pairs, "limit")? {
            None => Some(DEFAULT_LIMIT),
            Some(-1) => None,
            Some(limit) => Some(usize::try_from(limit).map_err(|_| not_positive("limit"))?),
        };
        let offset = integer(&pairs, "offset")?.unwrap_or(0);
        let mut offset = usize::try_from(offset).map_err(|_| not_positive("offset"))?;
        if let (Some(page), Some(limit)) = (integer(&pairs, "page")?, limit) {
            let page = usize::try_from(page).ok().and_then(|page| page.checked_sub(1));
            offset = page.ok_or_else(|| not_positive("page"))?.saturating_mul(limit);
        }
        Ok(Self {
            selection: Selection::parse(collection, &check_depth(values_of("fields"))?)?,
            filter: Filter::parse(collection, &filter_value(&pairs)?)?,
            sort: parse_sort(collection, &values_of("sort"))?,
            limit,
            offset,
            total_count: has_meta("total_count"),
            filter_count: has_meta("filter_count"),
        })
    }

    /// Sorts the filtered items, and returns the requested page.
    pub fn page<'a>(&self, mut items: Vec<&'a Item>) -> Vec<&'a Item> {
        items.sort_by(|one, other| self.compare_items(one, other));
        let limit = self.limit.unwrap_or(usize::MAX);
        items.into_iter().skip(self.offset).take(limit).collect()
    }

    fn compare_items(&self, one: &Item, other: &Item) -> Ordering {
        for sort in &self.sort {
            let (one, other) = (&one[sort.field], &other[sort.field]);
            // As in Postgres, null is greater than any other value; so is a value of another type.
            let has_order = |value: &Value| compare(sort.kind, value, value).is_some();
            let ordering = compare(sort.kind, one, other)
                .unwrap_or_else(|| has_order(other).cmp(&has_order(one)));
            let ordering = if sort.descending { ordering.reverse() } else { ordering };
            if ordering.is_ne() {
                return ordering;
            }
        }
        Ordering::Equal
    }
}

fn check_depth(fields: Vec<String>) -> Result<Vec<String>, ApiError> {
    let is_deep = fields.iter().any(|path| path.split('.').count() > MAX_DEPTH);
    if is_deep { Err(too_deep()) } else { Ok(fields) }
}

fn too_deep() -> ApiError {
    ApiError::InvalidQuery("Max relational depth exceeded".to_owned())
}

fn parse_sort(
    collection: &'static Collection,
    fields: &[String],
) -> Result<Vec<SortField>, ApiError> {
    fields
        .iter()
        .map(|text| {
            let (name, descending) = match text.strip_prefix('-') {
                Some(name) => (name, true),
                None => (text.as_str(), false),
            };
            let found = collection
                .fields
                .iter()
                .find(|(field, kind)| *field == name && !matches!(kind, FieldKind::Many(..)));
            let (field, kind) = *found.ok_or_else(|| ApiError::ForbiddenField {
                field: name.to_owned(),
                collection: collection.name,
            })?;
            Ok(SortField { field, kind, descending })
        })
        .collect()
}

fn integer(pairs: &[(String, String)], name: &str) -> Result<Option<i64>, ApiError> {
    let Some((_, text)) = pairs.iter().find(|(key, _)| key == name) else { return Ok(None) };
    text.parse()
        .map(Some)
        .map_err(|_| ApiError::InvalidQuery(format!("\"{name}\" must be a number")))
}

fn not_positive(name: &str) -> ApiError {
    ApiError::InvalidQuery(format!("\"{name}\" must be a positive number"))
}

/// Returns the filter as JSON, whether it was sent as JSON or as `filter[price][_gte]=1`.
fn filter_value(pairs: &[(String, String)]) -> Result<Value, ApiError> {
    let mut filter = Value::Object(Map::new());
    for (name, text) in pairs {
        if name == "filter" {
            return serde_json::from_str(text)
                .map_err(|_| ApiError::InvalidQuery("Invalid JSON for filter object".to_owned()));
        }
        let Some(path) = name.strip_prefix("filter[").and_then(|rest| rest.strip_suffix(']'))
        else {
            continue;
        };
        if path.split("][").count() > MAX_DEPTH {
            return Err(too_deep());
        }
        let mut target = &mut filter;
        for step in path.split("][") {
            let Value::Object(object) = target else { break };
            target = object.entry(step).or_insert_with(|| Value::Object(Map::new()));
        }
        *target = Value::String(text.clone());
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::collection;

    #[test]
    fn values_of_another_type_sort_last_like_null() {
        let places = collection("locations").expect("a collection");
        let query = Query::parse(places, Some("sort=lat,id")).expect("a query");
        let items: Vec<Item> = [json!("36.9"), json!("north"), json!("9.5"), json!(null)]
            .into_iter()
            .enumerate()
            .map(|(id, lat)| Item::from_iter([("id".into(), json!(id)), ("lat".into(), lat)]))
            .collect();
        let sorted = query.page(items.iter().collect());
        let ids: Vec<_> = sorted.iter().filter_map(|item| item["id"].as_u64()).collect();
        assert_eq!(ids, [2, 0, 1, 3]);
    }

    #[test]
    fn a_request_deeper_than_directus_allows_is_refused() {
        let refusal = |query: String| {
            let places = collection("locations").expect("a collection");
            Query::parse(places, Some(&query)).err()
        };
        let fields = |steps| format!("fields={}", vec!["part_of"; steps].join("."));
        let filter = |lists| format!("filter{}[id][_eq]=1", "[_and][0]".repeat(lists));
        assert_eq!((refusal(fields(10)), refusal(filter(4))), (None, None));
        for query in [fields(11), fields(20_000), filter(5), filter(20_000)] {
            assert_eq!(refusal(query), Some(too_deep()));
        }
    }
}
