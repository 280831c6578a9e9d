//! `read.offer`: what each version of a property was offered at. It is history: rows stay when the
//! property changes or goes, and tell how its price came about, and what stood at an address where
//! nothing stands now.

use contracts::{Change, Event, content::Snapshot};
use serde_json::{Map, Value, json};

use crate::table::{Per, Table};

pub(crate) const TABLE: Table = Table {
    name: "offer",
    per: Per::Version,
    columns: &[
        ("reference", "text not null"),
        ("location_slug", "text not null"),
        ("property_type", "text not null"),
        ("price", "bigint"),
        ("status", "text not null"),
    ],
    indexes: &["reference"],
};

/// The row of `event`, if it is a published version of a property.
pub(crate) fn row(event: &Event) -> Option<Map<String, Value>> {
    let Change::Upserted { snapshot } = &event.change else { return None };
    let Snapshot::Properties(property) = &**snapshot else { return None };
    let row = json!({
        "key": event.aggregate.key,
        "version": event.version,
        "changed_at": event.captured_at,
        "reference": property.reference,
        "location_slug": property.location.slug,
        "property_type": property.property_type,
        "price": property.price,
        "status": property.status,
    });
    if let Value::Object(columns) = row { Some(columns) } else { None }
}
