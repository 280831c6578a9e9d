//! Generates the dashboards of Grafana.

use serde_json::{Value, json};

use crate::{assert_generated, assert_recorded, service_levels::LEVELS};

struct Dashboard {
    /// The name of its file, and its id in Grafana.
    name: &'static str,
    title: &'static str,
    panels: &'static [Panel],
}

struct Panel {
    title: &'static str,
    /// The unit, as Grafana names it.
    unit: &'static str,
    /// The query and the legend of each line.
    lines: &'static [(&'static str, &'static str)],
}

const LEVEL_PANELS: &[Panel] = &[
    Panel {
        title: "Error budget left of thirty days",
        unit: "percentunit",
        lines: &[("almijara:budget_left:ratio30d", "{{level}}")],
    },
    Panel {
        title: "Bad of all, in the last hour",
        unit: "percentunit",
        lines: &[("almijara:bad_ratio:rate1h", "{{level}}")],
    },
    Panel {
        title: "Bad of all, in the last five minutes",
        unit: "percentunit",
        lines: &[("almijara:bad_ratio:rate5m", "{{level}}")],
    },
    Panel {
        title: "Alerts",
        unit: "short",
        lines: &[("sum by (alertname, severity) (ALERTS{alertstate=\"firing\"})", "{{alertname}}")],
    },
    Panel {
        title: "Not ready",
        unit: "short",
        lines: &[("almijara_ready == 0", "{{role}} {{instance}}: {{check}}")],
    },
    Panel { title: "Up", unit: "short", lines: &[("up", "{{role}} {{instance}}")] },
];

const FLOW_PANELS: &[Panel] = &[
    Panel {
        title: "From capture to visible",
        unit: "s",
        lines: &[
            (
                "histogram_quantile(0.5, sum by (le) (rate(site_publish_seconds_bucket[$__rate_interval])))",
                "half",
            ),
            (
                "histogram_quantile(0.99, sum by (le) (rate(site_publish_seconds_bucket[$__rate_interval])))",
                "99 of 100",
            ),
        ],
    },
    Panel {
        title: "From webhook to version",
        unit: "s",
        lines: &[(
            "histogram_quantile(0.99, sum by (le, collection) (rate(sync_capture_seconds_bucket[$__rate_interval])))",
            "{{collection}}",
        )],
    },
    Panel {
        title: "Webhooks",
        unit: "reqps",
        lines: &[("sum by (outcome) (rate(sync_webhooks_total[$__rate_interval]))", "{{outcome}}")],
    },
    Panel {
        title: "Versions recorded",
        unit: "short",
        lines: &[(
            "sum by (collection) (rate(sync_versions_total[$__rate_interval]))",
            "{{collection}}",
        )],
    },
    Panel {
        title: "How long the content service takes",
        unit: "s",
        lines: &[(
            "histogram_quantile(0.99, sum by (le) (rate(sync_content_read_seconds_bucket[$__rate_interval])))",
            "99 of 100",
        )],
    },
    Panel {
        title: "Waits for the log",
        unit: "s",
        lines: &[("sync_outbox_oldest_seconds", "the oldest version")],
    },
    Panel {
        title: "Waits to be read, or is paused",
        unit: "s",
        lines: &[
            ("sync_aggregates_due_oldest_seconds", "the oldest item"),
            ("sync_paused_seconds > 0", "paused: {{step}}"),
            ("almijara_projection_paused_seconds > 0", "paused: projections"),
        ],
    },
    Panel {
        title: "Messages behind the log",
        unit: "short",
        lines: &[
            ("almijara_projection_lag_messages", "read models"),
            ("query_index_lag_messages", "index {{instance}}"),
            ("command_alerts_lag_messages", "saved searches"),
        ],
    },
    Panel {
        title: "Can't be recorded, read or saved",
        unit: "short",
        lines: &[
            ("sum by (collection) (sync_parked) > 0", "parked: {{collection}}"),
            ("sum by (collection) (sync_left_out) > 0", "without a picture: {{collection}}"),
            ("sync_hints_unresolved > 0", "webhooks not resolved"),
            ("sync_outbox_refused_entries > 0", "refused by the log"),
            ("query_index_unsaved_seconds > 0", "index not saved for s: {{instance}}"),
            (
                "sum by (collection, task) (sync_collection_failing_seconds) > 0",
                "failing for s: {{collection}} {{task}}",
            ),
        ],
    },
    Panel {
        title: "The stream, of its limit",
        unit: "percentunit",
        lines: &[("sync_stream_bytes / sync_stream_limit_bytes", "stream")],
    },
];

const SITE_PANELS: &[Panel] = &[
    Panel {
        title: "Requests",
        unit: "reqps",
        lines: &[(
            "sum by (http_route) (rate(http_server_request_duration_seconds_count{role=\"site\"}[$__rate_interval]))",
            "{{http_route}}",
        )],
    },
    Panel {
        title: "Answers that are errors",
        unit: "reqps",
        lines: &[(
            "sum by (role, http_route, http_response_status_code) (rate(http_server_request_duration_seconds_count{http_response_status_code=~\"5..|429\"}[$__rate_interval]))",
            "{{http_response_status_code}} {{role}} {{http_route}}",
        )],
    },
    Panel {
        title: "How long a page takes",
        unit: "s",
        lines: &[
            (
                "histogram_quantile(0.5, sum by (le) (rate(http_server_request_duration_seconds_bucket{role=\"site\",http_route=\"/{*page}\"}[$__rate_interval])))",
                "half",
            ),
            (
                "histogram_quantile(0.99, sum by (le) (rate(http_server_request_duration_seconds_bucket{role=\"site\",http_route=\"/{*page}\"}[$__rate_interval])))",
                "99 of 100",
            ),
        ],
    },
    Panel {
        title: "How long calls take, 99 of 100",
        unit: "s",
        lines: &[(
            "histogram_quantile(0.99, sum by (le, http_route) (rate(http_server_request_duration_seconds_bucket{role=\"query\"}[$__rate_interval])))",
            "{{http_route}}",
        )],
    },
    Panel {
        title: "Pages from the cache",
        unit: "percentunit",
        lines: &[(
            "sum(rate(site_page_hits_total[$__rate_interval])) / (sum(rate(site_page_hits_total[$__rate_interval])) + sum(rate(site_page_misses_total[$__rate_interval])))",
            "hits",
        )],
    },
    Panel {
        title: "Renders",
        unit: "reqps",
        lines: &[
            ("sum(rate(site_renders_total[$__rate_interval]))", "begun"),
            ("sum(rate(site_render_failures_total[$__rate_interval]))", "failed"),
            ("sum(rate(site_renders_overtaken_total[$__rate_interval]))", "overtaken by a purge"),
        ],
    },
    Panel {
        title: "How long renders take",
        unit: "s",
        lines: &[
            (
                "histogram_quantile(0.5, sum by (le) (rate(site_render_seconds_bucket[$__rate_interval])))",
                "half",
            ),
            (
                "histogram_quantile(0.99, sum by (le) (rate(site_render_seconds_bucket[$__rate_interval])))",
                "99 of 100",
            ),
        ],
    },
    Panel {
        title: "What visitors see: largest part, three of four",
        unit: "s",
        lines: &[(
            "histogram_quantile(0.75, sum by (le, page) (rate(site_visit_lcp_seconds_bucket[$__rate_interval])))",
            "{{page}}",
        )],
    },
    Panel {
        title: "Enquiries, mails and items",
        unit: "short",
        lines: &[
            ("sum by (kind) (rate(command_enquiries_total[$__rate_interval]))", "kept: {{kind}}"),
            ("command_jobs", "{{state}}"),
        ],
    },
    Panel {
        title: "Silence of the change stream",
        unit: "s",
        lines: &[("site_changes_age_seconds", "{{instance}}")],
    },
];

const DASHBOARDS: [Dashboard; 3] = [
    Dashboard { name: "service-levels", title: "Almijara: service levels", panels: LEVEL_PANELS },
    Dashboard { name: "flow", title: "Almijara: from publish to page", panels: FLOW_PANELS },
    Dashboard { name: "site", title: "Almijara: visitors", panels: SITE_PANELS },
];

/// Returns all queries of the dashboards.
pub fn expressions() -> Vec<String> {
    let panels = DASHBOARDS.iter().flat_map(|dashboard| dashboard.panels);
    panels.flat_map(|panel| panel.lines).map(|(expression, _)| (*expression).to_owned()).collect()
}

#[test]
fn the_dashboards_are_made_of_this() {
    assert_eq!(LEVELS.len(), 6, "the dashboard of service levels has a line for each");
    for dashboard in DASHBOARDS {
        let generated =
            serde_json::to_string_pretty(&dashboard_json(&dashboard)).expect("JSON") + "\n";
        assert_generated(
            &format!("deploy/observability/dashboards/{}.json", dashboard.name),
            &generated,
        );
    }
}

#[test]
fn the_dashboards_use_only_recorded_metrics() {
    for expression in expressions() {
        assert_recorded(&expression, "a dashboard");
    }
}

fn dashboard_json(dashboard: &Dashboard) -> Value {
    let panels: Vec<Value> = dashboard.panels.iter().enumerate().map(panel).collect();
    json!({
        "uid": format!("almijara-{}", dashboard.name),
        "title": dashboard.title,
        "tags": ["almijara"],
        "schemaVersion": 39,
        "editable": false,
        "refresh": "30s",
        "time": { "from": "now-6h", "to": "now" },
        "panels": panels,
    })
}

/// Returns a panel. There are three in a row.
fn panel((number, panel): (usize, &Panel)) -> Value {
    let (width, height) = (8, 8);
    let targets = panel.lines.iter().enumerate().map(|(line, (expression, legend))| {
        let letter = char::from(b'A' + u8::try_from(line).unwrap_or_default());
        json!({
            "refId": letter.to_string(),
            "expr": expression,
            "legendFormat": legend,
            // Exemplars link to the trace of a request with that duration.
            "exemplar": expression.contains("_bucket"),
        })
    });
    json!({
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "datasource": { "type": "prometheus", "uid": "prometheus" },
        "gridPos": {
            "x": number % 3 * width, "y": number / 3 * height, "w": width, "h": height,
        },
        "fieldConfig": { "defaults": { "unit": panel.unit, "min": 0 }, "overrides": [] },
        "options": { "tooltip": { "mode": "multi" }, "legend": { "displayMode": "list" } },
        "targets": targets.collect::<Vec<_>>(),
    })
}
