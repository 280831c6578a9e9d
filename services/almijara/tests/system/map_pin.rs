//! Where a home lies is set by a pin on the Studio's map.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::Value;

use crate::stack::{Stack, journeys};

/// In Chromium, by an editor, of the published home `item`.
pub async fn is_set_in_the_studio(stack: &Stack, editor: &str, item: &Value) -> Result<()> {
    let environment = BTreeMap::from([
        ("STUDIO_URL", format!("http://127.0.0.1:{}", stack.port_of("directus")?)),
        ("EDITOR_EMAIL", editor.to_owned()),
        ("EDITOR_PASSWORD", stack.secret("directus editor password")?),
        ("MAP_ITEM", item.to_string()),
    ]);
    journeys::make(stack, journeys::CHROMIUM, "map-pin", &environment).await
}
