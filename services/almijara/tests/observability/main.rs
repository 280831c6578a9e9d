//! `deploy/observability` is made of the code and held to it: the list of metrics, the rules of the
//! service levels and the dashboards. What is written by hand there, the alerts about causes and the
//! runbooks, is checked: no alert without its page, no figure that no role records, and the unit tests
//! of all rules.
//!
//! `UPDATE_OBSERVABILITY=1 cargo test -p almijara --test observability` writes what is made.
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

/// Each role and what it measures.
const ROLES: [(&str, &[Metric]); 7] = [
    ("sync", sync::METRICS),
    ("projections", projections::METRICS),
    ("query", query::METRICS),
    ("command", command::METRICS),
    ("site", site::METRICS),
    ("preview", preview::METRICS),
    ("console", console::METRICS),
];

/// `path` in the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Holds the file at `path` to what is `made`, or writes it where that is asked for.
fn hold(path: &str, made: &str) {
    let file = repository(path);
    if env::var_os("UPDATE_OBSERVABILITY").is_some() {
        fs::write(&file, made).expect("it can be written");
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    assert!(there == made, "{path} is not as the code makes it: `make types` writes it");
}

/// Every metric, with the roles that record it.
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

/// The names of metrics of ours that `expression` speaks of.
fn named_in(expression: &str) -> Vec<&str> {
    const OURS: [&str; 6] = ["almijara_", "sync_", "query_", "command_", "site_", "http_server_"];
    // What stands in quotes is the value of a label.
    let outside = expression.split('"').step_by(2);
    let words = outside
        .flat_map(|part| part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':'));
    words
        .filter(|word| OURS.iter().any(|ours| word.starts_with(ours)) && !word.contains(':'))
        .collect()
}

/// Fails where `expression` speaks of a metric that no role records.
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
        // Labels begin like metrics now and then.
        let is_label = metrics.iter().any(|(metric, _)| metric.labels.contains(&name));
        assert!(is_recorded || is_label, "{whose} speaks of {name}, which no role records");
    }
}
