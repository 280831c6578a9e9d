//! `almijara verify`: does what visitors see agree with what editors published?

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use content_client::Client;
use contracts::{
    AggregateId, Collection,
    content::{Property, Snapshot},
};
use search_index::SearchIndex;
use secrecy::SecretString;
use serde_json::Value;
use sqlx::PgPool;
use sync::ContentConfig;

/// How many items one page of the reading has.
const PAGE: usize = 500;
/// The pause between two comparisons while waiting.
const PAUSE: Duration = Duration::from_millis(500);
/// How many differences are told one by one.
const TOLD: usize = 50;
/// How much of a value is told, in characters.
const VALUE_WIDTH: usize = 120;

/// What `almijara verify` takes.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The content service.
    #[command(flatten)]
    content: ContentConfig,
    /// Postgres, as one that may read `read`.
    #[arg(long, env = "PROJECTIONS_DATABASE_URL", hide_env_values = true)]
    database_url: SecretString,
    /// The ledger, which knows the pictures that can't be made: they stand on no page.
    #[arg(long, env = "SYNC_DATABASE_URL", hide_env_values = true)]
    ledger_url: SecretString,
    /// The folder of the query node whose index is compared.
    #[arg(long, env = "DATA_DIR")]
    data_dir: PathBuf,
    /// For how many seconds differences may still vanish.
    #[arg(long, default_value_t = 10)]
    wait: u64,
}

/// One thing that differs.
struct Difference {
    place: String,
    expected: Value,
    found: Value,
}

/// Compares content service, read models and index, item by item and field by field; prints what
/// differs, and fails where anything does.
pub async fn verify(args: VerifyArgs) -> Result<ExitCode> {
    let content = args.content.client()?;
    let pool = runtime::postgres::connect(&args.database_url, "verify", 2)?;
    let ledger = runtime::postgres::connect(&args.ledger_url, "verify", 1)?;
    let index = SearchIndex::under(&args.data_dir.join("index"));
    let deadline = Instant::now() + Duration::from_secs(args.wait);
    loop {
        let compared = compare(&content, &ledger, &pool, &index).await;
        let last_try = Instant::now() > deadline;
        match compared {
            Ok((items, differences)) if differences.is_empty() => {
                println!("{items} published items: read models and index agree with the content");
                return Ok(ExitCode::SUCCESS);
            }
            Ok((items, differences)) if last_try => {
                tell(items, &differences);
                return Ok(ExitCode::FAILURE);
            }
            Err(error) if last_try => return Err(error),
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn compare(
    content: &Client,
    ledger: &PgPool,
    pool: &PgPool,
    index: &SearchIndex,
) -> Result<(usize, Vec<Difference>)> {
    let unreadable = sync::unreadable_pictures(ledger).await.context("asking the ledger")?;
    let mut published = published(content).await.context("reading the content service")?;
    for (_, snapshot) in &mut published {
        snapshot.retain_pictures(|picture| !unreadable.contains_key(&picture.name()));
    }
    let items = published.iter().map(|(id, snapshot)| (id, snapshot));
    let in_rows = projections::verify::differences(pool, items)
        .await
        .context("comparing the read models")?
        .into_iter()
        .map(|difference| Difference {
            place: format!(
                "read.{} {} {}",
                difference.model.name(),
                difference.row,
                difference.column.unwrap_or_default()
            ),
            expected: difference.expected,
            found: difference.found,
        });
    let view = index.read_only().context("opening the index")?;
    let in_index = search_index::differences(&view, properties(&published))
        .context("comparing the index")?
        .into_iter()
        .map(|difference| Difference {
            place: format!("index {} {}", difference.key, difference.field.unwrap_or_default()),
            expected: difference.expected,
            found: difference.found,
        });
    Ok((published.len(), in_rows.chain(in_index).collect()))
}

/// Everything that is published, as snapshots.
async fn published(content: &Client) -> Result<Vec<(AggregateId, Snapshot)>> {
    let mut published = Vec::new();
    for collection in Collection::ALL {
        let mut after = None;
        loop {
            let page = content.read_all(collection, after.as_deref(), PAGE).await?;
            published.extend(page.readings.into_iter().filter_map(|(id, reading)| {
                reading.snapshot().map(|snapshot| (id, snapshot.clone()))
            }));
            match page.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
    }
    Ok(published)
}

fn properties(published: &[(AggregateId, Snapshot)]) -> impl Iterator<Item = (&str, &Property)> {
    published.iter().filter_map(|(id, snapshot)| match snapshot {
        Snapshot::Properties(property) => Some((id.key.as_str(), property)),
        _ => None,
    })
}

fn tell(items: usize, differences: &[Difference]) {
    println!("{items} published items, {} differences", differences.len());
    for difference in differences.iter().take(TOLD) {
        println!(
            "{}: should be {}, is {}",
            difference.place.trim_end(),
            shortened(&difference.expected),
            shortened(&difference.found)
        );
    }
    if differences.len() > TOLD {
        println!("… and {} more", differences.len() - TOLD);
    }
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(VALUE_WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
