//! Compares wanted values with those in Directus.

use serde_json::Value;

/// Returns whether every member of `wanted` has the same value in `found`, which may have more members.
/// Numbers are compared by value.
pub fn agrees(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Array(wanted), Value::Array(found)) => {
            wanted.len() == found.len()
                && wanted.iter().zip(found).all(|(wanted, found)| agrees(wanted, found))
        }
        (Value::Object(wanted), found) => {
            found.is_object() && wanted.iter().all(|(name, value)| agrees(value, &found[name]))
        }
        (Value::Number(wanted), Value::Number(found)) => wanted.as_f64() == found.as_f64(),
        _ => wanted == found,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_wanted_members_are_compared() {
        assert!(agrees(&json!({ "a": 1 }), &json!({ "a": 1.0, "b": 2 })));
        assert!(agrees(&json!([{ "a": null }]), &json!([{ "b": 2 }])));
        assert!(!agrees(&json!({ "a": [1] }), &json!({ "a": [1, 2] })));
        assert!(!agrees(&json!({ "a": 1 }), &json!(null)));
        assert!(!agrees(&json!({ "a": "1" }), &json!({ "a": 1 })));
    }
}
