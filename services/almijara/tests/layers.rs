//! Checks the dependencies between crates: no service depends on another, and what every crate may
//! import has no dependencies of its own.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use cargo_metadata::MetadataCommand;

/// Which crates of the workspace each of them may import.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("contracts", &[]),
    ("credentials", &[]),
    ("preview-ticket", &[]),
    ("runtime", &[]),
    ("local-servers", &[]),
    ("event-log", &["contracts", "runtime"]),
    ("content-client", &["contracts", "runtime"]),
    ("search-index", &["contracts", "runtime"]),
    ("search-parameters", &["contracts", "runtime", "search-index"]),
    ("packing", &[]),
    ("pictures", &[]),
    ("media", &["contracts", "pictures", "runtime"]),
    ("directus-setup", &["contracts", "runtime"]),
    ("content-import", &["contracts", "directus-setup", "runtime"]),
    ("content-pack", &["directus-setup", "runtime"]),
    ("sync", &["admin-answers", "contracts", "runtime", "event-log", "content-client", "pictures"]),
    ("read-models", &["contracts"]),
    ("answers", &["contracts", "read-models", "runtime"]),
    ("admin-answers", &["contracts"]),
    ("projections", &["admin-answers", "contracts", "runtime", "event-log", "read-models"]),
    (
        "query",
        &[
            "admin-answers",
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
            "admin-answers",
            "answers",
            "content-client",
            "contracts",
            "credentials",
            "runtime",
            "event-log",
            "pictures",
            "search-index",
            "search-parameters",
        ],
    ),
    ("console", &["admin-answers", "content-client", "contracts", "credentials", "runtime"]),
    (
        "site",
        &[
            "admin-answers",
            "contracts",
            "media",
            "packing",
            "pictures",
            "preview-ticket",
            "runtime",
        ],
    ),
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
fn crates_import_only_what_they_may() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let crates: BTreeSet<String> = metadata.packages.iter().map(|p| p.name.to_string()).collect();
    let allowed: BTreeMap<_, _> = MAY_IMPORT.iter().copied().collect();
    assert_eq!(
        crates,
        allowed.keys().map(ToString::to_string).collect(),
        "a crate without a place"
    );
    for package in &metadata.packages {
        let imports = package
            .dependencies
            .iter()
            .filter(|import| import.kind == cargo_metadata::DependencyKind::Normal)
            .filter(|import| crates.contains(&import.name));
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
    let mut users = Vec::new();
    for role in ["almijara", "command", "query", "site", "sync", "preview"] {
        let mut sources = String::new();
        read_sources(&services.join(role).join("src"), &mut sources);
        if sources.contains("Drafts") {
            users.push(role);
        }
    }
    assert_eq!(users, ["preview"], "who else reads drafts could record them");
    let mut sources = String::new();
    read_sources(&services.join("preview/src"), &mut sources);
    for store in ["PgPool", "postgres", "EventLog", "SearchIndex", "std::fs", "tokio::fs", "moka"] {
        assert!(!sources.contains(store), "previews know a store: {store}");
    }
}

#[test]
fn only_the_event_log_knows_nats() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let users: Vec<_> = metadata
        .packages
        .iter()
        .filter(|package| package.dependencies.iter().any(|import| import.name == "async-nats"))
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(users, ["event-log"]);
}

#[test]
fn only_the_trace_viewer_receives_traces() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let users = metadata.packages.iter().filter(|package| {
        let mut imports = package.dependencies.iter();
        imports.any(|import| {
            import.name == "otlp-embedded" && import.kind == cargo_metadata::DependencyKind::Normal
        })
    });
    assert_eq!(users.map(|package| package.name.as_str()).collect::<Vec<_>>(), ["trace-viewer"]);
}

#[test]
fn only_the_mail_catcher_receives_mail() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let users = metadata.packages.iter().filter(|package| {
        let mut imports = package.dependencies.iter();
        imports.any(|import| {
            ["mailin", "mail-catcher"].contains(&import.name.as_str())
                && import.kind == cargo_metadata::DependencyKind::Normal
        })
    });
    let users: Vec<_> = users.map(|package| package.name.as_str()).collect();
    assert_eq!(users, ["mail-catcher"], "no production program catches mail");
}

#[test]
fn no_http_client_uses_a_proxy() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let mut count = 0;
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
            count += 1;
        }
        assert!(!sources.contains("reqwest::Client::new()"), "{}", package.name);
    }
    assert!(count > 7, "{count} clients were found");
}

#[test]
fn an_errors_text_does_not_contain_its_source_and_logs_print_both() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo describes the workspace");
    let mut count = 0;
    for package in &metadata.packages {
        let folder = package.manifest_path.parent().expect("it lies in a folder");
        let mut sources = String::new();
        read_sources(folder.join("src").as_std_path(), &mut sources);
        for error in sources.split("#[error(").skip(1) {
            let (text, fields) = error.split_once(")]").unwrap_or_default();
            let end = ["\n    ///", "\n\n", "\n}"].iter().filter_map(|end| fields.find(end)).min();
            let fields = &fields[..end.unwrap_or(fields.len())];
            let has_source =
                ["#[from]", "#[source]", "source: "].iter().any(|mark| fields.contains(mark));
            let shows_source =
                ["{0", "{source", ".0", "error_text"].iter().any(|part| text.contains(part));
            assert!(!(has_source && shows_source), "{}: #[error({text})]", package.name);
            count += usize::from(has_source);
        }
        for log in ["%error", "error = %"] {
            assert!(!sources.contains(log), "{}: {log} prints no causes", package.name);
        }
    }
    assert!(count > 50, "{count} errors with a source were found");
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
    let is_word_char = |char: char| char.is_alphanumeric() || char == '_';
    !text[..start].ends_with(is_word_char) && !text[end..].starts_with(is_word_char)
}
