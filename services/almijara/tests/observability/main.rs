//! Generates parts of `deploy/observability` from the code, and checks that the files match: the list of
//! metrics, the rules of the service levels and the dashboards. The parts written by hand, alerts about
//! causes and runbooks, are checked: every alert has a runbook, every metric is recorded by a role, and
//! the rules pass their unit tests.
//!
//! `UPDATE_OBSERVABILITY=1 cargo test -p almijara --test observability` writes the generated files.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

mod alerts;
mod dashboards;
mod metrics_page;
mod promtool;
mod service_levels;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use runtime::metrics::Metric;

/// The roles with their metrics.
const ROLES: [(&str, &[Metric]); 7] = [
    ("sync", sync::METRICS),
    ("projections", projections::METRICS),
    ("query", query::METRICS),
    ("command", command::METRICS),
    ("site", site::METRICS),
    ("preview", preview::METRICS),
    ("console", console::METRICS),
];

/// Returns `path` in the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Checks that the file at `path` equals `generated`, or writes it if `UPDATE_OBSERVABILITY` is set.
fn assert_generated(path: &str, generated: &str) {
    let file = repository(path);
    if env::var_os("UPDATE_OBSERVABILITY").is_some() {
        fs::write(&file, generated).expect("it can be written");
    }
    let current = fs::read_to_string(&file).unwrap_or_default();
    assert!(current == generated, "{path} is not as the code makes it: `make types` writes it");
}

/// Returns every metric with the roles that record it.
fn metrics() -> Vec<(Metric, Vec<&'static str>)> {
    let mut all: Vec<(Metric, Vec<&'static str>)> = Vec::new();
    let every = ROLES.iter().map(|(role, _)| (*role, runtime::metrics::METRICS));
    for (role, metrics) in every.chain(ROLES) {
        for metric in metrics {
            match all.iter_mut().find(|(known, _)| known.name == metric.name) {
                Some((_, roles)) => roles.push(role),
                None => all.push((*metric, vec![role])),
            }
        }
    }
    all
}

/// Returns the names of Almijara's own metrics in `expression`.
fn named_in(expression: &str) -> Vec<&str> {
    const PREFIXES: [&str; 6] =
        ["almijara_", "sync_", "query_", "command_", "site_", "http_server_"];
    // Text in quotes is the value of a label.
    let outside = expression.split('"').step_by(2);
    let words = outside
        .flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':'));
    words
        .filter(|word| {
            PREFIXES.iter().any(|prefix| word.starts_with(prefix)) && !word.contains(':')
        })
        .collect()
}

/// Fails if `expression` has a metric that no role records. The error says that it is in `whose`.
fn assert_recorded(expression: &str, whose: &str) {
    let metrics = metrics();
    for name in named_in(expression) {
        let is_recorded = metrics.iter().any(|(metric, _)| {
            let parts = ["", "_bucket", "_count", "_sum"];
            let is_part = |part: &&str| name.strip_suffix(*part) == Some(metric.name);
            match metric.kind {
                runtime::metrics::Kind::Histogram(_) => parts[1..].iter().any(is_part),
                _ => is_part(&""),
            }
        });
        // Some labels have the same prefixes as metrics.
        let is_label = metrics.iter().any(|(metric, _)| metric.labels.contains(&name));
        assert!(is_recorded || is_label, "{whose} speaks of {name}, which no role records");
    }
}

#[test]
fn the_console_reads_only_metrics_that_a_role_records() {
    let files = fs::read_dir(repository("services/console/src/overview")).expect("the folder");
    let mut count = 0;
    for file in files {
        let source = fs::read_to_string(file.expect("an entry").path()).expect("a source");
        for text in source.split('"') {
            // Only texts begin with the name of a metric, not what is between them.
            if let Some(name) = named_in(text).first().filter(|name| text.starts_with(*name)) {
                assert_recorded(name, "the console's overview");
                count += 1;
            }
        }
    }
    assert!(count > 10, "{count} metrics were found");
}
