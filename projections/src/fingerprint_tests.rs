//! A test that changed tables or rows get a new version of the read models.

use std::{fs, path::Path};

use contracts::{Change, Event};
use read_models::READ_MODEL_VERSIONS;
use serde_json::Value;

use crate::{ReadModel, Row};

/// The golden files of event forms, in the order of their names, the newest last. Each has at least one event
/// of each collection.
const FORMS: &str = "../services/shared/contracts/tests/golden/events";
/// The tables and views of a generation.
const TABLES: [&str; 2] = [include_str!("../tables.sql"), include_str!("../views.sql")];
/// A text in which something of everything is prepared for display.
const TEXT: &str = r##"
    <p onclick="x()">The <em>first</em> paragraph&nbsp;&amp; its <script>x()</script>summary, which is longer
    than a summary may be: Ñerja, <b>C</b>ómpeta, Torrox, Frigiliana, Maro, El Morche, Almuñécar, Salobreña,
    Motril, and the villages of the Axarquía.</p>
    <h1 lang="es">Año &amp; día</h1><h2>What it costs</h2><h2>What it costs</h2><h3>Content</h3><h4>¿?</h4>
    <p>ITP 7 %, 7% IVA, 150 €, form H-1000, +34 951 550 101<br>5 &lt; 6</p>
    <ul><li><a href="/docs/buying" rel="x">a</a> <a href="/ES?x=1">b</a> <a href="#top">c</a></li>
    <li><a href="https://other.example/?a=1&amp;b=2">d</a> <a href="mailto:a@b.example">e</a></li>
    <li><a href="javascript:x()">f</a> <a href="/">g</a></li></ul>
    <img src="/a.png" onerror="x()" alt="A &quot;b&quot;">
    <table><thead><tr><th>Bill</th><th>Price</th></tr></thead><tbody><tr><td>ITP</td><td>17.500 €</td></tr>
    <tr><td>Total</td><td><strong>€17,500</strong></td></tr></tbody></table>
    <table><tbody><tr><td colspan="2">€1</td></tr></tbody></table>"##;

/// Returns the events of the newest form.
fn newest_events() -> Vec<Event> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FORMS);
    let forms = fs::read_dir(folder).expect("the forms of events");
    let newest = forms.map(|form| form.expect("an entry").path()).max().expect("a form");
    let events = fs::read(newest).expect("it can be read");
    serde_json::from_slice(&events).expect("events")
}

/// Returns `event` with some minutes of [`TEXT`] for its HTML, and without the summaries that are then made
/// from it.
fn with_long_text(event: &Event) -> Event {
    let mut event = serde_json::to_value(event).expect("an event is JSON");
    for language in ["en", "es"] {
        let text = event.pointer_mut(&format!("/change/snapshot/text/{language}"));
        let Some(Value::Object(text)) = text else { continue };
        for (field, value) in text {
            match field.as_str() {
                "body" | "description" => *value = TEXT.repeat(20).into(),
                "summary" | "intro" | "metaDescription" => *value = "".into(),
                _ => {}
            }
        }
    }
    serde_json::from_value(event).expect("an event")
}

fn rows_of(event: &Event) -> Vec<Row> {
    let Change::Upserted { snapshot } = &event.change else { return Vec::new() };
    ReadModel::rows(&event.aggregate, event.version, event.captured_at, snapshot, &event.offers)
}

/// Returns the statements in `sql` without comments and line breaks.
fn statements(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn changed_tables_or_rows_need_a_new_version() {
    let events = newest_events();
    let long = events.iter().map(with_long_text).collect::<Vec<_>>();
    let rows: Vec<Row> = events.iter().chain(&long).flat_map(rows_of).collect();
    // A build with other tables than the live ones under the same version would fail at every statement, and
    // one that writes other rows would leave the existing ones in their old form.
    let form = serde_json::to_vec(&(TABLES.map(statements), rows)).expect("JSON");
    let fingerprint = &blake3::hash(&form).to_hex()[..16];
    let (version, written) = READ_MODEL_VERSIONS[READ_MODEL_VERSIONS.len() - 1];
    assert_eq!(
        written,
        fingerprint,
        "the read models' tables or rows have changed since version {version}: add \
         ({}, \"{fingerprint}\") to READ_MODEL_VERSIONS",
        version + 1
    );
}
