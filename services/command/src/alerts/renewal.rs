//! Renewal of searches without an account. The owner of an account can delete it, but nobody ends the
//! searches of an abandoned mailbox. So a year after the mails were last wanted, a mail asks whether
//! they still are, and without an answer the searches end.

use chrono::{DateTime, TimeDelta, Utc};
use contracts::Locale;
use sqlx::PgPool;
use uuid::Uuid;

use super::alert_mail::MailedSearch;
use crate::{Error, consent, enhanced_status};

/// For how many days mails are sent without any change by the owner.
const WANTED_DAYS: i32 = 365;
/// For how many days an answer is awaited. Jobs are retained longer, because a done job proves that the
/// owner was asked.
const ANSWER_DAYS: i32 = 21;
/// After how many days an owner who could not be reached is asked again.
const AGAIN_DAYS: i32 = 60;

/// A mail that asks whether mails about searches are still wanted.
#[derive(Clone, Debug)]
pub struct RenewalMail {
    /// Where it goes.
    pub email: String,
    /// The recipient's language.
    pub locale: Locale,
    /// The token that its links end with.
    pub token: String,
    /// The searches that would end.
    pub searches: Vec<MailedSearch>,
}

impl RenewalMail {
    /// Reads the mail about the search `id` and all others of its owner that would end. Returns `None`
    /// if it was answered meanwhile.
    pub async fn read(pool: &PgPool, id: Uuid) -> Result<Option<Self>, Error> {
        let rows = sqlx::query!(
            r#"select p.email as "email!", p.locale, p.tokens[1] as "token!", s.name, s.address
               from visitor.saved_search asked
               join visitor.subscriber p on p.id = asked.subscriber
               join visitor.saved_search s on s.subscriber = p.id
               where asked.id = $1 and p.account is null and s.frequency <> 'never'
                 and s.renewal_asked_at >= s.changed_at
               order by s.created_at desc"#,
            id,
        )
        .fetch_all(pool)
        .await?;
        let mut mail = None;
        for row in rows {
            let locale: Locale = row.locale.parse().unwrap_or_default();
            let search = MailedSearch::new(locale, row.name, row.address.as_deref());
            let mail = mail.get_or_insert_with(|| Self {
                email: row.email,
                locale,
                token: row.token,
                searches: Vec::new(),
            });
            mail.searches.push(search);
        }
        Ok(mail)
    }
}

/// Asks owners who have not changed their searches for a year, with one mail each, and ends the searches
/// of those who were asked and have not answered. Returns the number of mails and of ended searches.
pub async fn renew_searches(pool: &PgPool) -> Result<(usize, usize), Error> {
    Ok((ask(pool).await?, end_unanswered(pool).await?))
}

async fn ask(pool: &PgPool) -> Result<usize, Error> {
    let mut transaction = pool.begin().await?;
    let mut old = sqlx::query!(
        "update visitor.saved_search s set renewal_asked_at = now()
         from visitor.subscriber p
         where p.id = s.subscriber and p.account is null and s.confirmed_at is not null
           and s.frequency <> 'never' and s.changed_at < now() - make_interval(days => $1)
           and (s.renewal_asked_at is null or s.renewal_asked_at < s.changed_at
                or s.renewal_asked_at < now() - make_interval(days => $2))
         returning s.id, s.subscriber",
        WANTED_DAYS,
        AGAIN_DAYS,
    )
    .fetch_all(&mut *transaction)
    .await?;
    old.sort_by_key(|search| search.subscriber);
    old.dedup_by_key(|search| search.subscriber);
    let searches: Vec<Uuid> = old.iter().map(|search| search.id).collect();
    let jobs: Vec<Uuid> = searches.iter().map(|_| Uuid::now_v7()).collect();
    sqlx::query!(
        "insert into visitor.job (id, kind, saved_search)
         select id, 'renewal_mail', search from unnest($1::uuid[], $2::uuid[]) as job (id, search)",
        &jobs,
        &searches,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(searches.len())
}

/// Ends the searches of owners who did not answer in time, counted from when the mail was sent. A mail
/// that was refused, that may have arrived, or that bounced because the mailbox is gone counts too. If
/// it could not be sent or bounced for another reason, the owner was not asked.
async fn end_unanswered(pool: &PgPool) -> Result<usize, Error> {
    let mut transaction = pool.begin().await?;
    let ended = sqlx::query_scalar!(
        "update visitor.saved_search s set frequency = 'never', changed_at = now()
         from visitor.subscriber p
         where p.id = s.subscriber and p.account is null and s.frequency <> 'never'
           and s.renewal_asked_at >= s.changed_at
           and exists (select from visitor.job j
                       join visitor.saved_search o on o.id = j.saved_search
                       where o.subscriber = p.id and j.kind = 'renewal_mail'
                         and (j.state in ('done', 'refused')
                              or j.state = 'bounced' and j.smtp_status = any($2))
                         and j.due_at >= s.renewal_asked_at
                         and coalesce(j.done_at, j.due_at) < now() - make_interval(days => $1))
         returning s.id",
        ANSWER_DAYS,
        &enhanced_status::mailbox_gone(),
    )
    .fetch_all(&mut *transaction)
    .await?;
    consent::withdraw_for_alerts(&mut transaction, &ended).await?;
    transaction.commit().await?;
    Ok(ended.len())
}

/// Records that the owner of `token` still wants all mails. Returns whether the token is known and its
/// owner gets any mails.
pub async fn keep(pool: &PgPool, token: &str) -> Result<bool, Error> {
    let kept = sqlx::query!(
        "update visitor.saved_search s set changed_at = now()
         from visitor.subscriber p
         where p.id = s.subscriber and p.tokens @> array[$1::text]
           and s.confirmed_at is not null and s.frequency <> 'never'",
        token,
    )
    .execute(pool)
    .await?;
    Ok(kept.rows_affected() > 0)
}

/// Returns when the searches of `subscriber` end without an answer, or `None` if they were not asked.
pub async fn ends_at(pool: &PgPool, subscriber: Uuid) -> Result<Option<DateTime<Utc>>, Error> {
    let asked_at = sqlx::query_scalar!(
        "select min(coalesce(j.done_at, j.due_at)) from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         join visitor.saved_search o on o.subscriber = p.id
         join visitor.job j on j.saved_search = o.id
         where p.id = $1 and p.account is null and s.frequency <> 'never'
           and s.renewal_asked_at >= s.changed_at and j.kind = 'renewal_mail'
           and (j.state in ('done', 'refused')
                or j.state = 'bounced' and j.smtp_status = any($2))
           and j.due_at >= s.renewal_asked_at",
        subscriber,
        &enhanced_status::mailbox_gone(),
    )
    .fetch_one(pool)
    .await?;
    Ok(asked_at.map(|asked_at| asked_at + TimeDelta::days(ANSWER_DAYS.into())))
}
