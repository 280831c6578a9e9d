//! Puts what happened into mails, in the transaction that it was found in.

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, Utc};
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use super::{change::Happened, schedule::Frequency};
use crate::Error;

/// So long after its first alert a mail at once goes out, however much still happens, in seconds.
const LONGEST_PAUSE: f64 = 15.0 * 60.0;
/// Mails of the morning go out over so long, in seconds: mail servers take many at once for spam.
const MORNING_SPREAD: f64 = 20.0 * 60.0;

/// A search, and what it has to be told of a home.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub search: Uuid,
    pub happened: Happened,
}

/// A home to which something happened.
#[derive(Clone, Copy, Debug)]
pub struct News<'a> {
    pub reference: &'a str,
    /// Of the state in which it did.
    pub number: i64,
    /// What it cost before, in euros.
    pub price_before: Option<i64>,
    /// When it was published. What was saved later does not hear of it.
    pub at: DateTime<Utc>,
    /// How long a mail at once waits for more.
    pub pause: Duration,
}

/// Tells the searches of `hits`, but for those whose owners want no mails.
pub async fn tell(
    transaction: &mut Transaction<'_, Postgres>,
    news: News<'_>,
    hits: &[Hit],
) -> Result<(), Error> {
    if hits.is_empty() {
        return Ok(());
    }
    let searches: Vec<Uuid> = hits.iter().map(|hit| hit.search).collect();
    let happened: Vec<String> = hits.iter().map(|hit| hit.happened.name().to_owned()).collect();
    open_mails(transaction, news, &searches).await?;
    sqlx::query!(
        "insert into visitor.alert
            (saved_search, mail, reference, happened, state_number, price_before)
         select s.id, m.id, $3, hit.happened, $4, $5
         from unnest($1::uuid[], $2::text[]) as hit (search, happened)
         join visitor.saved_search s on s.id = hit.search
         join visitor.alert_mail m on m.subscriber = s.subscriber and m.frequency = s.frequency
         join visitor.job j on j.alert_mail = m.id
         where j.state = 'due' and j.attempts = 0
           and s.confirmed_at is not null and s.created_at < $6
         on conflict do nothing",
        &searches,
        &happened,
        news.reference,
        news.number,
        news.price_before,
        news.at,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Tells whoever has it among their favourites and wants to hear of those.
pub async fn tell_favourites(
    transaction: &mut Transaction<'_, Postgres>,
    news: News<'_>,
    happened: &[Happened],
) -> Result<(), Error> {
    if happened.is_empty() {
        return Ok(());
    }
    let searches = sqlx::query_scalar!(
        "select s.id from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         join visitor.home h on h.account = p.account
         where s.address is null and s.frequency <> 'never'
           and h.reference = $1 and h.is_favourite",
        news.reference,
    )
    .fetch_all(&mut **transaction)
    .await?;
    for &happened in happened {
        let hits: Vec<Hit> = searches.iter().map(|&search| Hit { search, happened }).collect();
        tell(transaction, news, &hits).await?;
    }
    Ok(())
}

/// Makes sure that each subscriber of `searches` has a mail that nobody has begun to send, for each
/// frequency; one at once waits a little longer, for more may come.
async fn open_mails(
    transaction: &mut Transaction<'_, Postgres>,
    news: News<'_>,
    searches: &[Uuid],
) -> Result<(), Error> {
    let wanted = sqlx::query!(
        "select distinct subscriber, frequency from visitor.saved_search
         where id = any($1) and frequency <> 'never' and confirmed_at is not null
           and created_at < $2",
        searches,
        news.at,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let subscribers: Vec<Uuid> = wanted.iter().map(|wanted| wanted.subscriber).collect();
    // Locked, so that nobody begins to send one before the alert is in it.
    let open = sqlx::query!(
        "select m.subscriber, m.frequency
         from visitor.job j join visitor.alert_mail m on m.id = j.alert_mail
         where m.subscriber = any($1) and j.state = 'due' and j.attempts = 0
         for update of j",
        &subscribers,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let open: HashSet<_> = open.into_iter().map(|open| (open.subscriber, open.frequency)).collect();
    let wanted = wanted.into_iter().map(|wanted| (wanted.subscriber, wanted.frequency));
    let (waiting, new): (Vec<_>, Vec<_>) = wanted.partition(|wanted| open.contains(wanted));
    let now = Utc::now();
    for frequency in [Frequency::AtOnce, Frequency::Daily, Frequency::Weekly] {
        let Some(due) = frequency.due(now, news.pause) else { continue };
        let of = |all: &[(Uuid, String)]| -> Vec<Uuid> {
            let of = all.iter().filter(|(_, name)| name == frequency.name());
            of.map(|(subscriber, _)| *subscriber).collect()
        };
        let (waiting, new) = (of(&waiting), of(&new));
        let is_at_once = frequency == Frequency::AtOnce;
        if !new.is_empty() {
            let spread = if is_at_once { 0.0 } else { MORNING_SPREAD };
            make_mails(transaction, &new, frequency, due, spread).await?;
        }
        if is_at_once && !waiting.is_empty() {
            sqlx::query!(
                "update visitor.job j
                 set due_at = greatest(j.due_at,
                    least($2, m.created_at + make_interval(secs => $3)))
                 from visitor.alert_mail m
                 where j.alert_mail = m.id and m.frequency = 'at_once' and m.subscriber = any($1)
                   and j.state = 'due' and j.attempts = 0",
                &waiting,
                due,
                LONGEST_PAUSE,
            )
            .execute(&mut **transaction)
            .await?;
        }
    }
    Ok(())
}

async fn make_mails(
    transaction: &mut Transaction<'_, Postgres>,
    subscribers: &[Uuid],
    frequency: Frequency,
    due: DateTime<Utc>,
    spread: f64,
) -> Result<(), Error> {
    let mails: Vec<Uuid> = subscribers.iter().map(|_| Uuid::now_v7()).collect();
    let jobs: Vec<Uuid> = subscribers.iter().map(|_| Uuid::now_v7()).collect();
    sqlx::query!(
        "insert into visitor.alert_mail (id, subscriber, frequency)
         select id, subscriber, $3 from unnest($1::uuid[], $2::uuid[]) as mail (id, subscriber)",
        &mails,
        subscribers,
        frequency.name(),
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "insert into visitor.job (id, kind, alert_mail, due_at)
         select id, 'alert_mail', mail, $3::timestamptz + make_interval(secs => random() * $4::float8)
         from unnest($1::uuid[], $2::uuid[]) as job (id, mail)",
        &jobs,
        &mails,
        due,
        spread,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
