//! `almijara verify`: does what visitors see agree with what editors published, and has what visitors
//! sent reached whom it is for?

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
use search_index::SearchIndex;
use secrecy::SecretString;
use serde_json::Value;
use sqlx::{PgPool, query_scalar};
use sync::{ContentConfig, Parked, ParkedCounts};

use crate::operate;

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
    #[arg(
        long,
        env = "PROJECTIONS_DATABASE_URL",
        value_name = "PROJECTIONS_DATABASE_URL",
        hide_env_values = true
    )]
    database_url: SecretString,
    /// The ledger, which knows what is parked, with its last good version, and the pictures that
    /// can't be made (they stand on no page).
    #[arg(
        long,
        env = "SYNC_DATABASE_URL",
        value_name = "SYNC_DATABASE_URL",
        hide_env_values = true
    )]
    ledger_url: SecretString,
    /// The folder of the query node whose index is compared.
    #[arg(long, env = "DATA_DIR")]
    data_dir: PathBuf,
    /// What visitors sent.
    #[arg(
        long,
        env = "COMMAND_DATABASE_URL",
        value_name = "COMMAND_DATABASE_URL",
        hide_env_values = true
    )]
    visitors_url: SecretString,
    /// That the content service takes enquiries as items.
    #[arg(long, env = "ENQUIRY_ITEMS")]
    enquiry_items: bool,
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

/// What was compared.
struct Compared {
    visitors: command::Verified,
    /// How many messages of the log saved searches have not been held against.
    unmatched: i64,
    /// How many published items.
    items: usize,
    differences: Vec<Difference>,
    parked: (Parked, ParkedCounts),
}

/// The content as editors show it.
#[derive(Default)]
struct Content {
    published: Vec<(AggregateId, Snapshot)>,
    /// Published items that break a rule or can't be given: the site shows their last good version, or
    /// none.
    invalid: BTreeSet<AggregateId>,
}

/// Compares content service, read models and index, item by item and field by field; prints what
/// differs, and fails where anything does. What is parked is named, and compared with its last good
/// version. Then looks at what visitors sent, and fails where something of it has reached nobody.
pub async fn verify(args: VerifyArgs) -> Result<ExitCode> {
    let content = args.content.client()?;
    let pool = runtime::postgres::connect(&args.database_url, "verify", 2)?;
    let ledger = runtime::postgres::connect(&args.ledger_url, "verify", 1)?;
    let visitors = runtime::postgres::connect(&args.visitors_url, "verify", 1)?;
    let index = SearchIndex::under(&args.data_dir.join("index"));
    let begun = Instant::now();
    loop {
        let compared =
            compare(&content, &ledger, &pool, (&visitors, args.enquiry_items), &index).await;
        let last_try = begun.elapsed() > Duration::from_secs(args.wait);
        match compared {
            Ok(Compared {
                items,
                differences,
                parked: (parked, counts),
                visitors,
                unmatched: 0,
            }) if differences.is_empty() && visitors.is_well() => {
                if parked.is_anything() {
                    print!("{}", operate::told(&parked, &counts));
                }
                println!("{items} published items: read models and index agree with the content");
                println!("{}", sent(&visitors));
                return Ok(ExitCode::SUCCESS);
            }
            Ok(Compared { items, differences, parked: (parked, counts), visitors, unmatched })
                if last_try =>
            {
                print!("{}", operate::told(&parked, &counts));
                tell(items, &differences);
                println!("{}", sent(&visitors));
                if unmatched != 0 {
                    println!("saved searches are {unmatched} messages of the log behind");
                }
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
    (visitors, has_items): (&PgPool, bool),
    index: &SearchIndex,
) -> Result<Compared> {
    let visitors = command::verify(visitors, has_items).await;
    let visitors = visitors.context("looking at what visitors sent")?;
    let logged = query_scalar!(r#"select coalesce(max(sequence), 0) as "last!" from ledger.entry"#)
        .fetch_one(ledger)
        .await
        .context("asking the ledger")?;
    let unmatched = (logged - visitors.matched).max(0);
    let parked = sync::parked(ledger).await.context("reading what is parked")?;
    let counts = sync::parked_counts(ledger).await.context("reading what is parked")?;
    let Content { mut published, invalid } =
        read(content).await.context("reading the content service")?;
    let last_good = sync::last_good(ledger).await.context("asking the ledger")?;
    let parked_ids: BTreeSet<AggregateId> = last_good.iter().map(|(id, _)| id.clone()).collect();
    let not_parked = invalid.difference(&parked_ids).map(|id| Difference {
        place: format!("ledger.parked {id}"),
        expected: Value::Bool(true),
        found: Value::Bool(false),
    });
    let unreadable = sync::unreadable_pictures(ledger).await.context("asking the ledger")?;
    for (_, snapshot) in &mut published {
        snapshot.retain_pictures(|picture| !unreadable.contains(&picture.name()));
    }
    // What is parked stays as it was, whatever the content service says by now.
    published.retain(|(id, _)| !parked_ids.contains(id));
    published.extend(last_good.into_iter().filter_map(|(id, snapshot)| Some((id, snapshot?))));
    let offers = sync::all_offers(ledger).await.context("asking the ledger")?;
    let items = published.iter().map(|(id, snapshot)| (id, snapshot));
    let in_rows = projections::verify::differences(pool, items, &offers)
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
    let in_index = search_index::differences(&view, properties(&published), &offers)
        .context("comparing the index")?
        .into_iter()
        .map(|difference| Difference {
            place: format!("index {} {}", difference.key, difference.field.unwrap_or_default()),
            expected: difference.expected,
            found: difference.found,
        });
    let differences = not_parked.chain(in_rows).chain(in_index).collect();
    let parked = (parked, counts);
    Ok(Compared { items: published.len(), differences, parked, visitors, unmatched })
}

/// Everything that is published, as snapshots, and what can't be one.
async fn read(content: &Client) -> Result<Content> {
    let mut read = Content::default();
    for collection in Collection::ALL {
        let mut after = None;
        loop {
            let page = content.read_all(collection, after.as_deref(), PAGE).await?;
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

/// What visitors sent, and what of it somebody has to look after.
fn sent(visitors: &command::Verified) -> String {
    let command::Verified { enquiries, accounts, searches, waiting, refused, .. } = visitors;
    let command::Verified { failed, overdue, untold, unpublished, .. } = visitors;
    let kept = format!(
        "{enquiries} enquiries, {accounts} accounts, {searches} saved searches; {refused} mails were \
         refused by their mailboxes; {waiting} mails and items wait"
    );
    if visitors.is_well() {
        return format!("{kept}, none is late");
    }
    format!(
        "{kept}, {overdue} are late, {failed} can't be done (`almijara jobs list` says why); the office was told \
         nothing of {untold} enquiries; {unpublished} events are not on the stream"
    )
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
