//! What visitors sent exists nowhere else: nothing deletes it that was not told to in so many words.

use std::{fs, path::Path, process::Stdio};

use anyhow::{Context, Result, ensure};
use tempfile::tempdir;
use tokio::{io::AsyncWriteExt, process::Command};

/// Runs `almijara reset` on `folder`, types `answer`, and gives whether it went well and what it asked.
async fn asked(folder: &Path, arguments: &[&str], answer: &str) -> Result<(bool, String)> {
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
    // One that asks nothing may have ended already.
    let _ended = input.write_all(answer.as_bytes()).await;
    drop(input);
    let output = child.wait_with_output().await?;
    Ok((output.status.success(), String::from_utf8(output.stdout)?))
}

async fn reset(folder: &Path, arguments: &[&str], answer: &str) -> Result<bool> {
    Ok(asked(folder, arguments, answer).await?.0)
}

#[tokio::test]
async fn reset_says_that_what_editors_wrote_does_not_come_back() -> Result<()> {
    let folder = tempdir()?;
    fs::create_dir_all(folder.path().join("postgres"))?;
    let (_, copies) = asked(folder.path(), &[], "no\n").await?;
    ensure!(copies.contains("which come back"), "{copies}");
    fs::create_dir_all(folder.path().join("directus/uploads"))?;
    let (_, originals) = asked(folder.path(), &[], "no\n").await?;
    ensure!(originals.contains("every upload") && !originals.contains("come back"), "{originals}");
    Ok(())
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
