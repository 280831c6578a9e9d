//! What makes two readings the same content.

use blake3::{Hash, Hasher};
use content_client::Part;
use contracts::content::Snapshot;
use serde_json::Value;

/// The hash of a snapshot's canonical JSON: names in order, none left out for being written
/// elsewhere in the struct, and what is null as if it were not there, so that a new optional field
/// makes no old content new. The content service's own date of a property's last change is no
/// content.
pub(crate) fn fingerprint(snapshot: &Snapshot) -> Result<Hash, serde_json::Error> {
    let mut value = serde_json::to_value(snapshot)?;
    if let (Snapshot::Properties(_), Some(fields)) = (snapshot, value.as_object_mut()) {
        fields.remove("updatedAt");
    }
    let mut hasher = Hasher::new();
    write(&mut hasher, &value);
    Ok(hasher.finalize())
}

/// The hash of what shows in an aggregate.
pub(crate) fn parts_fingerprint(parts: &[Part]) -> Hash {
    let mut names: Vec<String> = parts.iter().map(Part::to_string).collect();
    names.sort_unstable();
    names.dedup();
    let mut hasher = Hasher::new();
    for name in names {
        hasher.update(name.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}

fn write(hasher: &mut Hasher, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut present: Vec<_> = fields.iter().filter(|(_, value)| !value.is_null()).collect();
            present.sort_unstable_by_key(|(name, _)| *name);
            hasher.update(b"{");
            for (name, value) in present {
                write_text(hasher, name);
                write(hasher, value);
            }
            hasher.update(b"}");
        }
        Value::Array(values) => {
            hasher.update(b"[");
            for value in values {
                write(hasher, value);
                hasher.update(b",");
            }
            hasher.update(b"]");
        }
        Value::String(text) => write_text(hasher, text),
        other => {
            hasher.update(other.to_string().as_bytes());
        }
    }
}

/// A text behind its length, so that no two sequences of texts read alike.
fn write_text(hasher: &mut Hasher, text: &str) {
    hasher.update(b"\"");
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use contracts::content::Snapshot;
    use serde_json::json;

    use super::*;

    fn redirect(to: Option<&str>) -> Snapshot {
        serde_json::from_value(json!({
            "collection": "redirects", "from": "/a", "to": to, "code": 301,
        }))
        .expect("a redirect")
    }

    fn hash(snapshot: &Snapshot) -> Hash {
        fingerprint(snapshot).expect("a snapshot is JSON")
    }

    #[test]
    fn equal_content_has_an_equal_hash_and_other_content_another() {
        assert_eq!(hash(&redirect(Some("/b"))), hash(&redirect(Some("/b"))));
        assert_ne!(hash(&redirect(Some("/b"))), hash(&redirect(Some("/c"))));
        assert_ne!(hash(&redirect(Some("/b"))), hash(&redirect(None)));
    }

    #[test]
    fn order_of_names_and_absent_fields_are_no_content() {
        let of = |value: Value| {
            let mut hasher = Hasher::new();
            write(&mut hasher, &value);
            hasher.finalize()
        };
        assert_eq!(of(json!({"a": 1, "b": 2, "c": null})), of(json!({"b": 2, "a": 1})));
        assert_ne!(of(json!(["a", "b"])), of(json!(["ab"])));
        assert_ne!(of(json!({"a": "b"})), of(json!({"ab": ""})));
        assert_ne!(of(json!([[1], 2])), of(json!([[1, 2]])));
    }
}
