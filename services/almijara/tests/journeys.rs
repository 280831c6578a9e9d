//! The pages as visitors' browsers show them: the frontend's own tests in Chromium and Firefox,
//! against the whole stack with the sample content. A program of its own, since Cargo runs one after
//! the other: browsers and the stack are all that a small machine carries.

#[path = "system/stack/mod.rs"]
mod stack;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use stack::{Options, Stack, content, journeys, personal, spans::Spans};

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_journeys_work_in_chromium_and_firefox() -> Result<()> {
    let folder = content::copy_with_large_pictures()?;
    let content = folder.path().display().to_string();
    // All journeys are made from one address.
    let options = Options::default()
        .with("CONTENT_DIR", &content)
        .with_all_renderers()
        .with("RATE_LIMIT", "0")
        .with("ENQUIRY_BURST", "0")
        .with("ALERT_PAUSE", "0");
    let (spans, endpoint) = Spans::listen()?;
    let options = options.with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start(options).await?;
    stack.verify().await?;
    let mail = format!("http://127.0.0.1:{}", stack.port_of("mail")?);
    let environment = BTreeMap::from([
        ("CONTENT_DIR", content),
        ("MAIL_URL", mail),
        ("SCREENSHOTS", journeys::screenshots("journeys")?),
    ]);
    for browser in [journeys::CHROMIUM, journeys::FIREFOX] {
        journeys::make(&stack, browser, "", &environment).await?;
    }
    let personal = personal::words_in(&stack, &PERSONAL).await?;
    ensure!(personal.len() > PERSONAL.len() + 10, "the journeys wrote little");
    personal.in_no_line(&stack)?;
    // The last spans are sent when the roles end; so are the last events.
    let data = stack.stop().await?;
    ensure!(spans.all().len() > 1_000, "only {} spans came", spans.all().len());
    personal.in_no_span(&spans)?;
    personal.in_no_event(data.path())
}

/// What visitors of the journeys write, as they write it, and what they delete in the end.
const PERSONAL: [&str; 12] = [
    "@example.com",
    "@b.example",
    "Ann Prior",
    "Ana Prior",
    "20 7946 0958",
    "+442079460958",
    "600 123 456",
    "a lift in the house",
    "From the phone",
    "Calle Real 1",
    "ganso-teja",
    "token=",
];
