//! The journeys of `frontend/tests/e2e` in a real browser, against the stack.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use tokio::process::Command;

use super::{Stack, root};

/// Lines of a journey's failure that are told: what was expected, and what was there.
const LINES: usize = 6;

/// The frontend's script that makes all journeys in Chromium.
pub const CHROMIUM: &str = "test:e2e";
/// The one that makes those of every browser in Firefox.
pub const FIREFOX: &str = "test:e2e:firefox";

/// Where the screenshots of the journey `name` are left.
pub fn screenshots(name: &str) -> Result<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder.display().to_string())
}

/// Makes the journeys of `script` whose file's name holds `name` (all of them, if it is empty).
///
/// Each is made at most twice. What failed at first and not again is told on standard error.
///
/// # Errors
///
/// Names the journeys that failed, each with how it failed: a long run's last lines tell it all. Where
/// every one was skipped, nothing was made.
pub async fn make(
    stack: &Stack,
    script: &str,
    name: &str,
    environment: &BTreeMap<&str, String>,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.json");
    let frontend = root().join("frontend");
    let status = Command::new(frontend.join("node_modules/.bin/node"))
        .args(["--run", script, "--"])
        .args((!name.is_empty()).then_some(name))
        .args(["--reporter=default", "--reporter=json"])
        .arg(format!("--outputFile.json={}", report.display()))
        .current_dir(frontend)
        .env("BASE_URL", stack.public_url())
        .envs(environment)
        .kill_on_drop(true)
        .status()
        .await?;
    let report = fs::read(report).context("no journey was made")?;
    let report: Report = serde_json::from_slice(&report)?;
    let mut made = report.test_results.iter().flat_map(|file| &file.assertion_results);
    let is_any_made = made.any(|journey| journey.status == "passed");
    let failures = failures(report).join("\n");
    if status.success() {
        ensure!(is_any_made, "{script} {name}: all were skipped");
        // Past the test's own output, which nobody sees of a test that passes.
        return Ok(io::stderr().write_all(failures.as_bytes())?);
    }
    bail!("{script} {name}: {failures}")
}

/// What failed, at first or for good.
fn failures(report: Report) -> Vec<String> {
    let mut failures = Vec::new();
    for file in report.test_results {
        // A file that can't be loaded has no journeys, and says why itself.
        let said = (!file.message.is_empty()).then(|| (file.name, vec![file.message]));
        let failed =
            file.assertion_results.into_iter().filter(|made| !made.failure_messages.is_empty());
        let failed = failed.map(|Journey { full_name, status, failure_messages }| {
            (format!("{full_name} ({status} in the end)"), failure_messages)
        });
        failures.extend(said.into_iter().chain(failed).map(|(name, messages)| {
            let lines = messages.iter().flat_map(|message| told(message));
            format!("× {name}\n    {}\n", lines.collect::<Vec<_>>().join("\n    "))
        }));
    }
    failures
}

/// The lines of a failure without the places that are not in a journey.
fn told(message: &str) -> impl Iterator<Item = &str> {
    let elsewhere =
        |line: &str| line.trim_start().starts_with("at ") && !line.contains("/tests/e2e/");
    message.lines().filter(move |line| !elsewhere(line)).take(LINES)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    test_results: Vec<File>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    name: String,
    message: String,
    assertion_results: Vec<Journey>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Journey {
    full_name: String,
    status: String,
    failure_messages: Vec<String>,
}
