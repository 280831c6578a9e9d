//! A publish is one trace, from the webhook to the purge, across NATS. A request that the door forwards is
//! another, to the reads of the query service and to the mails of an enquiry.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use contracts::Sequence;
use otlp_embedded::proto::{
    common::v1::any_value::Value,
    trace::v1::{Span, span::SpanKind, status::StatusCode},
};
use serde_json::json;

use crate::stack::{Options, Stack, content, seen_limit, spans::Spans, words::Words};

/// The spans of a publish, in order.
const STEPS: [&str; 6] = ["webhook", "capture", "publish", "project", "index", "purge"];
/// A page that shows the home among others.
const LIST: &str = "/property-for-sale";

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_is_one_trace() -> Result<()> {
    let (spans, endpoint) = Spans::listen()?;
    let content = content::copy()?;
    let options = Options::default()
        .with("CONTENT_DIR", content.path().display().to_string())
        // Rare, so that the webhook is the first to report the change.
        .with("RECONCILE_ACTIVITY_SECONDS", "600")
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start_with_sample(options).await?;
    // No capture may be pending that could get ahead of the webhook's.
    stack.wait_until_idle().await?;
    // The door clears its cache when it starts to follow the changes.
    stack.wait_for_readiness("site", 200).await?;
    let list = stack.api("/api/properties").await?;
    let home = &list["items"][0];
    let reference = home["ref"].as_str().context("a reference")?;
    let path = home["url"].as_str().context("a path")?;
    // Only pages that are cached and were visited are rendered again after a purge.
    for visited in [path, LIST, path, LIST] {
        stack.page(visited).await?;
    }
    content::edit_property(content.path(), reference, &json!({"price": 7_654_321}))?;
    stack.wait_for_page(path, "the new price", |_, html| html.contains("7,654,321")).await?;

    let started = Instant::now();
    let publish = loop {
        let spans = spans.all();
        if let Some((trace, steps)) = complete_trace(&spans) {
            println!("{steps}");
            break trace;
        }
        if started.elapsed() > seen_limit() {
            bail!("no trace holds every step; those of a webhook: {}", webhook_traces(&spans));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    // The render of the home's page is in the trace, with the calls that it needed. The render of the
    // list, which shows other homes too, has its own trace with a link to it.
    let is_render_of =
        |span: &&Span, path: &str| span.name == "render" && attribute(span, "path") == Some(path);
    loop {
        let spans = spans.all();
        let of_the_home = spans
            .iter()
            .filter(|span| is_render_of(span, path))
            .find(|span| span.trace_id == publish);
        let call = of_the_home.and_then(|render| {
            let below = |span: &&Span| span.parent_span_id == render.span_id;
            spans.iter().filter(below).find(|span| span.name == "GET /api/properties/{ref}")
        });
        let of_the_list = spans
            .iter()
            .filter(|span| is_render_of(span, LIST))
            .find(|span| span.links.iter().any(|link| link.trace_id == publish));
        if let (Some(call), Some(list)) = (call, of_the_list) {
            assert_eq!(call.trace_id, publish);
            assert_ne!(list.trace_id, publish);
            break;
        }
        if started.elapsed() > seen_limit() {
            let renders: Vec<_> = spans.iter().filter(|span| span.name == "render").collect();
            bail!("the home's render is {of_the_home:?}, its call {call:?}; renders: {renders:?}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for (step, kind) in [
        ("publish", SpanKind::Producer),
        ("project", SpanKind::Consumer),
        ("index", SpanKind::Consumer),
    ] {
        let spans = spans.all();
        let span = spans.iter().find(|span| span.trace_id == publish && span.name == step);
        let span = span.with_context(|| format!("no {step}"))?;
        assert_eq!(span.kind(), kind, "{step}");
        assert_eq!(attribute(span, "messaging.destination.name"), Some("CONTENT"), "{step}");
    }
    each_role_measures_what_is_listed(&stack, &publish).await?;
    stack.stop().await?;
    Ok(())
}

/// What a visitor writes.
const PERSONAL: [&str; 3] = ["ann@trace.example", "Is there a lift here", "Calle Nueva"];

#[tokio::test(flavor = "multi_thread")]
async fn a_forwarded_request_is_one_trace_down_to_its_reads_and_mails() -> Result<()> {
    let (spans, endpoint) = Spans::listen()?;
    let options = Options::default().with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start_with_sample(options).await?;
    let [call, list] = ["GET /api/properties", "/api/properties?locale=es&perPage=100"];

    // The Spanish cards are not cached yet.
    let foreign = "4bf92f3577b34da6a3ce929d0e0e4736";
    let search = stack.client.get(stack.url(list));
    let search = search.header("traceparent", format!("00-{foreign}-00f067aa0ba902b7-01"));
    ensure!(search.send().await?.status() == 200, "the search fails");
    let rows = "SELECT read.property_card";
    let trace = wait_for_trace(&spans, &[&[call, call, "search"], &[call, call, rows]]).await?;
    for (name, kind) in [(call, SpanKind::Server), (rows, SpanKind::Client)] {
        let is_it = |span: &&Span| span.name == name;
        assert!(trace.iter().filter(is_it).all(|span| span.kind() == kind), "{name}");
    }
    let rows = trace.iter().find(|span| span.name == rows).context("rows")?;
    assert_eq!(attribute(rows, "db.system.name"), Some("postgresql"));

    // No node has read that far.
    let behind = stack.client.get(stack.url("/api/properties/map"));
    let behind = behind.header("almijara-min-sequence", Sequence::LAST.get());
    ensure!(behind.send().await?.status() == 503, "it is answered");
    let call = "GET /api/properties/map";
    for span in wait_for_trace(&spans, &[&[call, call]]).await? {
        let status = span.status.as_ref().context("a status")?;
        assert_eq!(status.code(), StatusCode::Error, "{}", span.name);
        assert_eq!(attribute(&span, "error.type"), Some("503"), "{}", span.name);
    }

    let home = &stack.api("/api/properties").await?["items"][0]["ref"];
    let enquiry = json!({
        "kind": "property", "ref": home, "name": "Ann", "email": PERSONAL[0],
        "message": PERSONAL[1], "privacyAccepted": true,
    });
    let sent = stack.client.post(stack.url("/api/enquiries")).json(&enquiry).send().await?;
    ensure!(sent.status() == 201, "{}", sent.text().await?);
    let call = "POST /api/enquiries";
    let below = ["GET /api/properties/{ref}", "office_mail", "visitor_mail"];
    let chains = below.map(|below| [call, call, below]);
    wait_for_trace(&spans, &chains.each_ref().map(|chain| &chain[..])).await?;

    // The same form without a script, which is refused, at an address with more than the page needs.
    let form = stack.client.post(stack.url(&format!("/enquiry?note={}", PERSONAL[2])));
    let form = form
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("email={}", PERSONAL[0]));
    ensure!(form.send().await?.status() == 422, "it is taken");
    wait_for_trace(&spans, &[&["POST /enquiry", call]]).await?;

    // All spans have arrived only now.
    stack.stop().await?;
    Words::of(PERSONAL.into_iter().chain(["Calle%20Nueva"])).ensure_not_in_spans(&spans)?;
    let is_foreign = |span: &Span| hex(&span.trace_id) == foreign;
    ensure!(!spans.all().iter().any(is_foreign), "a trace from outside was continued");
    Ok(())
}

/// Waits for a trace that has all `chains`, and returns its spans. Each chain names spans from the root
/// on, each below the one before it.
async fn wait_for_trace(spans: &Spans, chains: &[&[&str]]) -> Result<Vec<Span>> {
    let started = Instant::now();
    loop {
        let spans = spans.all();
        let traces: BTreeSet<_> = spans.iter().map(|span| &span.trace_id).collect();
        for trace in traces {
            let of_trace = spans.iter().filter(|span| span.trace_id == *trace);
            let of_trace: Vec<Span> = of_trace.cloned().collect();
            if chains.iter().all(|chain| has_chain(&of_trace, &[], chain)) {
                return Ok(of_trace);
            }
        }
        if started.elapsed() > seen_limit() {
            let names: BTreeSet<_> = spans.iter().map(|span| &span.name).collect();
            bail!("no trace has {chains:?}; there are {names:?}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Returns whether `trace` has spans with these `names`, the first below the span `parent`.
fn has_chain(trace: &[Span], parent: &[u8], names: &[&str]) -> bool {
    let [name, rest @ ..] = names else { return true };
    let mut spans = trace.iter().filter(|span| span.parent_span_id == parent);
    spans.any(|span| span.name == *name && has_chain(trace, &span.span_id, rest))
}

/// Returns the text of the attribute `key`.
fn attribute<'s>(span: &'s Span, key: &str) -> Option<&'s str> {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

/// Checks that every metric of a role has a description, and that the metrics have the publish, with its
/// trace.
async fn each_role_measures_what_is_listed(stack: &Stack, publish: &[u8]) -> Result<()> {
    let mut all = String::new();
    for role in ["sync", "projections", "query", "command", "site"] {
        let port = stack.port_of(&format!("{role} health"))?;
        let request = stack.client.get(format!("http://127.0.0.1:{port}/metrics"));
        let shown = request.send().await?.error_for_status()?.text().await?;
        let types = shown.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        for (name, kind) in types.filter_map(|line| line.split_once(' ')) {
            ensure!(shown.contains(&format!("# HELP {name} ")), "{role} does not describe {name}");
            // Summaries can't be aggregated over nodes.
            ensure!(kind != "summary", "{role} has no bounds for {name}");
        }
        all += &shown;
    }
    for figure in
        ["site_publish_seconds_count ", "sync_capture_seconds_count{collection=\"properties\"} "]
    {
        let line = all.lines().find_map(|line| line.strip_prefix(figure));
        let count: f64 = line.with_context(|| format!("no {figure}"))?.parse()?;
        ensure!(count > 0.0, "{figure} counts nothing");
    }
    let trace = format!(" # {{trace_id=\"{}", hex(publish));
    for histogram in ["sync_capture_seconds", "site_publish_seconds"] {
        let bars = || all.lines().filter(|line| line.starts_with(&format!("{histogram}_bucket")));
        ensure!(
            bars().any(|bar| bar.contains(trace.as_str())),
            "no bar of {histogram} leads to the trace of the publish: {:?}",
            bars().collect::<Vec<_>>(),
        );
    }
    let page = r#"{le="0.25",http_request_method="GET",http_route="/{*page}",http_response_status_code="200"}"#;
    ensure!(all.contains(page), "pages are not timed");
    let call = r#"{le="0.1",http_request_method="GET",http_route="/api/properties/{ref}",http_response_status_code="200"}"#;
    ensure!(all.contains(call), "calls are not timed");
    Ok(())
}

/// Returns a trace with all steps, each a descendant of the webhook, and the times of the steps in words.
fn complete_trace(spans: &[Span]) -> Option<(Vec<u8>, String)> {
    let traces: BTreeSet<_> = spans.iter().map(|span| span.trace_id.clone()).collect();
    traces.iter().find_map(|trace| {
        let of_trace: Vec<_> = spans.iter().filter(|span| span.trace_id == *trace).collect();
        let root = of_trace.iter().find(|span| span.name == "webhook")?;
        if !root.parent_span_id.is_empty() {
            return None;
        }
        let mut steps = String::new();
        for step in STEPS {
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
        Some((trace.clone(), steps))
    })
}

/// Returns the names of the spans of each trace with a webhook.
fn webhook_traces(spans: &[Span]) -> String {
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
