//! Checks that every alert has a runbook, which says what it means, what to do and how it was tested, and a
//! unit test.

use std::{collections::BTreeSet, fs};

use crate::{assert_recorded, repository};

const FOLDER: &str = "deploy/observability";

struct Alert {
    name: String,
    runbook: String,
}

/// Returns the alerts of all rules. Parses only the simple form that they are written in.
fn alerts() -> Vec<Alert> {
    let mut alerts: Vec<Alert> = Vec::new();
    for file in ["rules/service-levels.yaml", "rules/causes.yaml"] {
        let rules = fs::read_to_string(repository(FOLDER).join(file)).expect("the rules");
        for line in rules.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("- alert: ") {
                alerts.push(Alert { name: name.to_owned(), runbook: String::new() });
            } else if let Some(runbook) = line.strip_prefix("runbook: ")
                && let Some(alert) = alerts.last_mut()
            {
                runbook.clone_into(&mut alert.runbook);
            }
        }
    }
    assert!(alerts.len() > 20, "the rules are not read as they are written");
    alerts
}

#[test]
fn each_alert_has_a_runbook() {
    let mut pages = BTreeSet::new();
    for Alert { name, runbook } in alerts() {
        let page = fs::read_to_string(repository(&runbook));
        let page =
            page.unwrap_or_else(|_| panic!("{name} leads to {runbook:?}, which is not there"));
        assert!(page.contains(&format!("`{name}`")), "{runbook} does not speak of {name}");
        for part in ["## What it means", "## How to see it", "## What to do", "## Tested"] {
            assert!(page.contains(part), "{runbook} lacks {part:?}");
        }
        pages.insert(runbook.rsplit('/').next().unwrap_or_default().to_owned());
    }
    let files = fs::read_dir(repository(FOLDER).join("runbooks")).expect("the pages");
    let files =
        files.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    assert_eq!(files.collect::<BTreeSet<_>>(), pages, "a page that no alert leads to");
}

#[test]
fn each_alert_has_a_unit_test() {
    let tests = ["service-levels.test.yaml", "causes.test.yaml"]
        .map(|file| fs::read_to_string(repository(FOLDER).join("rules").join(file)).expect("tests"))
        .concat();
    // The watchdog always fires.
    for Alert { name, .. } in alerts().into_iter().filter(|alert| alert.name != "Watchdog") {
        let heading = format!("alertname: {name}\n");
        let cases = tests.match_indices(&heading).map(|(at, _)| &tests[at..]);
        // There is a test in which it fires, and one in which it does not.
        let (quiet, fires): (Vec<_>, Vec<_>) = cases
            .map(|test| test.split("alertname:").nth(1).unwrap_or_default())
            .partition(|test| test.contains("exp_alerts: []"));
        assert!(!fires.is_empty() && !quiet.is_empty(), "{name} is not tested both ways");
    }
}

#[test]
fn the_alerts_use_only_recorded_metrics() {
    let rules =
        fs::read_to_string(repository(FOLDER).join("rules/causes.yaml")).expect("the rules");
    let prefixes = ["#", "summary:", "runbook:"];
    let is_text = |line: &&str| prefixes.iter().any(|it| line.trim_start().starts_with(it));
    for line in rules.lines().filter(|line| !is_text(line)) {
        assert_recorded(line, "rules/causes.yaml");
    }
}
