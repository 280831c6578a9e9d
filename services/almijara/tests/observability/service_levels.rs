//! The service levels for visitors, editors and the office, and the generated rules that monitor them.
//!
//! The alerts use several windows and burn rates, as in Google's Site Reliability Workbook: an alert
//! fires when both a long and a short window burn the error budget too fast, so neither a short spike
//! nor a past problem fires it.

use std::fmt::Write as _;

use crate::{assert_generated, assert_recorded};

/// A service level.
pub struct ServiceLevel {
    /// Its name in recorded series.
    pub name: &'static str,
    /// The prefix of its alerts' names.
    pub alert: &'static str,
    /// The promise, in words.
    pub promise: &'static str,
    /// The ratio that must be good, over thirty days.
    pub objective: f64,
    /// The rates of bad events and of all events in the window `$w`, as queries.
    pub bad: &'static str,
    pub all: &'static str,
    /// An alert needs more bad events than this in the long window, whatever their ratio is.
    pub min_bad: u32,
}

pub const LEVELS: [ServiceLevel; 6] = [
    ServiceLevel {
        name: "availability",
        alert: "Availability",
        promise: "999 of 1,000 requests at the door are answered without an error of ours",
        objective: 0.999,
        bad: r#"sum(rate(http_server_request_duration_seconds_count{role="site",http_response_status_code=~"5.."}[$w])) or vector(0)"#,
        all: r#"sum(rate(http_server_request_duration_seconds_count{role="site"}[$w]))"#,
        min_bad: 10,
    },
    ServiceLevel {
        name: "page_latency",
        alert: "PageLatency",
        promise: "99 of 100 pages leave the door within 250 ms",
        objective: 0.99,
        bad: r#"sum(rate(http_server_request_duration_seconds_count{role="site",http_route="/{*page}"}[$w])) - sum(rate(http_server_request_duration_seconds_bucket{role="site",http_route="/{*page}",le="0.25"}[$w]))"#,
        all: r#"sum(rate(http_server_request_duration_seconds_count{role="site",http_route="/{*page}"}[$w]))"#,
        min_bad: 10,
    },
    ServiceLevel {
        name: "search_latency",
        alert: "SearchLatency",
        promise: "99 of 100 searches are answered by a query node within 100 ms",
        objective: 0.99,
        bad: r#"sum(rate(http_server_request_duration_seconds_count{role="query",http_route=~"/api/properties|/api/suggest"}[$w])) - sum(rate(http_server_request_duration_seconds_bucket{role="query",http_route=~"/api/properties|/api/suggest",le="0.1"}[$w]))"#,
        all: r#"sum(rate(http_server_request_duration_seconds_count{role="query",http_route=~"/api/properties|/api/suggest"}[$w]))"#,
        min_bad: 10,
    },
    ServiceLevel {
        name: "capture_latency",
        alert: "CaptureLatency",
        promise: "99 of 100 changes are in the ledger within 1 s after sync begins to read them",
        objective: 0.99,
        bad: r#"sum(rate(sync_capture_seconds_count[$w])) - sum(rate(sync_capture_seconds_bucket{le="1.0"}[$w]))"#,
        all: r"sum(rate(sync_capture_seconds_count[$w]))",
        min_bad: 3,
    },
    ServiceLevel {
        name: "publish_to_visible",
        alert: "PublishToVisible",
        promise: "99 of 100 changes show on every site node within 500 ms of their capture",
        objective: 0.99,
        bad: r#"sum(rate(site_publish_seconds_count[$w])) - sum(rate(site_publish_seconds_bucket{le="0.5"}[$w]))"#,
        all: r"sum(rate(site_publish_seconds_count[$w]))",
        min_bad: 3,
    },
    ServiceLevel {
        name: "enquiries_delivered",
        alert: "EnquiriesDelivered",
        promise: "995 of 1,000 enquiries reach the office, by mail and in Directus, within 5 minutes",
        objective: 0.995,
        bad: r#"sum(rate(command_job_seconds_count{kind=~"office_mail|content_item"}[$w])) - (sum(rate(command_job_seconds_bucket{kind=~"office_mail|content_item",outcome="done",le="300.0"}[$w])) or vector(0))"#,
        all: r#"sum(rate(command_job_seconds_count{kind=~"office_mail|content_item"}[$w]))"#,
        min_bad: 1,
    },
];

/// The windows, with their lengths in seconds.
const WINDOWS: [(&str, u32); 7] = [
    ("5m", 300),
    ("30m", 1_800),
    ("1h", 3_600),
    ("2h", 7_200),
    ("6h", 21_600),
    ("1d", 86_400),
    ("3d", 259_200),
];

/// A long window, a short one, and the burn rate in both.
type Burn = (&'static str, &'static str, &'static str);

/// The suffix of an alert's name, its severity, and the pairs of windows with the burn rate for both.
const BURNS: [(&str, &str, [Burn; 2]); 2] = [
    ("BudgetBurnsFast", "page", [("1h", "5m", "14.4"), ("6h", "30m", "6")]),
    ("BudgetBurnsSlowly", "ticket", [("1d", "2h", "3"), ("3d", "6h", "1")]),
];

#[test]
fn the_rules_are_made_of_the_promises() {
    let mut rules = String::from(
        "# Made by services/almijara/tests/observability/service_levels.rs: `make types` writes it.\n\
         groups:\n",
    );
    for level in &LEVELS {
        // The rules of a group are evaluated in order, so alerts read the values recorded just before.
        assert_recorded(level.bad, level.name);
        assert_recorded(level.all, level.name);
        add_recordings(&mut rules, level);
        add_alerts(&mut rules, level);
        add_thirty_days(&mut rules, level);
    }
    assert_generated("deploy/observability/rules/service-levels.yaml", &rules);
}

/// Returns the ratio that may be bad.
fn budget(level: &ServiceLevel) -> String {
    let budget = format!("{:.4}", 1.0 - level.objective);
    budget.trim_end_matches('0').to_owned()
}

fn add_recordings(rules: &mut String, level: &ServiceLevel) {
    let ServiceLevel { name, bad, all, .. } = level;
    let _infallible = write!(rules, "- name: {name}\n  rules:\n");
    for (window, _) in WINDOWS {
        let (bad, all) = (bad.replace("$w", window), all.replace("$w", window));
        let _infallible = write!(
            rules,
            "  - record: almijara:bad:rate{window}\n    labels: {{level: {name}}}\n    expr: |-\n      {bad}\n\
             \x20 - record: almijara:bad_ratio:rate{window}\n    labels: {{level: {name}}}\n    expr: |-\n      \
             almijara:bad:rate{window}{{level=\"{name}\"}} / ignoring(level) ({all})\n",
        );
    }
}

/// Adds the rule for thirty days, which is evaluated less often, since it reads a whole month.
fn add_thirty_days(rules: &mut String, level: &ServiceLevel) {
    let ServiceLevel { name, bad, all, .. } = level;
    let budget = budget(level);
    let (bad, all) = (bad.replace("$w", "30d"), all.replace("$w", "30d"));
    let _infallible = write!(
        rules,
        "- name: {name} of thirty days\n  interval: 5m\n  rules:\n\
         \x20 - record: almijara:budget_left:ratio30d\n    labels: {{level: {name}}}\n    expr: |-\n      \
         1 - (({bad}) / ({all})) / {budget}\n",
    );
}

fn add_alerts(rules: &mut String, level: &ServiceLevel) {
    let ServiceLevel { name, alert, promise, min_bad, .. } = level;
    let budget = budget(level);
    for (ending, severity, pairs) in BURNS {
        let conditions: Vec<String> = pairs
            .iter()
            .map(|(long, short, burn)| {
                let seconds = WINDOWS.iter().find(|(window, _)| window == long).map_or(0, |it| it.1);
                let burns = |window: &str| {
                    format!("almijara:bad_ratio:rate{window}{{level=\"{name}\"}} > {burn} * {budget}")
                };
                format!(
                    "({} and {} and almijara:bad:rate{long}{{level=\"{name}\"}} * {seconds} > {min_bad})",
                    burns(long),
                    burns(short)
                )
            })
            .collect();
        let _infallible = write!(
            rules,
            "  - alert: {alert}{ending}\n    expr: |-\n      {}\n    labels: {{severity: {severity}}}\n    \
             annotations:\n      summary: \"The error budget of {} burns: {promise}\"\n      \
             runbook: deploy/observability/runbooks/{alert}Budget.md\n",
            conditions.join("\n      or\n      "),
            name.replace('_', " "),
        );
    }
}
