//! Data folders of stacks that are through with the sample content. To take it in is most of what a start
//! costs, and few tests look at how that is done: it is done once for each content service, and every
//! other stack goes on with a copy.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{process::Command, sync::OnceCell};

use super::{Options, Stack, editor};

/// Of the stacks that serve the sample from its files, and from a Directus.
static FROM_FILES: OnceCell<PathBuf> = OnceCell::const_new();
static FROM_DIRECTUS: OnceCell<PathBuf> = OnceCell::const_new();

/// A copy of the data of a stack with the content service of `options`, at rest and stopped.
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
    let_ports_be_chosen(&copy.path().join("stack.json"))?;
    Ok(copy)
}

/// Where a run leaves it, in the place of the run before.
async fn make(name: &str) -> Result<PathBuf> {
    let options = Options::default()
        .with("CONTENT", name)
        .with("DIRECTUS_ADMIN_TOKEN", editor::ADMINISTRATOR);
    let stack = Stack::start(options).await?;
    stack.wait_at_rest().await?;
    // From here on nobody asks what was compared.
    stack.wait_until_said("the log is complete", 1).await?;
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

/// Another copy may have those that are kept.
fn let_ports_be_chosen(state: &Path) -> Result<()> {
    let mut kept: Value = serde_json::from_slice(&fs::read(state)?)?;
    let ports = kept["ports"].as_object_mut().context("ports are kept")?;
    ports.clear();
    Ok(fs::write(state, serde_json::to_vec(&kept)?)?)
}
