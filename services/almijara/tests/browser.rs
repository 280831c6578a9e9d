//! The pages as a visitor's browser shows them: the frontend's own Chromium tests, against the
//! whole stack with the sample content.

mod stack;

use anyhow::{Result, ensure};
use stack::{Options, Stack};
use tokio::process::Command;

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_journeys_work_in_chromium() -> Result<()> {
    let folder = stack::copy_of_the_content()?;
    let content = folder.path().display().to_string();
    let stack = Stack::start(Options::default().with("CONTENT_DIR", &content)).await?;
    stack.verify().await?;
    let status = Command::new("npm")
        .args(["--prefix", "frontend", "run", "test:e2e"])
        .current_dir(stack::root())
        .env("BASE_URL", stack.url(""))
        .env("CONTENT_DIR", &content)
        .kill_on_drop(true)
        .status()
        .await?;
    ensure!(status.success(), "the browser tests failed");
    stack.stop().await?;
    Ok(())
}
