//! `almijara down` and `almijara reset`: stop what runs on a data folder, and delete what it holds.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use rustix::process::{Signal, kill_process};

use super::{DataFolder, state};

/// How long `almijara down` waits. A child that hangs is killed after 20 s, and six groups of them stop one
/// after the other.
const DOWN_LIMIT: Duration = Duration::from_mins(2);

/// Stops the `almijara up` that runs on the folder, if there is one, and waits until it has ended.
pub async fn down(folder: &DataFolder) -> Result<()> {
    let Some(pid) = state::running_pid(&folder.data_dir) else {
        println!("almijara is not running");
        return Ok(());
    };
    kill_process(pid, Signal::TERM).context("signalling almijara to stop")?;
    let deadline = Instant::now() + DOWN_LIMIT;
    while state::running_pid(&folder.data_dir).is_some() {
        if Instant::now() > deadline {
            bail!("almijara (process {}) has not stopped", pid.as_raw_nonzero());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("almijara has stopped");
    Ok(())
}

/// What `almijara reset` takes.
#[derive(Clone, Debug, Args)]
pub struct ResetArgs {
    #[command(flatten)]
    folder: DataFolder,
    /// Delete without asking for confirmation.
    #[arg(long, env = "RESET_YES")]
    yes: bool,
}

/// Stops what runs on the folder and deletes its contents. Asks for confirmation first, because what
/// visitors sent exists nowhere else.
pub async fn reset(args: &ResetArgs) -> Result<()> {
    let folder = &args.folder;
    if !args.yes && folder.data_dir.exists() {
        let content = if folder.data_dir.join("directus").exists() {
            "the Directus with everything that editors wrote and every upload, which `make backup` does not save"
        } else {
            "copies of the content, which can be rebuilt"
        };
        println!(
            "This deletes {}: {content}; and every enquiry and every account, which exist nowhere else \
             (`make backup` saves them).\n\
             Type \"delete\" to continue:",
            folder.data_dir.display()
        );
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer).context("reading the answer")?;
        if answer.trim() != "delete" {
            bail!("nothing was deleted");
        }
    }
    down(folder).await?;
    remove(&folder.data_dir)?;
    println!("everything under {} was deleted", folder.data_dir.display());
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("deleting {}", folder.display()))
        }
        _ => Ok(()),
    }
}
