//! Runs the journeys of `frontend/tests/e2e` in a real browser, against the stack.

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

/// How many lines of a failure are printed: enough for what was expected, and what was found.
const MAX_LINES: usize = 6;

/// The frontend's script that runs all journeys in Chromium.
pub const CHROMIUM: &str = "test:e2e";
/// The script that runs the journeys for every browser in Firefox.
pub const FIREFOX: &str = "test:e2e:firefox";

/// Returns the folder for the screenshots of the journey `name`.
pub fn screenshots(name: &str) -> Result<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder.display().to_string())
}

/// Runs the journeys of `script` whose file name contains `name` (all of them, if it is empty).
///
/// Each runs at most twice. Failures that did not recur are printed to standard error.
///
/// # Errors
///
/// If journeys failed, with how each failed, so that the last lines of a long run suffice. Also if all were
/// skipped.
pub async fn run(
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
    let mut journeys = report.test_results.iter().flat_map(|file| &file.assertion_results);
    let has_any_passed = journeys.any(|journey| journey.status == "passed");
    let failures = failures(report).join("\n");
    if status.success() {
        ensure!(has_any_passed, "{script} {name}: all were skipped");
        // Written directly, because the output of a test that passes is hidden.
        return Ok(io::stderr().write_all(failures.as_bytes())?);
    }
    bail!("{script} {name}: {failures}")
}

/// Returns the failures, both those that recurred and those that did not.
fn failures(report: Report) -> Vec<String> {
    let mut failures = Vec::new();
    for file in report.test_results {
        // A file that can't be loaded has no journeys, only a message.
        let load_failure = (!file.message.is_empty()).then(|| (file.name, vec![file.message]));
        let failed =
            file.assertion_results.into_iter().filter(|it| !it.failure_messages.is_empty());
        let failed = failed.map(|Journey { full_name, status, failure_messages }| {
            (format!("{full_name} ({status} in the end)"), failure_messages)
        });
        failures.extend(load_failure.into_iter().chain(failed).map(|(name, messages)| {
            let lines = messages.iter().flat_map(|message| relevant_lines(message));
            format!("× {name}\n    {}\n", lines.collect::<Vec<_>>().join("\n    "))
        }));
    }
    failures
}

/// Returns the first lines of a failure, without stack frames outside the journeys.
fn relevant_lines(message: &str) -> impl Iterator<Item = &str> {
    let elsewhere =
        |line: &str| line.trim_start().starts_with("at ") && !line.contains("/tests/e2e/");
    message.lines().filter(move |line| !elsewhere(line)).take(MAX_LINES)
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
