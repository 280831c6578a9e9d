//! `read.offer`: what a property was offered at, from which of its versions on. It is history: rows
//! stay when the property changes or goes, and tell how its price came about, and what stood at an
//! address where nothing stands now.

use contracts::Offer;
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

/// The row of `offer`, of the property `key`.
pub(crate) fn row(key: &str, offer: &Offer) -> Map<String, Value> {
    let row = json!({
        "key": key,
        "version": offer.version,
        "changed_at": offer.at,
        "reference": offer.reference,
        "location_slug": offer.location,
        "property_type": offer.property_type,
        "price": offer.price,
        "status": offer.status,
    });
    if let Value::Object(columns) = row { columns } else { Map::new() }
}
