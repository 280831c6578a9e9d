//! The pages in visitors' browsers: the frontend's own tests in Chromium and Firefox, against the
//! complete stack with the sample content. It is a separate test program, because Cargo runs those one
//! after the other, and a small machine can run nothing else beside browsers and the stack.

#[path = "system/stack/mod.rs"]
mod stack;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use stack::{Options, Stack, content, journeys, personal, spans::Spans};

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_journeys_work_in_chromium_and_firefox() -> Result<()> {
    let folder = content::copy_with_large_pictures()?;
    let content = folder.path().display().to_string();
    // All journeys come from the same address.
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
        journeys::run(&stack, browser, "", &environment).await?;
    }
    let personal = personal::words_in(&stack, &PERSONAL).await?;
    ensure!(personal.len() > PERSONAL.len() + 10, "the journeys wrote little");
    personal.ensure_not_in_log(&stack)?;
    // The last spans and events are sent when the roles end.
    let data = stack.stop().await?;
    ensure!(spans.all().len() > 1_000, "only {} spans came", spans.all().len());
    personal.ensure_not_in_spans(&spans)?;
    personal.ensure_not_in_streams(data.path())
}

/// What visitors of the journeys write in this form, or delete in the end.
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
