//! Generates the list of metrics, and checks that the code records exactly those.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use runtime::metrics::Kind;

use crate::{ROLES, assert_generated, metrics, repository};

/// The folder of each role's code, which is searched for recorded metrics.
const SOURCES: [(&str, &str); 7] = [
    ("sync", "services/sync/src"),
    ("projections", "projections/src"),
    ("query", "services/query/src"),
    ("command", "services/command/src"),
    ("site", "services/site/src"),
    ("preview", "services/preview/src"),
    ("console", "services/console/src"),
];

#[test]
fn the_page_is_made_of_the_lists() {
    let mut page = String::from(
        "# What the roles measure\n\n\
         Generated from the lists in the code (`metric_list.rs` of each role, `runtime::metrics`) by\n\
         `make types`; a test checks that it is current. Every role serves its metrics at `/metrics`\n\
         of its health port. A histogram has the series `_bucket`, `_sum` and `_count`.\n\n\
         | name | type | unit | labels | roles | what |\n|---|---|---|---|---|---|\n",
    );
    for (metric, roles) in metrics() {
        let kind = match metric.kind {
            Kind::Counter => "counter".to_owned(),
            Kind::Gauge => "gauge".to_owned(),
            Kind::Histogram(bounds) => {
                let bounds: Vec<String> = bounds.iter().map(ToString::to_string).collect();
                format!("histogram: {}", bounds.join(", "))
            }
        };
        let labels: Vec<_> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        let _infallible = writeln!(
            page,
            "| `{}` | {kind} | {} | {} | {} | {} |",
            metric.name,
            metric.unit.as_str(),
            labels.join(", "),
            roles.join(", "),
            metric.help,
        );
    }
    assert_generated("deploy/observability/metrics.md", &page);
}

#[test]
fn names_have_the_suffix_of_their_kind_and_unit() {
    let mut names = BTreeSet::new();
    for (metric, _) in metrics() {
        let name = metric.name;
        assert!(names.insert(name), "{name} is described twice");
        let is_counter = matches!(metric.kind, Kind::Counter);
        assert_eq!(name.ends_with("_total"), is_counter, "{name}");
        let unit = metric.unit.as_str();
        let says_unit = name.ends_with(&format!("_{unit}"));
        assert!(unit == "count" || says_unit, "{name} is in {unit}, and does not say so");
        if let Kind::Histogram(bounds) = metric.kind {
            assert!(bounds.is_sorted(), "{name}");
        }
    }
}

#[test]
fn the_code_records_what_is_listed_and_nothing_else() {
    for ((role, listed), (_, folder)) in ROLES.into_iter().zip(SOURCES) {
        let mut recorded = BTreeMap::new();
        read(&repository(folder), &mut recorded);
        if let Some(requests) = recorded.remove("REQUEST_SECONDS") {
            recorded.insert("http_server_request_duration_seconds".to_owned(), requests);
        }
        for metric in listed {
            // This one is recorded for all roles in one place.
            let is_shared = metric.name == runtime::metrics::REQUEST_SECONDS;
            let found = recorded.remove(metric.name);
            assert!(
                found.is_some() || is_shared,
                "{role} lists {} and never records it",
                metric.name
            );
            let Some((kind, labels)) = found else { continue };
            let expected = match metric.kind {
                Kind::Counter => "counter",
                Kind::Gauge => "gauge",
                Kind::Histogram(_) => "histogram",
            };
            assert_eq!(kind, expected, "{}", metric.name);
            let listed: BTreeSet<_> = metric.labels.iter().map(ToString::to_string).collect();
            assert_eq!(labels, listed, "the labels of {}", metric.name);
        }
        assert!(recorded.is_empty(), "{role} records and does not list {recorded:?}");
    }
}

/// Adds, for each metric that the code in `folder` records, its kind and its labels.
fn read(folder: &Path, recorded: &mut BTreeMap<String, (String, BTreeSet<String>)>) {
    for entry in fs::read_dir(folder).expect("a folder of the code") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, recorded);
            continue;
        }
        if path.ends_with("metric_list.rs") {
            continue;
        }
        let code = fs::read_to_string(&path).expect("a file of the code");
        for kind in ["counter", "gauge", "histogram"] {
            // The macros, and functions that a role has in place of them.
            for call in [format!("{kind}!("), format!("{kind}(")] {
                for (at, _) in code.match_indices(&call) {
                    let Some((name, labels)) = call_of(&code[at + call.len()..]) else { continue };
                    let entry =
                        recorded.entry(name).or_insert_with(|| (kind.to_owned(), labels.clone()));
                    assert_eq!((entry.0.as_str(), &entry.1), (kind, &labels), "{}", path.display());
                }
            }
        }
    }
}

/// Returns the metric's name and labels in the arguments of a call. `code` starts after the opening
/// bracket.
fn call_of(code: &str) -> Option<(String, BTreeSet<String>)> {
    let mut depth = 1_usize;
    let end = code.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let arguments = code[..end].trim_start();
    let first = arguments.split(',').next()?.trim();
    let name = match first.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"')?,
        None if first == "REQUEST_SECONDS" => first,
        None => return None,
    };
    let labels = arguments.split("=>").filter_map(|before| {
        let label = before.trim_end().strip_suffix('"')?;
        Some(label.rsplit('"').next()?.to_owned())
    });
    let count = arguments.matches("=>").count();
    Some((name.to_owned(), labels.take(count).collect()))
}
