//! The extensions of Directus that this set-up relies on. They stand in deploy/directus/extensions and
//! are carried by the program, so that they can be put beside a Directus that was installed otherwise.

use std::{io, path::Path};

use serde_json::Value;

use crate::{Directus, Error};

/// An extension: its folder, and its files as they are.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// The name of its folder and of its package.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    manifest: &'static str,
    code: &'static str,
}

/// All of them.
pub const EXTENSIONS: [Extension; 3] = [
    Extension {
        name: "almijara-rules",
        purpose: "makes references and addresses, and refuses to publish a home without an energy rating or a reason for having none",
        manifest: include_str!(
            "../../../../deploy/directus/extensions/almijara-rules/package.json"
        ),
        code: include_str!("../../../../deploy/directus/extensions/almijara-rules/dist/index.js"),
    },
    Extension {
        name: "almijara-live",
        purpose: "says in an item's form whether it is on the site, and why not",
        manifest: include_str!("../../../../deploy/directus/extensions/almijara-live/package.json"),
        code: include_str!("../../../../deploy/directus/extensions/almijara-live/dist/index.js"),
    },
    Extension {
        name: "almijara-preview",
        purpose: "tells the site which editor asks for a preview",
        manifest: include_str!(
            "../../../../deploy/directus/extensions/almijara-preview/package.json"
        ),
        code: include_str!("../../../../deploy/directus/extensions/almijara-preview/dist/index.js"),
    },
];

impl Extension {
    /// Writes it into `folder`, Directus's `EXTENSIONS_PATH`.
    ///
    /// # Errors
    /// Where that can't be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let own = folder.join(self.name);
        std::fs::create_dir_all(own.join("dist"))?;
        std::fs::write(own.join("package.json"), self.manifest)?;
        std::fs::write(own.join("dist/index.js"), self.code)
    }

    fn version(&self) -> String {
        let manifest: Value = serde_json::from_str(self.manifest).unwrap_or_default();
        manifest["version"].as_str().unwrap_or_default().to_owned()
    }
}

/// What Directus does not run as it should, and what to do about it.
pub async fn missing(directus: &Directus) -> Result<Vec<String>, Error> {
    let Value::Array(found) = directus.get("/extensions", &[]).await? else {
        return Ok(Vec::new());
    };
    let mut missing = Vec::new();
    for extension in &EXTENSIONS {
        let Extension { name, purpose, .. } = extension;
        let there = found.iter().find(|it| it["schema"]["name"] == *name);
        let Some(there) = there else {
            missing.push(format!(
                "{name} ({purpose}) is not installed: `almijara directus extensions FOLDER` writes it, \
                 and Directus reads it when it starts"
            ));
            continue;
        };
        if there["meta"]["enabled"] == false {
            missing.push(format!("{name} ({purpose}) is switched off in the Studio's settings"));
        }
        let version = there["schema"]["version"].as_str().unwrap_or_default();
        if version != extension.version() {
            missing.push(format!(
                "{name} is version {version}, and this program brings {}: \
                 `almijara directus extensions FOLDER` writes it",
                extension.version()
            ));
        }
    }
    Ok(missing)
}

#[cfg(test)]
mod tests {
    use contracts::{Locale, content::PropertyKind, rules::OfferRule};

    use super::*;

    #[test]
    fn manifests_name_their_folder_and_what_directus_loads() {
        for extension in &EXTENSIONS {
            let manifest: Value = serde_json::from_str(extension.manifest).expect("JSON");
            assert_eq!(manifest["name"], extension.name);
            assert_eq!(manifest["directus:extension"]["path"], "dist/index.js");
            assert!(!extension.version().is_empty());
        }
    }

    #[test]
    fn what_an_offer_must_tell_is_what_the_rules_say() {
        let rules = EXTENSIONS.iter().find(|it| it.name == "almijara-rules").expect("it is there");
        for rule in OfferRule::ALL {
            let words = rule.words_in(Locale::En);
            assert!(rules.code.contains(&format!("{}: '{words}'", rule.field())), "{words}");
        }
        let needs_none = PropertyKind::ALL.iter().filter(|kind| !kind.needs_energy_rating());
        let needs_none: Vec<String> = needs_none.map(|kind| format!("'{kind}'")).collect();
        assert!(rules.code.contains(&format!("[{}]", needs_none.join(", "))), "{needs_none:?}");
    }

    #[test]
    fn the_interface_has_the_name_that_forms_ask_for() {
        let live = EXTENSIONS.iter().find(|it| it.name == "almijara-live").expect("it is there");
        assert!(live.code.contains("id: 'almijara-live'"));
    }
}
