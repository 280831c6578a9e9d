//! `/admin/parked`: lists what can't be recorded, beside what the site keeps showing.

use admin_answers::sync::{ListedItem, ParkedDifference, ParkedItem, ParkedList};
use serde::Deserialize;
use serde_json::Value;

use super::names::field_value;
use crate::{Error, Ledger};

/// The maximum length of a returned value, in characters: the same as in a violation.
const MAX_VALUE_LENGTH: usize = 80;

/// The address of an item.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub(super) collection: String,
    pub(super) key: String,
}

/// Returns what is parked now.
pub async fn list(ledger: &Ledger) -> Result<ParkedList, Error> {
    let parked = ledger.parked().await?;
    let shown = ledger.stored_last_good().await?;
    let items = parked
        .items
        .into_iter()
        .map(|item| {
            let snapshot = shown.get(&(item.collection.clone(), item.key.clone()));
            listed(item, snapshot)
        })
        .collect();
    let (hints, left_out, refused) = (parked.hints, parked.left_out, parked.refused);
    Ok(ParkedList { items, hints, left_out, refused })
}

/// Returns `item` beside the snapshot that is `shown`; about a person, only which fields break a rule,
/// without values.
fn listed(mut item: ParkedItem, shown: Option<&Value>) -> ListedItem {
    if item.is_of_a_person() {
        for violation in &mut item.violations {
            violation.value.clear();
        }
        return ListedItem { item, differences: Vec::new() };
    }
    let differences = differences(&item, shown);
    ListedItem { item, differences }
}

/// Returns each field of `item` that breaks a rule, beside the value in `shown`.
fn differences(item: &ParkedItem, shown: Option<&Value>) -> Vec<ParkedDifference> {
    item.violations
        .iter()
        .filter(|violation| !violation.field.is_empty())
        .map(|violation| {
            let good =
                shown.and_then(|shown| field_value(&item.collection, shown, &violation.field));
            ParkedDifference {
                field: violation.field.clone(),
                parked: violation.value.clone(),
                last_good: good
                    .map(|value| value.to_string().chars().take(MAX_VALUE_LENGTH).collect()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use contracts::{Collection, Violation};
    use serde_json::json;

    use super::*;

    #[test]
    fn no_values_about_a_person_are_listed() {
        let listed = |collection: Collection| {
            let item = ParkedItem {
                collection: collection.name().to_owned(),
                key: "7".to_owned(),
                violations: vec![Violation::new("email", &json!("jo(at)homes.example"), "must be")],
                first_at: Utc::now(),
                last_at: Utc::now(),
                tries: 1,
                next_try: None,
                trace_id: None,
            };
            let shown = json!({ "email": "joanna@homes.example" });
            json!(listed(item, Some(&shown))).to_string()
        };
        let about_a_person = listed(Collection::Team);
        assert!(about_a_person.contains(r#""field":"email""#), "{about_a_person}");
        assert!(!about_a_person.contains("homes.example"), "{about_a_person}");
        assert!(listed(Collection::Pages).contains("jo(at)homes.example"));
    }
}
