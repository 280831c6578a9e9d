//! Imports point down: no service knows another, and what everything may import imports nothing.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::MetadataCommand;

/// What each crate of ours may import, of ours.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("contracts", &[]),
    ("runtime", &[]),
    ("local-servers", &[]),
    ("event-log", &["contracts", "runtime"]),
    ("content-client", &["contracts", "runtime"]),
    ("search-index", &["contracts"]),
    ("pictures", &[]),
    ("content-pack", &["contracts", "runtime"]),
    ("sync", &["contracts", "runtime", "event-log", "content-client", "pictures"]),
    ("projections", &["contracts", "runtime", "event-log"]),
    ("query", &["contracts", "runtime", "event-log", "search-index"]),
    ("site", &["contracts", "pictures", "runtime"]),
    ("testkit", &["contracts", "runtime", "event-log", "local-servers"]),
    (
        "almijara",
        &[
            "contracts",
            "runtime",
            "local-servers",
            "event-log",
            "content-client",
            "content-pack",
            "sync",
            "projections",
            "search-index",
            "query",
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
