//! `almijara verify`: checks that what visitors see agrees with what editors published, and that what
//! visitors sent has reached its recipients.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use content_client::{Client, Reading};
use contracts::{
    AggregateId, Collection,
    content::{Property, Snapshot},
};
use runtime::{postgres::with_answer_timeout, shortened};
use search_index::SearchIndex;
use serde_json::Value;
use sqlx::{PgPool, query_scalar};
use sync::{ContentConfig, Ledger, Parked, ParkedCounts};

use crate::{
    databases::{LedgerUrl, ReadModelsUrl, VisitorsUrl},
    operate,
};

/// Items per page when reading the content service.
const PAGE_SIZE: usize = 500;
/// The pause between two comparisons while waiting.
const PAUSE: Duration = Duration::from_millis(500);
/// How many differences are listed one by one.
const MAX_LISTED: usize = 50;
/// How much of a value is printed, in characters.
const VALUE_WIDTH: usize = 120;

/// What `almijara verify` takes.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// The content service.
    #[command(flatten)]
    content: ContentConfig,
    #[command(flatten)]
    read_models: ReadModelsUrl,
    #[command(flatten)]
    ledger: LedgerUrl,
    /// The data folder of the query node whose index is compared.
    #[arg(long, env = "DATA_DIR")]
    data_dir: PathBuf,
    #[command(flatten)]
    visitors: VisitorsUrl,
    /// Also check that enquiries were created as items in the content service.
    #[arg(long, env = "ENQUIRY_ITEMS")]
    enquiry_items: bool,
    /// How long to wait for differences to vanish, in seconds.
    #[arg(long, default_value_t = 10)]
    wait: u64,
}

/// One value that differs.
struct Difference {
    place: String,
    expected: Value,
    found: Value,
}

/// The result of one comparison.
struct Comparison {
    visitors: command::VerifyReport,
    /// How many messages of the log are not matched against saved searches yet.
    unmatched: i64,
    /// How many published items were compared.
    items: usize,
    differences: Vec<Difference>,
    parked: (Parked, ParkedCounts),
}

/// The content as editors show it.
#[derive(Default)]
struct Content {
    published: Vec<(AggregateId, Snapshot)>,
    /// Published items that break a rule or can't be read: the site shows their last good version, or
    /// nothing.
    invalid: BTreeSet<AggregateId>,
}

/// Compares content service, read models and index, item by item and field by field. Prints the
/// differences, and fails if there are any. Parked items are listed, and compared with their last good
/// version. Also checks what visitors sent, and fails if anything was not delivered.
pub async fn verify(args: VerifyArgs) -> Result<ExitCode> {
    let content = args.content.client()?;
    let pool = runtime::postgres::connect(&args.read_models.read_models_url, "verify", 2)?;
    let ledger = runtime::postgres::connect(&args.ledger.ledger_url, "verify", 1)?;
    let visitors = runtime::postgres::connect(&args.visitors.visitors_url, "verify", 1)?;
    let index = SearchIndex::in_folder(&args.data_dir.join("index"));
    let started = Instant::now();
    loop {
        let compared =
            compare(&content, &ledger, &pool, (&visitors, args.enquiry_items), &index).await;
        let is_last_try = started.elapsed() > Duration::from_secs(args.wait);
        match compared {
            Ok(Comparison {
                items,
                differences,
                parked: (parked, counts),
                visitors,
                unmatched: 0,
            }) if differences.is_empty() && visitors.is_healthy() => {
                if parked.has_items() {
                    print!("{}", operate::parked_report(&parked, &counts));
                }
                println!("{items} published items: read models and index agree with the content");
                println!("{}", visitor_summary(&visitors));
                return Ok(ExitCode::SUCCESS);
            }
            Ok(Comparison {
                items,
                differences,
                parked: (parked, counts),
                visitors,
                unmatched,
            }) if is_last_try => {
                print!("{}", operate::parked_report(&parked, &counts));
                print_differences(items, &differences);
                println!("{}", visitor_summary(&visitors));
                if unmatched != 0 {
                    println!("saved searches are {unmatched} messages of the log behind");
                }
                return Ok(ExitCode::FAILURE);
            }
            Err(error) if is_last_try => return Err(error),
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn compare(
    content: &Client,
    ledger: &PgPool,
    pool: &PgPool,
    (visitors, has_items): (&PgPool, bool),
    index: &SearchIndex,
) -> Result<Comparison> {
    let visitors = command::verify(visitors, has_items).await;
    let visitors = visitors.context("checking what visitors sent")?;
    let logged = query_scalar!(r#"select coalesce(max(sequence), 0) as "last!" from ledger.entry"#);
    let logged = with_answer_timeout(logged.fetch_one(ledger)).await;
    let logged = logged.context("reading the ledger")?;
    let unmatched = (logged - visitors.matched).max(0);
    let ledger = Ledger::new(ledger.clone());
    let parked = ledger.parked().await.context("reading what is parked")?;
    let counts = ledger.parked_counts().await.context("reading what is parked")?;
    let Content { mut published, invalid } =
        read(content).await.context("reading the content service")?;
    let last_good = ledger.last_good().await.context("reading the ledger")?;
    let parked_ids: BTreeSet<AggregateId> = last_good.iter().map(|(id, _)| id.clone()).collect();
    let unparked = invalid.difference(&parked_ids).map(|id| Difference {
        place: format!("ledger.parked {id}"),
        expected: Value::Bool(true),
        found: Value::Bool(false),
    });
    let unreadable = ledger.unreadable_pictures().await.context("reading the ledger")?;
    for (_, snapshot) in &mut published {
        snapshot.retain_pictures(|picture| !unreadable.contains(&picture.name()));
    }
    // A parked item keeps its last good version, whatever the content service has by now.
    published.retain(|(id, _)| !parked_ids.contains(id));
    published.extend(last_good.into_iter().filter_map(|(id, snapshot)| Some((id, snapshot?))));
    let offers = ledger.all_offers().await.context("reading the ledger")?;
    let items = published.iter().map(|(id, snapshot)| (id, snapshot));
    let row_differences = projections::verify::differences(pool, items, &offers)
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
    let index_differences = search_index::differences(&view, properties(&published), &offers)
        .context("comparing the index")?
        .into_iter()
        .map(|difference| Difference {
            place: format!("index {} {}", difference.key, difference.field.unwrap_or_default()),
            expected: difference.expected,
            found: difference.found,
        });
    let differences = unparked.chain(row_differences).chain(index_differences).collect();
    let parked = (parked, counts);
    Ok(Comparison { items: published.len(), differences, parked, visitors, unmatched })
}

/// Reads every published item as a snapshot, and the ids of those that can't be read as one.
async fn read(content: &Client) -> Result<Content> {
    let mut read = Content::default();
    for collection in Collection::ALL {
        let mut after = None;
        loop {
            let page = content.read_all(collection, after.as_deref(), PAGE_SIZE).await?;
            for (id, reading) in page.readings {
                match reading {
                    Reading::Published { snapshot, .. } => read.published.push((id, *snapshot)),
                    Reading::Invalid { .. } => {
                        read.invalid.insert(id);
                    }
                    Reading::Hidden { .. } | Reading::Absent => {}
                }
            }
            let unreadable = page.unreadable.into_keys();
            read.invalid.extend(unreadable.map(|key| AggregateId::new(collection, key)));
            match page.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
    }
    Ok(read)
}

fn properties(published: &[(AggregateId, Snapshot)]) -> impl Iterator<Item = (&str, &Property)> {
    published.iter().filter_map(|(id, snapshot)| match snapshot {
        Snapshot::Properties(property) => Some((id.key.as_str(), property)),
        _ => None,
    })
}

/// Returns a summary of what visitors sent, with what an operator has to attend to.
fn visitor_summary(visitors: &command::VerifyReport) -> String {
    let command::VerifyReport { enquiries, accounts, searches, waiting, refused, .. } = visitors;
    let command::VerifyReport { failed, overdue, untold, unpublished, .. } = visitors;
    let summary = format!(
        "{enquiries} enquiries, {accounts} accounts, {searches} saved searches; {refused} mails were \
         refused by their mailboxes; {waiting} mails and items wait"
    );
    if visitors.is_healthy() {
        return format!("{summary}, none is late");
    }
    format!(
        "{summary}, {overdue} are late, {failed} can't be delivered (`almijara jobs list` shows why); the office \
         was not notified of {untold} enquiries; {unpublished} events are not on the stream"
    )
}

fn print_differences(items: usize, differences: &[Difference]) {
    println!("{items} published items, {} differences", differences.len());
    for difference in differences.iter().take(MAX_LISTED) {
        println!(
            "{}: should be {}, is {}",
            difference.place.trim_end(),
            truncated(&difference.expected),
            truncated(&difference.found)
        );
    }
    if differences.len() > MAX_LISTED {
        println!("… and {} more", differences.len() - MAX_LISTED);
    }
}

fn truncated(value: &Value) -> String {
    shortened(&value.to_string(), VALUE_WIDTH)
}
