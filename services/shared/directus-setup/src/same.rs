//! Whether what Directus has is what is wanted.

use serde_json::Value;

/// Whether every member of `wanted` has the same value in `found`, whatever else that has. Numbers
/// are the same however they are written.
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
    fn what_is_wanted_is_looked_for_and_nothing_else() {
        assert!(agrees(&json!({ "a": 1 }), &json!({ "a": 1.0, "b": 2 })));
        assert!(agrees(&json!([{ "a": null }]), &json!([{ "b": 2 }])));
        assert!(!agrees(&json!({ "a": [1] }), &json!({ "a": [1, 2] })));
        assert!(!agrees(&json!({ "a": 1 }), &json!(null)));
        assert!(!agrees(&json!({ "a": "1" }), &json!({ "a": 1 })));
    }
}
