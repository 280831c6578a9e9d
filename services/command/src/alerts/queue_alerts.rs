//! Adds changes of homes to alert mails, in the transaction that detected them.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use chrono::{DateTime, Utc};
use sqlx::{Postgres, Transaction};
use uuid::Uuid;

use super::{
    change::ChangeKind,
    schedule::{Frequency, MORNING_SPREAD, due_after_change},
};
use crate::Error;

/// A search that matches a home, and the change to report to it.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub search: Uuid,
    pub happened: ChangeKind,
}

/// A change of a home.
#[derive(Clone, Copy, Debug)]
pub struct HomeUpdate<'a> {
    /// The key of the home's item.
    pub key: &'a str,
    pub reference: &'a str,
    /// The number of the home's state after the change.
    pub number: i64,
    /// The price before, in euros.
    pub price_before: Option<i64>,
    /// When it was published. Searches that were saved later are not alerted.
    pub at: DateTime<Utc>,
    /// How long an immediate alert waits for more changes.
    pub pause: Duration,
}

/// Adds an alert for each of `hits`, except for searches whose owners want no mails.
pub async fn queue_alerts(
    transaction: &mut Transaction<'_, Postgres>,
    update: HomeUpdate<'_>,
    hits: &[Hit],
) -> Result<(), Error> {
    if hits.is_empty() {
        return Ok(());
    }
    let searches: Vec<Uuid> = hits.iter().map(|hit| hit.search).collect();
    let mails = open_mails(transaction, update, &searches).await?;
    let alerted = hits.iter().filter_map(|hit| Some((hit, *mails.get(&hit.search)?)));
    let mut alerts = (Vec::new(), Vec::new(), Vec::new());
    for (hit, mail) in alerted {
        alerts.0.push(hit.search);
        alerts.1.push(mail);
        alerts.2.push(hit.happened.name().to_owned());
    }
    // Joined, because a search may have been deleted meanwhile.
    sqlx::query!(
        "insert into visitor.alert
            (saved_search, mail, reference, happened, state_number, price_before)
         select s.id, alert.mail, $4, alert.happened, $5, $6
         from unnest($1::uuid[], $2::uuid[], $3::text[]) as alert (search, mail, happened)
         join visitor.saved_search s on s.id = alert.search
         on conflict do nothing",
        &alerts.0,
        &alerts.1,
        &alerts.2,
        update.reference,
        update.number,
        update.price_before,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Records for each search with a pending alert about the item `key` whether the home `is_lost` to it,
/// if that is known. A lost alert is omitted from mails; it is kept because it has the price before.
/// Mails that are being sent or may have been sent are not changed, and neither are alerts about
/// favourites.
pub async fn mark_lost(
    transaction: &mut Transaction<'_, Postgres>,
    key: &str,
    is_lost: impl Fn(Uuid) -> Option<bool>,
) -> Result<(), Error> {
    // Locked, so that no worker starts to send a mail before this is recorded.
    let waiting = sqlx::query!(
        "select t.id, t.saved_search, t.is_lost
         from visitor.home_state h join visitor.alert t on t.reference = h.reference
         join visitor.saved_search s on s.id = t.saved_search
         join visitor.job j on j.alert_mail = t.mail
         where h.key = $1 and s.address is not null
           and j.state = 'due' and j.lease_until is null and not j.is_uncertain
         for update of j",
        key,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let changed = waiting.iter().filter(|alert| {
        is_lost(alert.saved_search).is_some_and(|is_lost| is_lost != alert.is_lost)
    });
    let changed: Vec<i64> = changed.map(|alert| alert.id).collect();
    if changed.is_empty() {
        return Ok(());
    }
    sqlx::query!("update visitor.alert set is_lost = not is_lost where id = any($1)", &changed)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

/// Moves omitted alerts to open mails, for those of `searches` that match the home now: alerts that
/// their mails left out while the home was off the site or lost to them. An alert that is still lost
/// after [`mark_lost`] is in a mail that is being sent without it right now.
pub async fn requeue_left_out(
    transaction: &mut Transaction<'_, Postgres>,
    update: HomeUpdate<'_>,
    searches: &[Uuid],
) -> Result<(), Error> {
    let left_out = sqlx::query_scalar!(
        "select distinct t.saved_search
         from visitor.home_state h join visitor.alert t on t.reference = h.reference
         where h.key = $1 and t.saved_search = any($2)
           and (t.is_left_out or t.is_lost and exists (
               select from visitor.job j
               where j.alert_mail = t.mail and j.state = 'due' and j.lease_until is not null
                 and not j.is_uncertain))",
        update.key,
        searches,
    )
    .fetch_all(&mut **transaction)
    .await?;
    if left_out.is_empty() {
        return Ok(());
    }
    let mails = open_mails(transaction, update, &left_out).await?;
    let (searches, mails): (Vec<Uuid>, Vec<Uuid>) = mails.into_iter().unzip();
    sqlx::query!(
        "update visitor.alert t set mail = open.mail, is_lost = false, is_left_out = false
         from unnest($1::uuid[], $2::uuid[]) as open (search, mail)
         where t.saved_search = open.search
           and (t.is_left_out or t.is_lost and exists (
               select from visitor.job j
               where j.alert_mail = t.mail and j.state = 'due' and j.lease_until is not null
                 and not j.is_uncertain))
           and t.reference in (select reference from visitor.home_state where key = $3)",
        &searches,
        &mails,
        update.key,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Adds alerts for visitors who have the home among their favourites under any of its references, and
/// who want such mails.
pub async fn queue_favourite_alerts(
    transaction: &mut Transaction<'_, Postgres>,
    update: HomeUpdate<'_>,
    happened: &[ChangeKind],
) -> Result<(), Error> {
    if happened.is_empty() {
        return Ok(());
    }
    let searches = sqlx::query_scalar!(
        "select distinct s.id from visitor.home_state known
         join visitor.home h on h.reference = known.reference
         join visitor.subscriber p on p.account = h.account
         join visitor.saved_search s on s.subscriber = p.id
         where known.key = $1 and h.is_favourite
           and s.address is null and s.frequency <> 'never'",
        update.key,
    )
    .fetch_all(&mut **transaction)
    .await?;
    for &happened in happened {
        let hits: Vec<Hit> = searches.iter().map(|&search| Hit { search, happened }).collect();
        queue_alerts(transaction, update, &hits).await?;
    }
    Ok(())
}

/// Returns the open mail of each of `searches` whose owner wants mails, and creates missing ones: one
/// for each subscriber and frequency. A mail is open if it is not being sent and has certainly not
/// arrived, whether or not it was attempted. Immediate mails are delayed a little, because more changes
/// may follow.
async fn open_mails(
    transaction: &mut Transaction<'_, Postgres>,
    update: HomeUpdate<'_>,
    searches: &[Uuid],
) -> Result<HashMap<Uuid, Uuid>, Error> {
    let wanted = sqlx::query!(
        "select id, subscriber, frequency from visitor.saved_search
         where id = any($1) and frequency <> 'never' and confirmed_at is not null
           and created_at < $2",
        searches,
        update.at,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let subscribers: Vec<Uuid> = wanted.iter().map(|wanted| wanted.subscriber).collect();
    // Locked, so that no worker starts to send a mail before the alert is in it. A mail that has been
    // retried for half a day gets no more alerts, so that new changes are retried for two days too.
    let open = sqlx::query!(
        "select m.id, m.subscriber, m.frequency, m.created_at
         from visitor.job j join visitor.alert_mail m on m.id = j.alert_mail
         where m.subscriber = any($1) and j.attempts < 20
           and j.state = 'due' and j.lease_until is null and not j.is_uncertain
         for update of j",
        &subscribers,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let created: HashMap<Uuid, DateTime<Utc>> =
        open.iter().map(|open| (open.id, open.created_at)).collect();
    let mut mails: HashMap<(Uuid, Frequency), Uuid> = open
        .into_iter()
        .filter_map(|open| Some(((open.subscriber, Frequency::named(&open.frequency)?), open.id)))
        .collect();
    let now = Utc::now();
    for frequency in [Frequency::AtOnce, Frequency::Daily, Frequency::Weekly] {
        let Some(due) = frequency.due(now, update.pause) else { continue };
        let owners = wanted.iter().filter(|wanted| wanted.frequency == frequency.name());
        let owners: HashSet<Uuid> = owners.map(|wanted| wanted.subscriber).collect();
        let key = |owner: &Uuid| (*owner, frequency);
        let waiting: Vec<Uuid> =
            owners.iter().filter_map(|owner| mails.get(&key(owner)).copied()).collect();
        let new: Vec<Uuid> =
            owners.into_iter().filter(|owner| !mails.contains_key(&key(owner))).collect();
        let is_at_once = frequency == Frequency::AtOnce;
        if !new.is_empty() {
            let spread = if due == now + update.pause { 0.0 } else { MORNING_SPREAD };
            let made = make_mails(transaction, &new, frequency, due, spread).await?;
            mails.extend(new.iter().map(key).zip(made));
        }
        if is_at_once && !waiting.is_empty() {
            let dues: Vec<DateTime<Utc>> = waiting
                .iter()
                .map(|mail| due_after_change(*created.get(mail).unwrap_or(&now), now, update.pause))
                .collect();
            sqlx::query!(
                "update visitor.job j set due_at = greatest(j.due_at, waiting.due)
                 from unnest($1::uuid[], $2::timestamptz[]) as waiting (mail, due)
                 where j.alert_mail = waiting.mail
                   and j.state = 'due' and j.lease_until is null and not j.is_uncertain",
                &waiting,
                &dues,
            )
            .execute(&mut **transaction)
            .await?;
        }
    }
    let of_search = wanted.into_iter().filter_map(|wanted| {
        let frequency = Frequency::named(&wanted.frequency)?;
        Some((wanted.id, *mails.get(&(wanted.subscriber, frequency))?))
    });
    Ok(of_search.collect())
}

/// Creates a mail for each of `subscribers`, in their order, due within `spread` seconds after `due`.
async fn make_mails(
    transaction: &mut Transaction<'_, Postgres>,
    subscribers: &[Uuid],
    frequency: Frequency,
    due: DateTime<Utc>,
    spread: f64,
) -> Result<Vec<Uuid>, Error> {
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
    Ok(mails)
}
