//! What visitors sent exists nowhere else, so nothing deletes it without an explicit confirmation.

use std::{fs, path::Path, process::Stdio};

use anyhow::{Context, Result, ensure};
use tempfile::tempdir;
use tokio::{io::AsyncWriteExt, process::Command};

/// Runs `almijara reset` on `folder` and types `answer`. Returns whether it succeeded, and its output.
async fn run_reset(folder: &Path, arguments: &[&str], answer: &str) -> Result<(bool, String)> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_almijara"))
        .arg("reset")
        .args(arguments)
        .env("DATA_DIR", folder)
        .env_remove("RESET_YES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut input = child.stdin.take().context("its input")?;
    // If it asks nothing, it may have ended already.
    let _ended = input.write_all(answer.as_bytes()).await;
    drop(input);
    let output = child.wait_with_output().await?;
    Ok((output.status.success(), String::from_utf8(output.stdout)?))
}

async fn reset(folder: &Path, arguments: &[&str], answer: &str) -> Result<bool> {
    Ok(run_reset(folder, arguments, answer).await?.0)
}

#[tokio::test]
async fn reset_warns_that_editors_content_in_directus_is_lost() -> Result<()> {
    let folder = tempdir()?;
    fs::create_dir_all(folder.path().join("postgres"))?;
    let (_, copies) = run_reset(folder.path(), &[], "no\n").await?;
    ensure!(copies.contains("which can be rebuilt"), "{copies}");
    fs::create_dir_all(folder.path().join("directus/uploads"))?;
    let (_, originals) = run_reset(folder.path(), &[], "no\n").await?;
    ensure!(originals.contains("every upload") && !originals.contains("be rebuilt"), "{originals}");
    Ok(())
}

#[tokio::test]
async fn reset_deletes_data_only_after_confirmation() -> Result<()> {
    let folder = tempdir()?;
    let data = folder.path().join("data");
    let postgres = data.join("postgres");
    fs::create_dir_all(&postgres)?;
    for answer in ["no\n", "y\n", "yes\n", "Delete\n", "\n", ""] {
        ensure!(!reset(&data, &[], answer).await?, "{answer:?} is no confirmation");
        ensure!(postgres.exists(), "{answer:?} deleted it");
    }
    ensure!(reset(&data, &[], "delete\n").await?);
    ensure!(!data.exists(), "the reset was confirmed");
    fs::create_dir_all(&postgres)?;
    ensure!(reset(&data, &["--yes"], "").await?);
    ensure!(!data.exists(), "the reset was confirmed");
    Ok(())
}
