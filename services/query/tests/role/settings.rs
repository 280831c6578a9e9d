//! Builds the site settings.

use chrono::DateTime;
use contracts::{
    AggregateId, Change, Collection, Event, SCHEMA_VERSION, Version, content::Snapshot,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// Returns an event with site settings that have these `fields` besides the required ones.
pub fn settings(version: i64, fields: Value) -> Event {
    let mut settings = json!({
        "companyName": "Almijara", "phones": [], "emails": [], "figures": {},
        "text": { "en": {
            "titleSuffix": "", "tagline": "", "description": "", "footerNote": "", "sampleNotice": "",
        } },
    });
    let Value::Object(fields) = fields else { panic!("fields are an object") };
    settings.as_object_mut().expect("an object").extend(fields);
    let settings = serde_json::from_value(settings).expect("settings");
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::SiteSettings, "1"),
        version: Version(version),
        captured_at: DateTime::from_timestamp(version, 0).expect("a time of ours"),
        change: Change::Upserted { snapshot: Box::new(Snapshot::SiteSettings(settings)) },
        offers: Vec::new(),
    }
}
