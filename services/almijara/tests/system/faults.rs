//! Whatever process is killed, and whatever webhooks are lost, duplicated or reordered: in the end
//! nothing differs.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stack::{
    Options, Stack,
    editor::{ADMINISTRATOR, Editor, house},
    scaled,
    webhooks::{Delivery, WebhookProxy},
};

/// The processes that are killed in turn; each is a part of a child's command line.
const VICTIMS: [&str; 10] = [
    "almijara sync",
    "almijara projections",
    "almijara query",
    "almijara command",
    "almijara preview",
    "almijara console",
    "almijara site",
    "server.js",
    "nats-server",
    "bin/postgres",
];
const HOUSES: usize = 10;
/// How long Directus may refuse changes: Postgres can start only after all processes of the killed one
/// have ended, and then has to recover.
const REFUSED_LIMIT: Duration = Duration::from_mins(2);

/// Returns the number of publishes; `FAULT_PUBLISHES=500` is for a long run.
fn publishes() -> usize {
    std::env::var("FAULT_PUBLISHES").ok().and_then(|text| text.parse().ok()).unwrap_or(70)
}

async fn stack_with_proxy() -> Result<(Stack, WebhookProxy, Editor)> {
    let proxy = WebhookProxy::open().await?;
    let options = Options::default()
        .with("CONTENT", "directus")
        .with("DIRECTUS_ADMIN_TOKEN", ADMINISTRATOR)
        .with("WEBHOOK_URL", proxy.url());
    let stack = Stack::start_with_sample(options).await?;
    proxy.forward_to(stack.port_of("sync")?);
    let editor = Editor::new(stack.port_of("directus")?, ADMINISTRATOR)?;
    Ok((stack, proxy, editor))
}

async fn create_houses(editor: &Editor) -> Result<Vec<Value>> {
    let mut keys = Vec::new();
    for number in 0..HOUSES {
        let created =
            editor.create("properties", house(&format!("AH-95{number:02}"), 300_000)).await?;
        keys.push(created["id"].clone());
    }
    Ok(keys)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_processes_are_killed_or_webhooks_fail() -> Result<()> {
    let (stack, proxy, editor) = stack_with_proxy().await?;
    let keys = create_houses(&editor).await?;

    kill_everything_in_turn(&stack, &editor, &keys).await?;
    stack.verify().await.context("after the kills")?;
    // The comparison does not need these roles, so it does not wait for them.
    for role in ["command", "preview", "console"] {
        stack.wait_for_readiness(role, 200).await.context("after the kills")?;
    }

    proxy.set_delivery(Delivery::Duplicated);
    for price in 0..40 {
        let key = &keys[price % keys.len()];
        editor.update("properties", key, json!({ "price": 500_000 + price })).await?;
    }
    stack.verify().await.context("after doubled and overtaken webhooks")?;

    let before = proxy.received();
    proxy.set_delivery(Delivery::Lost);
    editor.update("properties", &keys[0], json!({ "price": 600_001 })).await?;
    editor.update("properties", &keys[1], json!({ "status": "archived" })).await?;
    editor.delete("properties", &keys[2]).await?;
    editor.create("properties", house("AH-9599", 600_002)).await?;
    ensure!(proxy.received() > before, "no webhook reached the proxy");
    stack.verify().await.context("after lost webhooks")?;
    let (status, _) = stack.page_with_retry("/property-for-sale/nerja/AH-9599").await?;
    ensure!(status == 200, "a house whose webhook was lost has no page: {status}");

    stack.stop().await?;
    Ok(())
}

/// Publishes continuously, and kills a process every few publishes.
async fn kill_everything_in_turn(stack: &Stack, editor: &Editor, keys: &[Value]) -> Result<()> {
    let publishes = publishes();
    let every = (publishes / VICTIMS.len()).max(1);
    let mut refused = 0;
    for number in 0..publishes {
        if number % every == every / 2
            && let Some(victim) = VICTIMS.get(number / every)
        {
            stack.kill(victim)?;
        }
        let change = json!({ "price": 300_000 + number });
        // While its database is down, Directus refuses, and the editor tries again.
        let (key, started) = (&keys[number % keys.len()], Instant::now());
        while let Err(error) = editor.update("properties", key, change.clone()).await {
            refused += 1;
            ensure!(
                started.elapsed() < scaled(REFUSED_LIMIT),
                "Directus did not come back: {error:#}"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    println!("{publishes} publishes, {refused} refusals while Postgres was away");
    Ok(())
}
