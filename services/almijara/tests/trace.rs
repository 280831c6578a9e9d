//! An operator sees a publish travel: one trace from the webhook to the purge, across NATS.

mod stack;

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use otlp_embedded::proto::trace::v1::Span;
use serde_json::json;
use stack::{Options, Stack, spans::Spans};

/// The steps of a publish, in the order of its journey.
const JOURNEY: [&str; 6] = ["webhook", "capture", "publish", "project", "index", "purge"];
const LIMIT: Duration = Duration::from_mins(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_is_one_trace() -> Result<()> {
    let (spans, endpoint) = Spans::listen()?;
    let content = stack::copy_of_the_content()?;
    let options = Options::default()
        .with("CONTENT_DIR", content.path().display().to_string())
        // The webhook is to be the first that tells of the change.
        .with("RECONCILE_ACTIVITY_SECONDS", "600")
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start(options).await?;
    // Past every capture that could be ahead of the webhook's.
    stack.wait_at_rest().await?;
    let list = stack.api("/api/properties").await?;
    let home = &list["items"][0];
    let reference = home["ref"].as_str().context("a reference")?;
    let path = home["url"].as_str().context("a path")?;
    stack::edit_property(content.path(), reference, &json!({"price": 7_654_321}))?;
    stack.wait_for_page(path, "the new price", |_, html| html.contains("7,654,321")).await?;

    let began = Instant::now();
    loop {
        let spans = spans.all();
        if let Some(steps) = whole_journey(&spans) {
            println!("{steps}");
            break;
        }
        if began.elapsed() > LIMIT {
            bail!("no trace holds every step; those of a webhook: {}", of_webhooks(&spans));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stack.stop().await?;
    Ok(())
}

/// The steps of a trace that holds all of the journey, each a descendant of its webhook.
fn whole_journey(spans: &[Span]) -> Option<String> {
    let traces: BTreeSet<_> = spans.iter().map(|span| span.trace_id.clone()).collect();
    traces.iter().find_map(|trace| {
        let of_trace: Vec<_> = spans.iter().filter(|span| span.trace_id == *trace).collect();
        let root = of_trace.iter().find(|span| span.name == "webhook")?;
        if !root.parent_span_id.is_empty() {
            return None;
        }
        let mut steps = String::new();
        for step in JOURNEY {
            let span = of_trace.iter().find(|span| span.name == step)?;
            let linked = span.span_id == root.span_id
                || of_trace.iter().any(|parent| parent.span_id == span.parent_span_id);
            if !linked {
                return None;
            }
            let after = span.start_time_unix_nano.saturating_sub(root.start_time_unix_nano) / 1000;
            let took = span.end_time_unix_nano.saturating_sub(span.start_time_unix_nano) / 1000;
            let _infallible = writeln!(steps, "{step}: after {after} µs, took {took} µs");
        }
        Some(steps)
    })
}

/// The names of the spans of each trace that has a webhook.
fn of_webhooks(spans: &[Span]) -> String {
    let mut seen = String::new();
    for webhook in spans.iter().filter(|span| span.name == "webhook") {
        let names: BTreeSet<_> = spans
            .iter()
            .filter(|span| span.trace_id == webhook.trace_id)
            .map(|span| &span.name)
            .collect();
        let _infallible = writeln!(seen, "{names:?}");
    }
    seen
}
