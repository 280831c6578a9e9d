//! Hashes snapshots, to tell whether two have the same content.

use contracts::content::{Property, Snapshot};
use serde_json::Value;

use crate::Error;

/// Returns the BLAKE3 hash of a snapshot's JSON with sorted names, without what the content service
/// changes by itself: a save that changes nothing still updates a property's `updatedAt`.
pub fn of(snapshot: &Snapshot) -> Result<[u8; 32], Error> {
    let mut json = serde_json::to_value(snapshot)?;
    if let (Snapshot::Properties(Property { .. }), Value::Object(fields)) = (snapshot, &mut json) {
        fields.remove("updatedAt");
    }
    // serde_json's map is sorted by name, so equal content gives equal text.
    Ok(*blake3::hash(json.to_string().as_bytes()).as_bytes())
}
