//! Upgrades to this version and rolls back, role by role as in `deploy/docs/upgrade.md` and
//! `roll-back.md`, while visitors read and an editor publishes.

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
            // An older version does not rebuild newer read models in its own form by itself.
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
                editor
                    .wait_until_all_is_shown(&world)
                    .await
                    .with_context(|| format!("{name} is replaced"))?;
            }
            world.wait_until_ready(name).await?;
            visitors.wait_for_more_requests().await?;
            println!(
                "{name}: {} requests, {} failed",
                visitors.requests(),
                visitors.failed().len()
            );
        }
        world.wait_until_all_are_ready().await?;
        // Checked last for the roll-back: meanwhile, roles that read the newer form show nothing new.
        editor.wait_until_all_is_shown(&world).await?;
        world.verify(version).await?;
    }
    let enquiries = visitors.stop().await?;
    world.ensure_each_enquiry_is_stored_once(enquiries).await?;
    world.stop().await
}
