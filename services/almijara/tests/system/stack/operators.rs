//! Runs the operator's commands on the stack.

use std::{
    collections::BTreeMap,
    fs,
    process::Output,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use tokio::process::Command;

use super::{Stack, scaled, seen_limit};

/// How long differences may take to vanish.
const VERIFY_LIMIT: Duration = Duration::from_mins(1);

impl Stack {
    /// Runs an operator's command with the environment that `up` wrote for them.
    pub async fn operator(&self, arguments: &[&str]) -> Result<Output> {
        Ok(Command::new(env!("CARGO_BIN_EXE_almijara"))
            .args(arguments)
            .envs(self.operator_environment()?)
            .kill_on_drop(true)
            .output()
            .await?)
    }

    /// Returns the environment that `up` wrote for the operator's commands.
    pub fn operator_environment(&self) -> Result<BTreeMap<String, String>> {
        let environment = fs::read_to_string(self.data.path().join("operator.env"))?;
        let variables = environment.lines().filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            Some((name.to_owned(), value.trim_matches('\'').to_owned()))
        });
        Ok(variables.collect())
    }

    /// Runs `almijara verify` until it finds no differences. Fails with those that remain.
    pub async fn verify(&self) -> Result<String> {
        self.verify_with(&[]).await
    }

    /// Does the same with `more` arguments.
    pub async fn verify_with(&self, more: &[&str]) -> Result<String> {
        let wait = scaled(VERIFY_LIMIT).as_secs().to_string();
        let output = self.operator(&[&["verify", "--wait", &wait], more].concat()).await?;
        ensure!(output.status.success(), "verify: {}", String::from_utf8_lossy(&output.stdout));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Waits until `almijara parked` prints `words`, and returns its output.
    pub async fn wait_for_parked(&self, words: &str) -> Result<String> {
        let started = Instant::now();
        loop {
            let output = self.operator(&["parked"]).await?;
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() && printed.contains(words) {
                return Ok(printed);
            }
            ensure!(started.elapsed() < seen_limit(), "{words} is not printed: {printed}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}
