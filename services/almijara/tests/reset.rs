//! What visitors sent exists nowhere else: nothing deletes it that was not told to in so many words.

use std::{fs, path::Path, process::Stdio};

use anyhow::{Context, Result, ensure};
use tempfile::tempdir;
use tokio::{io::AsyncWriteExt, process::Command};

/// Runs `almijara reset` on `folder`, types `answer`, and says whether it went well.
async fn reset(folder: &Path, arguments: &[&str], answer: &str) -> Result<bool> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_almijara"))
        .arg("reset")
        .args(arguments)
        .env("DATA_DIR", folder)
        .env_remove("RESET_YES")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut input = child.stdin.take().context("its input")?;
    // One that asks nothing may have ended already.
    let _ended = input.write_all(answer.as_bytes()).await;
    drop(input);
    Ok(child.wait().await?.success())
}

#[tokio::test]
async fn reset_deletes_what_visitors_sent_only_when_it_is_told_to() -> Result<()> {
    let folder = tempdir()?;
    let data = folder.path().join("data");
    let kept = data.join("postgres");
    fs::create_dir_all(&kept)?;
    for answer in ["no\n", "y\n", "yes\n", "Delete\n", "\n", ""] {
        ensure!(!reset(&data, &[], answer).await?, "{answer:?} is no yes");
        ensure!(kept.exists(), "{answer:?} deleted it");
    }
    ensure!(reset(&data, &[], "delete\n").await?);
    ensure!(!data.exists(), "it was said");
    fs::create_dir_all(&kept)?;
    ensure!(reset(&data, &["--yes"], "").await?);
    ensure!(!data.exists(), "it was said");
    Ok(())
}
