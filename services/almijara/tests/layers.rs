//! Imports point down: no service knows another, and what everything may import imports nothing.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use cargo_metadata::MetadataCommand;

/// What each crate of ours may import, of ours.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("contracts", &[]),
    ("credentials", &[]),
    ("preview-ticket", &[]),
    ("runtime", &[]),
    ("local-servers", &[]),
    ("event-log", &["contracts", "runtime"]),
    ("content-client", &["contracts", "runtime"]),
    ("search-index", &["contracts"]),
    ("search-parameters", &["contracts", "runtime", "search-index"]),
    ("packing", &[]),
    ("pictures", &[]),
    ("media", &["pictures", "runtime"]),
    ("directus-setup", &["contracts", "runtime"]),
    ("content-import", &["contracts", "directus-setup", "runtime"]),
    ("content-pack", &["contracts", "runtime"]),
    ("sync", &["contracts", "runtime", "event-log", "content-client", "pictures"]),
    ("read-models", &["contracts"]),
    ("answers", &["contracts", "read-models", "runtime"]),
    ("projections", &["contracts", "runtime", "event-log", "read-models"]),
    (
        "query",
        &[
            "answers",
            "contracts",
            "runtime",
            "event-log",
            "read-models",
            "search-index",
            "search-parameters",
        ],
    ),
    (
        "preview",
        &[
            "answers",
            "contracts",
            "runtime",
            "content-client",
            "media",
            "pictures",
            "preview-ticket",
            "projections",
            "search-parameters",
        ],
    ),
    (
        "command",
        &[
            "contracts",
            "credentials",
            "runtime",
            "event-log",
            "pictures",
            "search-index",
            "search-parameters",
        ],
    ),
    ("console", &["contracts", "credentials", "runtime"]),
    ("site", &["contracts", "media", "packing", "pictures", "preview-ticket", "runtime"]),
    ("trace-viewer", &["runtime"]),
    ("mail-catcher", &["runtime"]),
    ("testkit", &["contracts", "runtime", "event-log", "local-servers"]),
    (
        "almijara",
        &[
            "contracts",
            "runtime",
            "local-servers",
            "event-log",
            "content-client",
            "content-import",
            "content-pack",
            "directus-setup",
            "preview",
            "sync",
            "projections",
            "search-index",
            "search-parameters",
            "query",
            "command",
            "console",
            "site",
        ],
    ),
];

#[test]
fn imports_point_down() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let ours: BTreeSet<String> = metadata.packages.iter().map(|p| p.name.to_string()).collect();
    let allowed: BTreeMap<_, _> = MAY_IMPORT.iter().copied().collect();
    assert_eq!(ours, allowed.keys().map(ToString::to_string).collect(), "a crate without a place");
    for package in &metadata.packages {
        let imports = package
            .dependencies
            .iter()
            .filter(|import| import.kind == cargo_metadata::DependencyKind::Normal)
            .filter(|import| ours.contains(&import.name));
        for import in imports {
            assert!(
                allowed[package.name.as_str()].contains(&import.name.as_str()),
                "{} must not import {}",
                package.name,
                import.name
            );
        }
    }
}

#[test]
fn only_previews_read_drafts() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut knowing = Vec::new();
    for role in ["almijara", "command", "query", "site", "sync", "preview"] {
        let mut sources = String::new();
        read_sources(&services.join(role).join("src"), &mut sources);
        if sources.contains("Drafts") {
            knowing.push(role);
        }
    }
    assert_eq!(knowing, ["preview"], "who else reads drafts could record them");
    let mut sources = String::new();
    read_sources(&services.join("preview/src"), &mut sources);
    for store in ["PgPool", "postgres", "EventLog", "SearchIndex", "std::fs", "tokio::fs", "moka"] {
        assert!(!sources.contains(store), "previews know a store: {store}");
    }
}

#[test]
fn only_the_event_log_knows_nats() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let knowing: Vec<_> = metadata
        .packages
        .iter()
        .filter(|package| package.dependencies.iter().any(|import| import.name == "async-nats"))
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(knowing, ["event-log"]);
}

#[test]
fn the_binary_has_no_viewer_of_traces_in_it() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let having = metadata.packages.iter().filter(|package| {
        let mut imports = package.dependencies.iter();
        imports.any(|import| {
            import.name == "otlp-embedded" && import.kind == cargo_metadata::DependencyKind::Normal
        })
    });
    assert_eq!(having.map(|package| package.name.as_str()).collect::<Vec<_>>(), ["trace-viewer"]);
}

#[test]
fn only_the_mail_catcher_takes_mail() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let having = metadata.packages.iter().filter(|package| {
        let mut imports = package.dependencies.iter();
        imports.any(|import| {
            ["mailin", "mail-catcher"].contains(&import.name.as_str())
                && import.kind == cargo_metadata::DependencyKind::Normal
        })
    });
    let having: Vec<_> = having.map(|package| package.name.as_str()).collect();
    assert_eq!(having, ["mail-catcher"], "no production program catches mail");
}

#[test]
fn no_call_of_ours_goes_through_a_proxy() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let mut straight = 0;
    for package in metadata.packages.iter().filter(|package| package.name.as_str() != "testkit") {
        let folder = package.manifest_path.parent().expect("it lies in a folder");
        let mut sources = String::new();
        read_sources(folder.join("src").as_std_path(), &mut sources);
        for client in sources.split("Client::builder()").skip(1) {
            let settings = client.split(".build()").next().unwrap_or_default();
            assert!(
                settings.contains(".no_proxy()"),
                "{}: Client::builder(){settings}",
                package.name
            );
            straight += 1;
        }
        assert!(!sources.contains("reqwest::Client::new()"), "{}", package.name);
    }
    assert!(straight > 7, "{straight} clients were found");
}

#[test]
fn every_import_is_used() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let mut unused = Vec::new();
    for package in &metadata.packages {
        let folder = package.manifest_path.parent().expect("it lies in a folder");
        let mut sources = String::new();
        for part in ["src", "tests", "benches", "build.rs"] {
            read_sources(folder.join(part).as_std_path(), &mut sources);
        }
        for import in &package.dependencies {
            let name = import.rename.as_ref().unwrap_or(&import.name).replace('-', "_");
            let is_named =
                sources.match_indices(&name).any(|(at, _)| is_word(&sources, at, at + name.len()));
            if !is_named {
                unused.push(format!("{}: {}", package.name, import.name));
            }
        }
    }
    assert!(unused.is_empty(), "nothing names these imports: {unused:#?}");
}

fn read_sources(path: &Path, sources: &mut String) {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.for_each(|entry| read_sources(&entry.path(), sources));
    if path.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
        sources.push_str(&fs::read_to_string(path).expect("a source can be read"));
    }
}

fn is_word(text: &str, start: usize, end: usize) -> bool {
    let part_of_one = |char: char| char.is_alphanumeric() || char == '_';
    !text[..start].ends_with(part_of_one) && !text[end..].starts_with(part_of_one)
}
