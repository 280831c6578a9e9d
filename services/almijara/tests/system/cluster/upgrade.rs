//! One version follows the other and goes back again, role by role as `deploy/docs/upgrade.md` and
//! `roll-back.md` have it, while visitors read and an editor publishes.

use std::{env, path::PathBuf};

use anyhow::{Context, Result};

use super::{
    Editor, ROLES, VISITORS,
    load::Visitors,
    world::{Version, World},
};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "UPGRADE_FROM names the version before: the folder of its unpacked Debian package"]
async fn a_version_follows_the_other_and_back_and_no_request_fails() -> Result<()> {
    let before = env::var_os("UPGRADE_FROM").map(PathBuf::from).context("UPGRADE_FROM")?;
    let mut world = World::start_from(Some(before)).await?;
    let mut editor = Editor::new(&world).await?;
    let visitors = Visitors::start(&world.url(""), VISITORS, &editor.pages());
    for version in [Version::Today, Version::Before] {
        if let Version::Before = version {
            // An older version makes no read models of its form by itself.
            for name in &ROLES[..2] {
                world.end(name).await?;
            }
            world.rebuild(version).await?;
        }
        for name in ROLES {
            editor.publish(&world)?;
            world.replace(name, version).await?;
            editor.publish(&world)?;
            if let Version::Today = version {
                editor.sees_all(&world).await.with_context(|| format!("{name} is replaced"))?;
            }
            world.wait_until_ready(name).await?;
            visitors.read_on().await?;
            println!(
                "{name}: {} requests, {} failed",
                visitors.requests(),
                visitors.failed().len()
            );
        }
        world.wait_until_all_are_ready().await?;
        // Going back, what reads the form of the newer version shows nothing new.
        editor.sees_all(&world).await?;
        world.verify(version).await?;
    }
    visitors.stop().await?;
    world.stop().await
}
