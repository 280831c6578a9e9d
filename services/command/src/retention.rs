//! Erases visitors' data when its retention period is over. The periods are defined in `kept.json`, from
//! which the privacy page is generated too.

use std::{convert::Infallible, time::Duration};

use runtime::{error_text, postgres::with_answer_timeout};
use serde::Deserialize;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, alerts::renew_searches, embedded::Embedded, enquiry_items::EnquiryItems, office,
    place_searches,
};

/// How often old data is erased.
const INTERVAL: Duration = Duration::from_hours(6);
/// The delay of the first run after a start.
const FIRST_DELAY: Duration = Duration::from_secs(5);
/// The delay after a failure. A content service that was started together with this process takes half a
/// minute.
const RETRY_DELAY: Duration = Duration::from_mins(1);

/// An entry of `kept.json`, without the texts of the privacy page.
#[derive(Debug, Deserialize)]
struct RetentionRule {
    key: Kept,
    /// `None` if the data is kept until its owner deletes it.
    #[serde(default)]
    days: Option<i32>,
}

/// The data that an entry is about, by its table's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    Enquiry,
    Picture,
    Account,
    SavedSearch,
    Subscriber,
    AlertMail,
    Consent,
    BlockedConsent,
    BlockedEnquiry,
    Session,
    Device,
    SignIn,
    Job,
    Ceremony,
    IdempotencyKey,
}

impl Kept {
    const ALL: [Self; 15] = [
        Self::Enquiry,
        Self::Picture,
        Self::Account,
        Self::SavedSearch,
        Self::Subscriber,
        Self::AlertMail,
        Self::Consent,
        Self::BlockedConsent,
        Self::BlockedEnquiry,
        Self::Session,
        Self::Device,
        Self::SignIn,
        Self::Job,
        Self::Ceremony,
        Self::IdempotencyKey,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Enquiry => "enquiry",
            Self::Picture => "picture",
            Self::Account => "account",
            Self::SavedSearch => "saved_search",
            Self::Subscriber => "subscriber",
            Self::AlertMail => "alert_mail",
            Self::Consent => "consent",
            Self::BlockedConsent => "blocked_consent",
            Self::BlockedEnquiry => "blocked_enquiry",
            Self::Session => "session",
            Self::Device => "device",
            Self::SignIn => "sign_in",
            Self::Job => "job",
            Self::Ceremony => "ceremony",
            Self::IdempotencyKey => "idempotency_key",
        }
    }
}

static RULES: Embedded<Vec<RetentionRule>> =
    Embedded::new("kept.json", include_str!("../kept.json"));

/// Fails if the rules can't be read, or don't say of each kind of data when it is erased.
pub fn check_rules() -> Result<(), Error> {
    match key_without_period(RULES.get()?) {
        Some(key) => Err(RULES.error(format!("it does not say when {} is erased", key.name()))),
        None => Ok(()),
    }
}

/// Returns the first kind of data without a rule that can be followed. Only an account has no period.
fn key_without_period(rules: &[RetentionRule]) -> Option<Kept> {
    let has_period = |key: Kept| {
        let rule = rules.iter().find(|rule| rule.key == key);
        rule.is_some_and(|rule| rule.days.is_none() == (key == Kept::Account))
    };
    Kept::ALL.into_iter().find(|key| !has_period(*key))
}

/// Returns for how many days enquiries are kept, here and in the content service.
fn enquiry_days() -> Result<i32, Error> {
    let rule = RULES.get()?.iter().find(|rule| rule.key == Kept::Enquiry);
    rule.and_then(|rule| rule.days).ok_or_else(|| RULES.error("enquiries have no period"))
}

/// Erases old data here and in the `items` of the content service, syncs the states of enquiries from
/// there, and renews or ends searches without an account, periodically until `shutdown`. Several
/// processes may do so at once.
pub async fn run(
    pool: PgPool,
    items: Option<EnquiryItems>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let erasing = async {
        tokio::time::sleep(FIRST_DELAY).await;
        loop {
            let are_done = Box::pin(run_tasks(&pool, items.as_ref())).await;
            tokio::time::sleep(if are_done { INTERVAL } else { RETRY_DELAY }).await;
        }
    };
    shutdown.run_until_cancelled(Box::pin(erasing)).await;
    Ok(())
}

/// Runs all tasks once, whether or not one before fails. Returns whether all succeeded.
async fn run_tasks(pool: &PgPool, items: Option<&EnquiryItems>) -> bool {
    let mut are_done = is_done(erase_and_report(pool).await, "old data could not be erased");
    if let Some(items) = items {
        let synced = Box::pin(office::sync_enquiry_states(pool, items)).await;
        are_done &= is_done(synced, "the states of enquiries could not be read");
        let deleted = office::delete_blocked_items(pool, items).await;
        are_done &= is_done(deleted, "items of deleted accounts could not be deleted");
    }
    let renewed = Box::pin(renew_and_report(pool)).await;
    are_done &= is_done(renewed, "searches without an account could not be renewed");
    if let Some(items) = items {
        let erased = erase_old_items(items).await;
        are_done &= is_done(erased, "old enquiries of the content service could not be erased");
    }
    are_done
}

/// Returns whether a task succeeded. Otherwise `message` is logged.
fn is_done(result: Result<(), Error>, message: &str) -> bool {
    match result {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(error = error_text(&error), "{message}");
            false
        }
    }
}

async fn erase_and_report(pool: &PgPool) -> Result<(), Error> {
    for (key, rows) in erase_old(pool).await?.into_iter().filter(|(_, rows)| *rows > 0) {
        tracing::info!(key, rows, "old data was erased");
        metrics::counter!("command_erased_total", "key" => key).increment(rows);
    }
    Ok(())
}

async fn renew_and_report(pool: &PgPool) -> Result<(), Error> {
    let (asked, ended) = with_answer_timeout(renew_searches(pool)).await?;
    if asked + ended > 0 {
        tracing::info!(
            asked,
            ended,
            "owners of searches without an account were asked to renew them, or the searches have ended"
        );
    }
    Ok(())
}

/// Erases old enquiries in the content service.
async fn erase_old_items(items: &EnquiryItems) -> Result<(), Error> {
    items.erase(enquiry_days()?).await
}

/// Erases old data. Returns the number of rows for each table.
pub async fn erase_old(pool: &PgPool) -> Result<Vec<(&'static str, u64)>, Error> {
    let mut erased = Vec::new();
    for rule in RULES.get()? {
        let Some(days) = rule.days else { continue };
        erased.push((rule.key.name(), with_answer_timeout(erase(pool, rule.key, days)).await?));
    }
    // It has no personal data, so it is not listed in `kept.json`.
    erased.push(("place_search", with_answer_timeout(place_searches::erase_old(pool)).await?));
    Ok(erased)
}

/// Erases the rows of one entry that are older than `days`. Jobs that are still due, and the alert mails
/// that they send, are never erased.
async fn erase(pool: &PgPool, key: Kept, days: i32) -> Result<u64, Error> {
    let statement = match key {
        Kept::Enquiry => sqlx::query!(
            "delete from visitor.enquiry where received_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::Consent => sqlx::query!(
            "delete from visitor.consent
                 where withdrawn_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::BlockedConsent => sqlx::query!(
            "delete from visitor.blocked_consent
                 where blocked_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::BlockedEnquiry => sqlx::query!(
            "delete from visitor.blocked_enquiry
                 where blocked_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::Session => sqlx::query!(
            "delete from visitor.session
                 where expires_at < now() or seen_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::Device => sqlx::query!(
            "delete from visitor.device where created_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::SignIn => sqlx::query!(
            "delete from visitor.sign_in where created_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::Job => sqlx::query!(
            "delete from visitor.job
                 where state <> 'due' and due_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::SavedSearch => sqlx::query!(
            "delete from visitor.saved_search s using visitor.subscriber p
                 where p.id = s.subscriber and s.changed_at < now() - make_interval(days => $1)
                   and (s.confirmed_at is null or (s.frequency = 'never' and p.account is null))",
            days
        ),
        Kept::Subscriber => return erase_idle_subscribers(pool, days).await,
        Kept::AlertMail => sqlx::query!(
            "delete from visitor.alert_mail m
                 where m.created_at < now() - make_interval(days => $1)
                   and not exists (select from visitor.job j
                                   where j.alert_mail = m.id and j.state = 'due')",
            days
        ),
        Kept::Picture => sqlx::query!(
            "delete from visitor.picture
                 where enquiry is null and created_at < now() - make_interval(days => $1)",
            days
        ),
        Kept::Ceremony => sqlx::query!("delete from visitor.ceremony where expires_at < now()"),
        Kept::IdempotencyKey => {
            sqlx::query!("delete from visitor.idempotency_key where expires_at < now()")
        }
        Kept::Account => return Err(RULES.error("an account is kept until its owner deletes it")),
    };
    Ok(statement.execute(pool).await?.rows_affected())
}

/// A visitor may request mails for one of these subscribers at the same moment. So the rows are locked
/// first, and a second statement then checks whether they have a search: a statement that waits for a
/// lock checks an old snapshot.
async fn erase_idle_subscribers(pool: &PgPool, days: i32) -> Result<u64, Error> {
    let mut transaction = pool.begin().await?;
    let old = sqlx::query_scalar!(
        "select id from visitor.subscriber s
         where s.account is null and s.created_at < now() - make_interval(days => $1)
           and not exists (select from visitor.saved_search o where o.subscriber = s.id)
         for update",
        days,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let erased = sqlx::query!(
        "delete from visitor.subscriber s
         where s.id = any($1)
           and not exists (select from visitor.saved_search o where o.subscriber = s.id)",
        &old,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(erased.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_nothing_erases_is_refused() {
        check_rules().expect("those of this build can be read");
        let unknown = r#"[{ "key": "password", "days": 3 }]"#;
        serde_json::from_str::<Vec<RetentionRule>>(unknown).expect_err("nothing erases it");
    }

    #[test]
    fn data_without_a_period_is_an_error() {
        let all = || -> Vec<RetentionRule> {
            let days = |key| (key != Kept::Account).then_some(1);
            Kept::ALL.map(|key| RetentionRule { key, days: days(key) }).into()
        };
        assert_eq!(key_without_period(&all()), None);
        assert_eq!(key_without_period(&all()[..14]), Some(Kept::IdempotencyKey));
        for (index, days) in [(0, None), (2, Some(30))] {
            let mut rules = all();
            rules[index].days = days;
            assert_eq!(key_without_period(&rules), Some(Kept::ALL[index]));
        }
    }
}
