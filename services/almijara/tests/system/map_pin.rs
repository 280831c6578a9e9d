//! Sets a home's coordinates with a pin on the Studio's map.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::stack::{
    Stack,
    editor::{Editor, house},
    journeys,
};

/// Moves the pin of a published home without a draft, in Chromium, as the editor with the address `email`.
pub async fn is_set_in_the_studio(stack: &Stack, editor: &Editor, email: &str) -> Result<()> {
    let home = editor.create("properties", house("AH-9101", 895_000)).await?;
    let environment = BTreeMap::from([
        ("STUDIO_URL", format!("http://127.0.0.1:{}", stack.port_of("directus")?)),
        ("SCREENSHOTS", journeys::screenshots("editors-day")?),
        ("EDITOR_EMAIL", email.to_owned()),
        ("EDITOR_PASSWORD", stack.secret("directus editor password")?),
        ("MAP_ITEM", home["id"].to_string()),
    ]);
    journeys::run(stack, journeys::CHROMIUM, "map-pin", &environment).await
}
