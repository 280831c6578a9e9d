//! Checks the dependencies between crates: no service depends on another, and what every crate may
//! import has no dependencies of its own.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use cargo_metadata::{DependencyKind, MetadataCommand};

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
            .filter(|import| import.kind == DependencyKind::Normal)
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
        imports
            .any(|import| import.name == "otlp-embedded" && import.kind == DependencyKind::Normal)
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
                && import.kind == DependencyKind::Normal
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
        let mut code = Code::default();
        code.read(folder.join("src").as_std_path());
        for part in ["tests", "benches", "examples"] {
            read_sources(folder.join(part).as_std_path(), &mut code.of_tests);
        }
        let mut build_script = String::new();
        read_sources(folder.join("build.rs").as_std_path(), &mut build_script);
        for import in &package.dependencies {
            let name = import.rename.as_ref().unwrap_or(&import.name).replace('-', "_");
            let sources = match import.kind {
                DependencyKind::Development => &code.of_tests,
                DependencyKind::Build => &build_script,
                _ => &code.of_programs,
            };
            if !names_crate(sources, &name) {
                unused.push(format!("{}: {} ({})", package.name, import.name, import.kind));
            }
        }
    }
    assert!(unused.is_empty(), "nothing names these imports: {unused:#?}");
}

#[test]
fn a_crate_is_named_by_paths_and_imports_alone() {
    for code in [
        "use time::Duration;",
        "pub use time as clock;",
        "let day = time::Date::MIN;",
        "let day = ::time::Date::MIN;",
        "#[time::test]",
        "#[cfg(test)]\nmod tests {\n    use std::mem;\n}\nuse time::Duration;",
    ] {
        assert!(names_crate(&Code::of(code).of_programs, "time"), "{code}");
    }
    for code in [
        "// time::Duration is too short.",
        "use std::time::Duration;",
        "use std::{\n    fs,\n    time::Duration,\n};",
        "let time = 7;\nlet text = time as f64;",
        "let day = chrono::time::Date;",
        "let day = lifetime::Date;",
        "#[cfg(test)]\nmod tests {\n    use time::Duration;\n}\n",
    ] {
        assert!(!names_crate(&Code::of(code).of_programs, "time"), "{code}");
    }
    assert!(names_crate(
        &Code::of("#[cfg(test)]\nmod tests {\n    use time::Duration;\n}\n").of_tests,
        "time"
    ));
}

/// The code of a crate's `src`, without comments.
#[derive(Default)]
struct Code {
    of_programs: String,
    of_tests: String,
}

impl Code {
    fn of(source: &str) -> Self {
        let mut code = Self::default();
        code.add(source);
        code
    }

    fn read(&mut self, path: &Path) {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| self.read(&entry.path()));
        if !path.is_file() {
            return;
        }
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if name == "tests" || name.ends_with("_tests") {
            read_sources(path, &mut self.of_tests);
        } else {
            let mut source = String::new();
            read_sources(path, &mut source);
            self.add(&source);
        }
    }

    fn add(&mut self, source: &str) {
        let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let mut tests_end_at = None;
        for line in lines {
            let indentation = &line[..line.len() - line.trim_start().len()];
            if tests_end_at.is_none() && line.trim_start().starts_with("#[cfg(test)]") {
                tests_end_at = Some(format!("{indentation}}}"));
            }
            let code =
                if tests_end_at.is_some() { &mut self.of_tests } else { &mut self.of_programs };
            code.push_str(line);
            code.push('\n');
            if tests_end_at.as_ref().is_some_and(|end| {
                line.starts_with(end) || (end.len() == indentation.len() + 1 && line.ends_with(';'))
            }) {
                tests_end_at = None;
            }
        }
    }
}

fn read_sources(path: &Path, sources: &mut String) {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.for_each(|entry| read_sources(&entry.path(), sources));
    if path.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
        sources.push_str(&fs::read_to_string(path).expect("a source can be read"));
    }
}

/// Returns whether `name` is the first segment of a path or of an import. Inside the braces of an import
/// it is a module of another crate: `use std::{fs, time::Duration};`.
fn names_crate(code: &str, name: &str) -> bool {
    let is_word_char = |char: char| char.is_alphanumeric() || char == '_';
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        if before.strip_suffix("::").unwrap_or(before).ends_with(is_word_char) {
            return false;
        }
        let statement = before.rsplit(';').next().unwrap_or_default();
        let import = statement.lines().find_map(|line| {
            let line = line.trim_start();
            let visible = line.strip_prefix("pub").and_then(|line| line.split_once("use "));
            line.strip_prefix("use ").or(visible.map(|(_, path)| path))
        });
        match import {
            Some(path) => path.is_empty() && !after.starts_with(is_word_char),
            None => after.starts_with("::"),
        }
    })
}
