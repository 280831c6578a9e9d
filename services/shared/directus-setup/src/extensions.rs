//! The Directus extensions that this set-up relies on. They are in deploy/directus/extensions and embedded in
//! the program, so that they can be installed into any Directus.

use std::{io, path::Path};

use reqwest::StatusCode;
use serde_json::Value;

use crate::{Directus, Error};

/// An extension with its files.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// The name of its folder and of its package.
    pub name: &'static str,
    /// Its purpose.
    pub purpose: &'static str,
    manifest: &'static str,
    code: &'static str,
    /// The modules that its code imports, by file name.
    modules: &'static [(&'static str, &'static str)],
}

/// The bundle of all extensions that the Studio loads. Directus builds it when it starts.
const BUNDLE: &str = "/extensions/sources/index.js";

/// Modules of an extension, each with its source text.
macro_rules! module_files {
    ($extension:literal: $($name:literal),+ $(,)?) => {
        [$((
            $name,
            include_str!(concat!(
                "../../../../deploy/directus/extensions/",
                $extension,
                "/dist/",
                $name
            )),
        )),+]
    };
}

/// All extensions.
pub const EXTENSIONS: [Extension; 4] = [
    Extension {
        name: "almijara-rules",
        purpose: "makes references and addresses, and refuses to publish an item without its text, or a home without its place and energy rating",
        manifest: include_str!(
            "../../../../deploy/directus/extensions/almijara-rules/package.json"
        ),
        code: include_str!("../../../../deploy/directus/extensions/almijara-rules/dist/index.js"),
        modules: &module_files!(
            "almijara-rules":
            "published.js",
            "refusals.js",
            "values.js",
        ),
    },
    Extension {
        name: "almijara-live",
        purpose: "says in an item's form whether it is on the site, and why not",
        manifest: include_str!("../../../../deploy/directus/extensions/almijara-live/package.json"),
        code: include_str!("../../../../deploy/directus/extensions/almijara-live/dist/index.js"),
        modules: &module_files!(
            "almijara-live":
            "answered.js",
            "draft.js",
            "names.js",
            "pane.js",
            "reading.js",
        ),
    },
    Extension {
        name: "almijara-preview",
        purpose: "tells the site which editor asks for a preview",
        manifest: include_str!(
            "../../../../deploy/directus/extensions/almijara-preview/package.json"
        ),
        code: include_str!("../../../../deploy/directus/extensions/almijara-preview/dist/index.js"),
        modules: &module_files!("almijara-preview": "environment.js"),
    },
    Extension {
        name: "almijara-map",
        purpose: "sets where a home or a place lies by a pin on a map",
        manifest: include_str!("../../../../deploy/directus/extensions/almijara-map/package.json"),
        code: include_str!("../../../../deploy/directus/extensions/almijara-map/dist/index.js"),
        modules: &module_files!(
            "almijara-map":
            "coordinates.js",
            "drawing.js",
            "form.js",
            "ground.js",
            "pin.js",
            "places.js",
            "projection.js",
            "view.js",
            "words.js",
        ),
    },
];

impl Extension {
    /// Writes it into `folder`, Directus's `EXTENSIONS_PATH`.
    ///
    /// # Errors
    /// Fails if the files can't be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let own = folder.join(self.name);
        std::fs::create_dir_all(own.join("dist"))?;
        std::fs::write(own.join("package.json"), self.manifest)?;
        std::fs::write(own.join("dist/index.js"), self.code)?;
        for (name, text) in self.modules {
            std::fs::write(own.join("dist").join(name), text)?;
        }
        Ok(())
    }

    fn version(&self) -> String {
        let manifest: Value = serde_json::from_str(self.manifest).unwrap_or_default();
        manifest["version"].as_str().unwrap_or_default().to_owned()
    }
}

/// Returns the extensions that Directus does not run correctly, with what to do about it.
pub async fn missing(directus: &Directus) -> Result<Vec<String>, Error> {
    let Value::Array(found) = directus.get("/extensions", &[]).await? else {
        return Ok(Vec::new());
    };
    let mut missing = Vec::new();
    for extension in &EXTENSIONS {
        let Extension { name, purpose, .. } = extension;
        let entry = found.iter().find(|it| it["schema"]["name"] == *name);
        let Some(entry) = entry else {
            missing.push(format!(
                "{name} ({purpose}) is not installed: `almijara directus extensions FOLDER` writes it, \
                 and Directus reads it when it starts"
            ));
            continue;
        };
        if entry["meta"]["enabled"] == false {
            missing.push(format!("{name} ({purpose}) is switched off in the Studio's settings"));
        }
        let version = entry["schema"]["version"].as_str().unwrap_or_default();
        if version != extension.version() {
            missing.push(format!(
                "{name} is version {version}, and this program brings {}: \
                 `almijara directus extensions FOLDER` writes it",
                extension.version()
            ));
        }
    }
    if !is_bundled(directus).await? {
        missing.push(
            "interfaces are missing in the Studio, “On the site” and the map among them: Directus could not \
             put them together when it started, and its log says why; TEMP_PATH has to name a folder that \
             it can write"
                .to_owned(),
        );
    }
    Ok(missing)
}

async fn is_bundled(directus: &Directus) -> Result<bool, Error> {
    match directus.get(BUNDLE, &[]).await {
        // The response is a script, not JSON data.
        Ok(_) | Err(Error::Malformed { .. }) => Ok(true),
        Err(Error::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use contracts::{
        Collection, Locale, PartCollection, Rule,
        content::PropertyKind,
        rules::{Need, OfferRule, RuleForm},
    };

    use serde_json::json;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    /// Starts a fake Directus that runs all extensions, and answers the request for their bundle with `body`.
    async fn directus(status: &'static str, body: &'static str) -> Directus {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let all = EXTENSIONS.map(|it| {
            json!({ "schema": { "name": it.name, "version": it.version() },
                    "meta": { "enabled": true } })
        });
        let all = json!({ "data": all }).to_string();
        tokio::spawn(async move {
            for (status, body) in [("200 OK", all.as_str()), (status, body)] {
                let (mut stream, _) = listener.accept().await.expect("a call");
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    let read = stream.read_buf(&mut request).await.expect("a part of it");
                    assert_ne!(read, 0, "half a call");
                }
                let answer = format!(
                    "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(answer.as_bytes()).await.expect("it is read");
            }
        });
        Directus::new(url.parse().expect("an address"), "none".into()).expect("a client")
    }

    #[tokio::test]
    async fn interfaces_that_directus_could_not_bundle_are_missing() {
        let healthy = directus("200 OK", "export const interfaces = []").await;
        assert_eq!(missing(&healthy).await.expect("it is asked"), Vec::<String>::new());
        let refusal = r#"{"errors":[{"message":"Route doesn't exist."}]}"#;
        let not_there = directus("404 Not Found", refusal).await;
        let missing = missing(&not_there).await.expect("it is asked");
        assert!(matches!(&missing[..], [one] if one.contains("TEMP_PATH")), "{missing:?}");
    }

    fn extension(name: &str) -> &'static Extension {
        EXTENSIONS.iter().find(|it| it.name == name).expect("it is there")
    }

    #[test]
    fn manifests_have_the_name_of_the_folder_and_the_entry_file() {
        for extension in &EXTENSIONS {
            let manifest: Value = serde_json::from_str(extension.manifest).expect("JSON");
            assert_eq!(manifest["name"], extension.name);
            assert_eq!(manifest["directus:extension"]["path"], "dist/index.js");
            assert!(!extension.version().is_empty());
        }
    }

    #[test]
    fn all_files_of_the_folder_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = |folder: &Path| -> BTreeSet<_> {
            let entries = std::fs::read_dir(folder.join("dist")).expect("it is there");
            entries.map(|entry| entry.expect("a file").file_name()).collect()
        };
        for extension in &EXTENSIONS {
            extension.write(folder.path()).expect("it is written");
            let own = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../../deploy/directus/extensions")
                .join(extension.name);
            assert_eq!(files(&folder.path().join(extension.name)), files(&own), "{own:?}");
        }
    }

    #[test]
    fn extensions_use_the_same_word_for_the_site_as_the_site_itself() {
        for extension in &EXTENSIONS {
            let modules = extension.modules.iter().map(|(_, code)| *code);
            for code in modules.chain([extension.code]) {
                let code = code.to_lowercase();
                let mut words = code.split(|letter: char| !letter.is_alphabetic());
                assert!(words.all(|word| word != "sitio"), "{}: it is “la web”", extension.name);
            }
        }
    }

    /// Returns the source text of a module.
    fn module(extension: &Extension, name: &str) -> &'static str {
        extension.modules.iter().find(|(module, _)| *module == name).expect("a file").1
    }

    #[test]
    fn the_extension_requires_the_same_of_an_offer_as_the_rules() {
        let code = module(extension("almijara-rules"), "published.js");
        for rule in OfferRule::ALL {
            let words = rule.words_in(Locale::En);
            assert!(code.contains(&format!("{}: '{words}'", rule.field())), "{words}");
        }
        let needs_none = PropertyKind::ALL.iter().filter(|kind| !kind.needs_energy_rating());
        let needs_none: Vec<String> = needs_none.map(|kind| format!("'{kind}'")).collect();
        assert!(code.contains(&format!("[{}]", needs_none.join(", "))), "{needs_none:?}");
    }

    #[test]
    fn the_extension_requires_the_same_texts_as_the_rules() {
        let code = module(extension("almijara-rules"), "published.js");
        // The settings are always published.
        let collections = PartCollection::TRANSLATED.into_iter();
        for collection in collections.filter(|it| *it != Collection::SiteSettings) {
            let texts = PartCollection::Translations(collection).name();
            let needed = Rule::of(&texts).find(|rule| rule.need == Need::InALanguage);
            let needed = needed.expect("a text").field;
            assert!(code.contains(&format!("{collection}: {{ text: '{needed}',")), "{texts}");
        }
        let languages = Locale::ALL.map(|locale| format!("'{}'", locale.language_tag()));
        assert!(code.contains(&format!("[{}]", languages.join(", "))), "{languages:?}");
    }

    #[test]
    fn the_map_has_the_same_limits_as_the_rules() {
        let most = |field| {
            let rule = Rule::of("properties").find(|rule| rule.field == field).expect("a rule");
            let RuleForm::Decimal { least, most } = rule.form else {
                panic!("{field} is a number")
            };
            assert!((least + most).abs() < f64::EPSILON, "as far both ways");
            most
        };
        let bounds = format!("{{ lat: {}, lng: {} }}", most("lat"), most("lng"));
        let code = module(extension("almijara-map"), "coordinates.js");
        assert!(code.contains(&format!("MOST = {bounds}")), "{bounds}");
    }

    #[test]
    fn interfaces_have_the_names_that_forms_use() {
        for name in ["almijara-live", "almijara-map"] {
            assert!(extension(name).code.contains(&format!("id: '{name}'")), "{name}");
        }
    }
}
