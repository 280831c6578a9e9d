//! The operator's commands: reconcile, rebuild, and what could not be recorded, applied or done.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use command::JobSelector;
use contracts::Sequence;
use event_log::EventLog;
use runtime::Process;
use secrecy::SecretString;
use sqlx::PgPool;
use sync::{ContentConfig, Depth, Ledger, MassRemoval, Parked, ParkedCounts};

use crate::databases::{LedgerUrl, ReadModelsUrl, VisitorsUrl};

/// What `almijara reconcile` takes.
#[derive(Clone, Debug, Args)]
pub struct ReconcileArgs {
    /// The content service.
    #[command(flatten)]
    content: ContentConfig,
    #[command(flatten)]
    ledger: LedgerUrl,
    /// Remove from the site what the content service no longer has, even if it is a large part of a
    /// collection.
    #[arg(long)]
    allow_mass_removal: bool,
}

/// Where the read models are.
#[derive(Clone, Debug, Args)]
pub struct ReadModelsArgs {
    #[command(flatten)]
    read_models: ReadModelsUrl,
    /// NATS, as a user that may read the stream.
    #[arg(
        long,
        env = "PROJECTIONS_NATS_URL",
        value_name = "PROJECTIONS_NATS_URL",
        hide_env_values = true
    )]
    nats_url: SecretString,
}

/// What to do with messages that could not be applied.
#[derive(Clone, Debug, Args)]
pub struct DeadLettersArgs {
    #[command(flatten)]
    read_models: ReadModelsUrl,
    #[command(subcommand)]
    action: DeadLetterAction,
}

#[derive(Clone, Debug, Subcommand)]
enum DeadLetterAction {
    /// Lists the messages.
    List,
    /// Applies all of them again, or a selection.
    Replay(Letters),
    /// Drops all of them, or a selection.
    Drop(Letters),
}

/// Which messages that could not be applied.
#[derive(Clone, Debug, Args)]
struct Letters {
    /// Only the message of this subject, as `list` shows it.
    subject: Option<String>,
    /// Only messages up to this position. Give the last position that `list` shows to exclude newer
    /// ones.
    #[arg(long, value_name = "POSITION")]
    up_to: Option<Sequence>,
}

/// What to do with what could not be done for visitors.
#[derive(Clone, Debug, Args)]
pub struct JobsArgs {
    #[command(flatten)]
    visitors: VisitorsUrl,
    #[command(subcommand)]
    action: JobAction,
}

#[derive(Clone, Debug, Subcommand)]
enum JobAction {
    /// Lists the mails and items that failed, and those that wait for another try.
    List,
    /// Retries one, or all of a kind, at once.
    Retry {
        /// An id, or a kind for all of that kind, as `list` shows them.
        which: JobSelector,
    },
}

/// Compares the complete content service with the ledger and captures what differs. The running sync
/// role publishes it.
pub async fn reconcile(args: ReconcileArgs) -> Result<()> {
    let pool = runtime::postgres::connect(&args.ledger.ledger_url, "reconcile", 2)?;
    let sync = sync::Context::new(pool, args.content.client()?);
    let removal = MassRemoval::allowed_if(args.allow_mass_removal);
    let reconciled = sync.reconcile(Depth::Contents, removal).await;
    // What could be compared is captured, even if something else could not.
    let versions = sync.capture_due().await?;
    let report = reconciled.with_context(|| format!("{versions} new versions, but"))?;
    println!(
        "{} items seen, {} differed, {} were gone; {versions} new versions",
        report.seen, report.differing, report.missing
    );
    Ok(())
}

/// Prints what can't be recorded, and why.
pub async fn parked(ledger: LedgerUrl) -> Result<()> {
    let ledger = Ledger::new(runtime::postgres::connect(&ledger.ledger_url, "parked", 1)?);
    print!("{}", parked_report(&ledger.parked().await?, &ledger.parked_counts().await?));
    Ok(())
}

/// Returns a line for each parked item, and the totals, which may be more than what is listed.
pub fn parked_report(parked: &Parked, counts: &ParkedCounts) -> String {
    let mut text = String::new();
    for item in &parked.items {
        let since = item.first_at.format("%F %T UTC");
        for violation in &item.violations {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}/{} since {since}: {violation}", item.collection, item.key);
        }
    }
    for hint in &parked.hints {
        let since = hint.received_at.format("%F %T UTC");
        let keys = hint.keys.join(", ");
        let _ = writeln!(
            text,
            "a hint about {} {keys} since {since}: {}",
            hint.collection, hint.failure
        );
    }
    for item in &parked.left_out {
        let since = item.since.format("%F %T UTC");
        for picture in &item.pictures {
            let (collection, key) = (&item.collection, &item.key);
            let _ = writeln!(text, "{collection}/{key} is shown without {picture} (since {since})");
        }
    }
    for version in &parked.refused {
        let since = version.since.format("%F %T UTC");
        let (collection, key) = (&version.collection, &version.key);
        let _ = writeln!(
            text,
            "{collection}/{key} version {} since {since}: the log refused it: {}",
            version.version, version.reason
        );
    }
    let planned = parked.items.iter().filter(|item| item.awaits_publication_day()).count();
    let invalid = parked.items.len() - planned;
    let all: [(i64, usize, &str); 5] = [
        (counts.items.values().sum(), invalid, "items can't be recorded"),
        (counts.planned, planned, "articles wait for their publication day"),
        (counts.hints, parked.hints.len(), "hints can't be resolved"),
        (counts.left_out.values().sum(), parked.left_out.len(), "items lack a picture"),
        (counts.refused, parked.refused.len(), "versions can't be published"),
    ];
    let totals = all.map(|(count, listed, what)| {
        let is_all = usize::try_from(count).is_ok_and(|count| count <= listed);
        let limit =
            if is_all { String::new() } else { format!(" (the first {listed} are listed)") };
        format!("{count} {what}{limit}")
    });
    let _ = writeln!(text, "{}", totals.join(", "));
    text
}

/// Fills a new generation of the read models beside the live one, and swaps it in.
pub async fn rebuild(args: ReadModelsArgs) -> Result<()> {
    let _telemetry = runtime::telemetry::init("rebuild", projections::METRICS)?;
    let pool = runtime::postgres::connect(&args.read_models.read_models_url, "rebuild", 4)?;
    let log = EventLog::connect(&args.nats_url, "rebuild").await?;
    let process = Process::new();
    let shutdown = process.shutdown();
    process.spawn("rebuild", async move {
        let rebuilt = projections::rebuild(&pool, &log, &shutdown).await;
        shutdown.cancel();
        rebuilt.map(|generation| println!("generation {} is live", generation.number))
    });
    process.wait().await.context("the rebuild failed; the live generation is unchanged")
}

/// Lists, replays or drops messages that could not be applied.
pub async fn dead_letters(args: DeadLettersArgs) -> Result<()> {
    let pool = runtime::postgres::connect(&args.read_models.read_models_url, "dead-letters", 2)?;
    match args.action {
        DeadLetterAction::List => {
            let letters = projections::dead_letters::list(&pool).await?;
            for letter in &letters {
                println!(
                    "{} at {} after {} tries: {}",
                    letter.subject, letter.sequence, letter.tries, letter.error
                );
            }
            println!("{} messages could not be applied", letters.len());
        }
        DeadLetterAction::Replay(letters) => {
            ensure_listed(&pool, &letters).await?;
            let Letters { subject, up_to } = letters;
            let chosen = subject.as_ref().map(std::slice::from_ref);
            let applied = projections::dead_letters::replay(&pool, chosen, up_to).await?;
            println!("{applied} messages applied");
        }
        DeadLetterAction::Drop(letters) => {
            ensure_listed(&pool, &letters).await?;
            let Letters { subject, up_to } = letters;
            let chosen = subject.as_ref().map(std::slice::from_ref);
            let dropped = projections::dead_letters::discard(&pool, chosen, up_to).await?;
            println!("{dropped} messages dropped");
        }
    }
    Ok(())
}

/// Fails if `letters` names a subject that has no message put aside: a mistyped subject must not look like
/// success.
async fn ensure_listed(pool: &PgPool, letters: &Letters) -> Result<()> {
    let Some(subject) = &letters.subject else { return Ok(()) };
    let listed = projections::dead_letters::list(pool).await?;
    let listed = listed.iter().map(|letter| (letter.subject.as_str(), letter.sequence));
    ensure!(
        letters.matches_any(listed),
        "there is no dead letter of {subject}{}: `almijara dead-letters list` lists them",
        letters.up_to.map(|position| format!(" up to {position}")).unwrap_or_default(),
    );
    Ok(())
}

impl Letters {
    /// Returns whether any of the `listed` messages is selected.
    fn matches_any<'l>(&self, mut listed: impl Iterator<Item = (&'l str, Sequence)>) -> bool {
        listed.any(|(subject, sequence)| {
            self.subject.as_deref().is_none_or(|named| named == subject)
                && self.up_to.is_none_or(|up_to| sequence <= up_to)
        })
    }
}

/// Lists mails and items that could not be done, or retries them.
pub async fn jobs(args: JobsArgs) -> Result<()> {
    let pool = runtime::postgres::connect(&args.visitors.visitors_url, "jobs", 1)?;
    match args.action {
        JobAction::List => {
            let jobs = command::unfinished_jobs(&pool).await?;
            for job in &jobs {
                let state = if job.is_given_up { "given up" } else { "tried again" };
                println!(
                    "{} {}, {state} after {} tries, {}: {}",
                    job.id,
                    job.kind,
                    job.attempts,
                    job.due_at.format("%F %T UTC"),
                    job.error.as_deref().unwrap_or_default(),
                );
            }
            println!("{} mails and items could not be delivered", jobs.len());
        }
        JobAction::Retry { which } => {
            let retried = command::retry_jobs(&pool, which).await?;
            println!("{retried} mails and items will be tried again");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::{DateTime, Utc};
    use sync::UnresolvedHint;

    use super::*;

    #[test]
    fn totals_count_everything_even_if_only_some_of_it_is_listed() {
        let hint = UnresolvedHint {
            id: 1,
            collection: "pages".to_owned(),
            keys: vec!["7".to_owned()],
            failure: "forbidden".to_owned(),
            received_at: DateTime::<Utc>::UNIX_EPOCH,
            tries: 1,
            next_try: DateTime::<Utc>::UNIX_EPOCH,
        };
        let (items, left_out, refused) = (Vec::new(), Vec::new(), Vec::new());
        let parked = Parked { items, hints: vec![hint], left_out, refused };
        let of = |count: i64| BTreeMap::from([("pages".to_owned(), count), ("team".to_owned(), 1)]);
        let (items, left_out) = (of(1_200), of(0));
        let counts = ParkedCounts { items, planned: 2, left_out, hints: 1, refused: 0 };
        let report = parked_report(&parked, &counts);
        assert_eq!(
            report.lines().collect::<Vec<_>>(),
            [
                "a hint about pages 7 since 1970-01-01 00:00:00 UTC: forbidden",
                "1201 items can't be recorded (the first 0 are listed), \
                 2 articles wait for their publication day (the first 0 are listed), \
                 1 hints can't be resolved, \
                 1 items lack a picture (the first 0 are listed), 0 versions can't be published",
            ]
        );
    }

    #[test]
    fn a_selection_matches_only_listed_messages() {
        let listed =
            [("content.pages.7", Sequence::from(5)), ("content.team.2", Sequence::from(9))];
        let matches = |subject: &str, up_to: Option<u64>| {
            let (subject, up_to) = (Some(subject.to_owned()), up_to.map(Sequence::from));
            Letters { subject, up_to }.matches_any(listed.into_iter())
        };
        assert!(matches("content.team.2", None) && matches("content.team.2", Some(9)));
        assert!(!matches("content.team.2", Some(8)), "it came after that position");
        assert!(!matches("content.team.3", None) && !matches("", None));
    }
}
