//! Data folders of stacks that have processed the sample content. Processing it is most of the cost of a
//! start, and few tests need it: so it is done once for each content service, and all other stacks use a
//! copy.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{process::Command, sync::OnceCell};

use super::{Options, Stack, editor};

/// The data of stacks with the content pack, and with Directus.
static FROM_FILES: OnceCell<PathBuf> = OnceCell::const_new();
static FROM_DIRECTUS: OnceCell<PathBuf> = OnceCell::const_new();

/// Returns a copy of the data of an idle, stopped stack with the content service of `options`.
pub async fn copy(options: &Options) -> Result<TempDir> {
    let is_directus = options.environment.contains(&("CONTENT", "directus".to_owned()));
    let (made, name) =
        if is_directus { (&FROM_DIRECTUS, "directus") } else { (&FROM_FILES, "pack") };
    let sample = made.get_or_try_init(|| make(name)).await?;
    let copy = TempDir::with_prefix("almijara-stack-")?;
    let copied = Command::new("cp")
        .args(["--archive", "--reflink=auto"])
        .arg(sample.join("."))
        .arg(copy.path())
        .status()
        .await?;
    ensure!(copied.success(), "{} is not copied: {copied}", sample.display());
    forget_ports(&copy.path().join("stack.json"))?;
    Ok(copy)
}

/// Makes the data, and returns its folder, which replaces that of the run before.
async fn make(name: &str) -> Result<PathBuf> {
    let options = Options::default()
        .with("CONTENT", name)
        .with("DIRECTUS_ADMIN_TOKEN", editor::ADMINISTRATOR);
    let stack = Stack::start(options).await?;
    stack.wait_until_idle().await?;
    // From here on sync no longer reads what was compared.
    stack.wait_for_lines("the log is complete", 1).await?;
    stack.forget_comparisons().await?;
    let data = stack.stop().await?.keep();
    let samples = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("samples");
    fs::create_dir_all(&samples)?;
    let sample = samples.join(name);
    if sample.exists() {
        fs::remove_dir_all(&sample)?;
    }
    let moved = Command::new("mv").args([&data, &sample]).status().await?;
    ensure!(moved.success(), "{} is not moved: {moved}", data.display());
    Ok(sample)
}

/// Removes the ports from the state, because another copy may use them.
fn forget_ports(state: &Path) -> Result<()> {
    let mut json: Value = serde_json::from_slice(&fs::read(state)?)?;
    let ports = json["ports"].as_object_mut().context("ports are kept")?;
    ports.clear();
    Ok(fs::write(state, serde_json::to_vec(&json)?)?)
}
