//! Every step of the flow fails a few times: what editors publish is shown all the same, and nothing
//! differs in the end.

mod stack;

use anyhow::{Result, ensure};
use serde_json::json;
use stack::{Options, Stack};

/// The steps, in the order of the flow.
const STEPS: [&str; 13] = [
    "sync.keep_hint",
    "sync.resolve",
    "sync.read",
    "sync.record",
    "sync.recorded",
    "sync.publish",
    "sync.mark_published",
    "projections.read",
    "projections.commit",
    "projections.committed",
    "query.look",
    "site.purge",
    "site.render",
];
const REFERENCE: &str = "AH-1042";

/// The stack with `failpoints`, on content that can be edited; publishes until each step that is to
/// fail has done so, and sees to it that each publish is shown.
async fn publish_through(failpoints: String, failures: &[(&str, usize)]) -> Result<()> {
    let content = stack::copy_of_the_content()?;
    let options = Options::default()
        .with("CONTENT_DIR", content.path().to_string_lossy())
        .with("FAILPOINTS", failpoints);
    let stack = Stack::start(options).await?;
    stack.wait_at_rest().await?;
    let home = stack.api(&format!("/api/properties/{REFERENCE}")).await?;
    let page = home["url"].as_str().unwrap_or_default().to_owned();
    for price in [401_000, 402_000, 403_000] {
        stack::edit_property(content.path(), REFERENCE, &json!({ "price": price }))?;
        let shown = format!("{},{:03}", price / 1_000, price % 1_000);
        stack.wait_for_page(&page, &shown, |_, html| html.contains(&shown)).await?;
    }
    stack.verify().await?;
    for (step, times) in failures {
        let failed = stack.said(&format!("step={step}"));
        ensure!(failed >= *times, "{step} failed {failed} times");
    }
    stack.stop().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_at_any_step_is_done_again() -> Result<()> {
    let failpoints: Vec<String> = STEPS.iter().map(|step| format!("{step}=2*return")).collect();
    let failures = STEPS.map(|step| (step, 2));
    publish_through(failpoints.join(";"), &failures).await
}
