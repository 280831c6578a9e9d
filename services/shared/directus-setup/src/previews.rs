//! Previews in the Studio: the site's pages beside the forms, and the visual editor.

use serde_json::{Value, json};
use url::Url;

use crate::{
    Directus, Error,
    plan::{Change, Plan, SetupStep},
    same::agrees,
};

/// The placeholder that the Studio replaces with the displayed version.
const VERSION: &str = "{{$version}}";
/// The Studio's module for visual editing.
const MODULE: &str = "visual";
/// The Studio's default modules, and whether each is enabled.
const MODULES: [(&str, bool); 6] = [
    ("content", true),
    (MODULE, true),
    ("users", true),
    ("files", true),
    ("insights", true),
    ("settings", true),
];

/// Returns the origin of `site`.
pub fn origin_of(site: &Url) -> String {
    site.origin().ascii_serialization()
}

/// Returns the URL of the preview of the page at `path` on `site`.
pub fn address(site: &str, path: &str) -> String {
    format!("{site}{path}?preview=studio&version={VERSION}")
}

/// Plans enabling the visual editor, with the site among the URLs that it may edit.
pub async fn plan(directus: &Directus, site: &str, plan: &mut Plan) -> Result<(), Error> {
    let fields = [("fields", "module_bar,visual_editor_urls")];
    let settings = directus.get("/settings", &fields).await?;
    let mut set = serde_json::Map::new();
    let address = address(site, "/");

    let mut addresses: Vec<Value> =
        settings["visual_editor_urls"].as_array().cloned().unwrap_or_default();
    if !addresses.iter().any(|known| known["url"] == address.as_str()) {
        plan.add(format!("visual editor: {address}"));
        addresses.push(json!({ "url": address }));
        set.insert("visual_editor_urls".to_owned(), addresses.into());
    }

    let bar = settings["module_bar"].as_array();
    let wanted = with_the_module(bar);
    if !bar.is_some_and(|bar| agrees(&wanted, &json!(bar))) {
        let what = "the Studio's modules: the visual editor".to_owned();
        // An administrator who disabled the module since then wants it disabled.
        if bar.is_none() || plan.resets_all() || plan.before.is_none() {
            plan.changes.push(Change::Add(what));
            set.insert("module_bar".to_owned(), wanted);
        } else {
            plan.kept.push(Change::Add(what));
        }
    }
    if !set.is_empty() {
        plan.step(SetupStep::Patch { path: "/settings".to_owned(), body: set.into() });
    }
    Ok(())
}

/// Returns the complete module bar, because Directus can't update a part of it.
fn with_the_module(bar: Option<&Vec<Value>>) -> Value {
    let Some(bar) = bar else {
        let modules = MODULES.map(|(id, enabled)| {
            let mut module = json!({ "type": "module", "id": id, "enabled": enabled });
            if id == "settings" {
                module["locked"] = json!(true);
            }
            module
        });
        return json!(modules);
    };
    let mut bar = bar.clone();
    match bar.iter_mut().find(|module| module["id"] == MODULE) {
        Some(module) => module["enabled"] = json!(true),
        None => bar.push(json!({ "type": "module", "id": MODULE, "enabled": true })),
    }
    bar.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_bar_keeps_an_administrators_entries() {
        let own =
            json!({ "type": "link", "id": "own", "url": "https://example.com", "enabled": true });
        let bar = vec![own.clone(), json!({ "type": "module", "id": "visual", "enabled": false })];
        let with = with_the_module(Some(&bar));
        assert_eq!(with[0], own);
        assert_eq!(with[1]["enabled"], true);
        assert_eq!(with_the_module(Some(&vec![own]))[1]["id"], "visual");
        assert_eq!(with_the_module(None)[5]["locked"], true);
    }

    #[test]
    fn a_preview_url_contains_the_version() {
        assert_eq!(
            address("https://homes.example", "/news/{{slug}}"),
            "https://homes.example/news/{{slug}}?preview=studio&version={{$version}}"
        );
    }
}
