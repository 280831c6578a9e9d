//! What visitors, editors and the office are promised, and the rules that watch over it.
//!
//! Several windows and burn rates, as Google's workbook of site reliability has them: an alert comes
//! when both a long window and a short one burn, so that it is neither about a moment nor about what
//! is over.

use std::fmt::Write as _;

use crate::{assert_recorded, hold};

/// A promise.
pub struct ServiceLevel {
    /// In recorded series.
    pub name: &'static str,
    /// In the alerts' names.
    pub alert: &'static str,
    /// In words.
    pub promise: &'static str,
    /// The part that must be good, over thirty days.
    pub objective: f64,
    /// The rate of what was bad, and of all, in the window `$w`.
    pub bad: &'static str,
    pub all: &'static str,
    /// So few bad ones in a long window are no alert, whatever part of all they are.
    pub least_bad: u32,
}

pub const LEVELS: [ServiceLevel; 5] = [
    ServiceLevel {
        name: "availability",
        alert: "Availability",
        promise: "999 of 1,000 requests at the door are answered without an error of ours",
        objective: 0.999,
        bad: r#"sum(rate(http_server_request_duration_seconds_count{role="site",http_response_status_code=~"5.."}[$w])) or vector(0)"#,
        all: r#"sum(rate(http_server_request_duration_seconds_count{role="site"}[$w]))"#,
        least_bad: 10,
    },
    ServiceLevel {
        name: "page_latency",
        alert: "PageLatency",
        promise: "99 of 100 pages leave the door within 250 ms",
        objective: 0.99,
        bad: r#"sum(rate(http_server_request_duration_seconds_count{role="site",http_route="/{*page}"}[$w])) - sum(rate(http_server_request_duration_seconds_bucket{role="site",http_route="/{*page}",le="0.25"}[$w]))"#,
        all: r#"sum(rate(http_server_request_duration_seconds_count{role="site",http_route="/{*page}"}[$w]))"#,
        least_bad: 10,
    },
    ServiceLevel {
        name: "search_latency",
        alert: "SearchLatency",
        promise: "99 of 100 searches are answered by a query node within 100 ms",
        objective: 0.99,
        bad: r#"sum(rate(http_server_request_duration_seconds_count{role="query",http_route=~"/api/properties|/api/suggest"}[$w])) - sum(rate(http_server_request_duration_seconds_bucket{role="query",http_route=~"/api/properties|/api/suggest",le="0.1"}[$w]))"#,
        all: r#"sum(rate(http_server_request_duration_seconds_count{role="query",http_route=~"/api/properties|/api/suggest"}[$w]))"#,
        least_bad: 10,
    },
    ServiceLevel {
        name: "publish_to_visible",
        alert: "PublishToVisible",
        promise: "99 of 100 changes show on every site node within 500 ms of their capture",
        objective: 0.99,
        bad: r#"sum(rate(site_publish_seconds_count[$w])) - sum(rate(site_publish_seconds_bucket{le="0.5"}[$w]))"#,
        all: r"sum(rate(site_publish_seconds_count[$w]))",
        least_bad: 3,
    },
    ServiceLevel {
        name: "enquiries_delivered",
        alert: "EnquiriesDelivered",
        promise: "995 of 1,000 enquiries reach the office, by mail and in Directus, within 5 minutes",
        objective: 0.995,
        bad: r#"sum(rate(command_job_seconds_count{kind=~"office_mail|content_item"}[$w])) - (sum(rate(command_job_seconds_bucket{kind=~"office_mail|content_item",outcome="done",le="300.0"}[$w])) or vector(0))"#,
        all: r#"sum(rate(command_job_seconds_count{kind=~"office_mail|content_item"}[$w]))"#,
        least_bad: 1,
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

/// How an alert ends its name, how loud it is, and the pairs of windows with the burn rate in both.
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
        // Of one group, the rules are looked at in their order: no alert reads what is about to change.
        assert_recorded(level.bad, level.name);
        assert_recorded(level.all, level.name);
        recorded(&mut rules, level);
        alerts(&mut rules, level);
        of_thirty_days(&mut rules, level);
    }
    hold("deploy/observability/rules/service-levels.yaml", &rules);
}

/// The part that may be bad.
fn budget(level: &ServiceLevel) -> String {
    let budget = format!("{:.4}", 1.0 - level.objective);
    budget.trim_end_matches('0').to_owned()
}

fn recorded(rules: &mut String, level: &ServiceLevel) {
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

/// Looked at less often, since it reads all of the month.
fn of_thirty_days(rules: &mut String, level: &ServiceLevel) {
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

fn alerts(rules: &mut String, level: &ServiceLevel) {
    let ServiceLevel { name, alert, promise, least_bad, .. } = level;
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
                    "({} and {} and almijara:bad:rate{long}{{level=\"{name}\"}} * {seconds} > {least_bad})",
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
