//! Alerts without an account, by double opt-in: anybody can type an address, so one mail asks the owner
//! of the mailbox, and alerts are sent only after they have confirmed.

use contracts::Locale;
use search_parameters::SearchAddress;
use serde::Serialize;
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    adoption::adopt_confirmed,
    saved_search::{Row, SavedSearch, is_full},
    schedule::Frequency,
    subscriber,
};
use crate::{
    Error,
    consent::{self, ConsentSource, Submission},
    events::{self, EventKind},
};

/// A search that a mail asks its reader to confirm.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskedSearch {
    /// The query string of the search.
    address: String,
    /// How often the reader would receive alerts.
    frequency: Frequency,
}

/// Saves the search `address` for the mailbox `email`, unconfirmed, and mails a confirmation request.
/// The caller can't see whether the mailbox is known, or whether its limit of searches is reached.
pub async fn request(
    pool: &PgPool,
    email: &str,
    address: &SearchAddress,
    name: &str,
    locale: Locale,
    frequency: Frequency,
    submission: &Submission,
) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    // One transaction at a time for a mailbox, however its address is spelled, because its mails are
    // counted below.
    sqlx::query_scalar!(
        "select pg_advisory_xact_lock(hashtextextended(visitor.mailbox($1), 2))",
        email,
    )
    .fetch_one(&mut *transaction)
    .await?;
    let subscriber = subscriber::ensure_for_mailbox(&mut transaction, email, locale).await?;
    if is_full(&mut transaction, subscriber, Some(address), submission.from.as_deref()).await? {
        return Ok(());
    }
    // A search that was ended starts again: no earlier consent applies to it.
    sqlx::query!(
        "delete from visitor.saved_search
         where subscriber = $1 and address = $2
           and frequency = 'never' and confirmed_at is not null",
        subscriber,
        address.as_str(),
    )
    .execute(&mut *transaction)
    .await?;
    // An unconfirmed search is overwritten by the latest request. The owner of a confirmed one is asked
    // only about the frequency.
    let search = sqlx::query_scalar!(
        "insert into visitor.saved_search as s
            (id, subscriber, address, name, locale, frequency, page, asked_from)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (subscriber, address) do update
         set frequency = case when s.confirmed_at is null then excluded.frequency
                              else s.frequency end,
             name = case when s.confirmed_at is null then excluded.name else s.name end,
             locale = case when s.confirmed_at is null then excluded.locale else s.locale end,
             page = case when s.confirmed_at is null then excluded.page else s.page end,
             asked_from = case when s.confirmed_at is null then excluded.asked_from
                               else s.asked_from end,
             wanted_frequency = case when s.confirmed_at is not null
                                     then excluded.frequency end,
             created_at = case when s.confirmed_at is null then now() else s.created_at end,
             changed_at = case when s.confirmed_at is null then now() else s.changed_at end
         returning id",
        Uuid::now_v7(),
        subscriber,
        address.as_str(),
        name,
        locale.code(),
        frequency.name(),
        submission.page,
        submission.from,
    )
    .fetch_one(&mut *transaction)
    .await?;
    queue_confirm_mail(&mut transaction, search, email, submission).await?;
    events::record(&mut transaction, EventKind::SearchAsked, search).await?;
    transaction.commit().await?;
    Ok(())
}

/// Queues a confirmation mail about `search` to `email`, at most one at a time. Since a search of the
/// mailbox was last confirmed for the first time, there are at most three mails a day for one network,
/// and six for all: nobody can fill another person's mailbox, and one network does not use up what
/// another may request, although several together do.
///
/// A mail that waits to be sent will ask about the latest request, so it needs no other one. A mail that
/// is being sent asks about the request before. A changed frequency of a confirmed search gets another
/// mail; a change of an unconfirmed search shows on the page that the mail links to.
async fn queue_confirm_mail(
    transaction: &mut Transaction<'_, Postgres>,
    search: Uuid,
    email: &str,
    submission: &Submission,
) -> Result<(), Error> {
    sqlx::query!(
        "with known as (
            select s.id, s.confirmed_at
            from visitor.saved_search s join visitor.subscriber p on p.id = s.subscriber
            where visitor.mailbox(p.email) = visitor.mailbox($3))
         insert into visitor.job (id, kind, saved_search, asked_from, traceparent)
         select $1, 'confirm_mail', $2, $4, $5
         where not exists (select from visitor.job
                           where saved_search = $2 and kind = 'confirm_mail' and state = 'due'
                             and (lease_until is null or lease_until < now()
                                  or exists (select from visitor.saved_search s
                                             where s.id = $2 and s.wanted_frequency is null)))
           and (select count(*) < 6
                   and count(*) filter (where j.asked_from is not distinct from $4) < 3
                from visitor.job j join known on known.id = j.saved_search
                where j.kind = 'confirm_mail'
                  and j.due_at >= greatest(now() - interval '1 day',
                                           (select max(confirmed_at) from known)))",
        Uuid::now_v7(),
        search,
        email,
        submission.from,
        runtime::telemetry::traceparent(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Returns what the mail asks whose link has this `hash`, or `None` if the link is unknown or its search
/// was ended.
pub async fn asked_search(pool: &PgPool, hash: &[u8]) -> Result<Option<AskedSearch>, Error> {
    let row = sqlx::query!(
        r#"select address as "address!",
               coalesce(wanted ->> encode($1::bytea, 'hex'), frequency) as "frequency!"
           from visitor.saved_search
           where confirmations @> array[$1::bytea] and frequency <> 'never'"#,
        hash,
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| {
        let frequency = Frequency::named(&row.frequency).unwrap_or(Frequency::Never);
        AskedSearch { address: row.address, frequency }
    }))
}

/// Confirms the search of the mail whose link has this `hash`, by the given `submission`. A new search
/// gets the `name` and `frequency` that the page showed. A search that was confirmed before gets the
/// frequency that this mail asked about; a later request by somebody else was not shown. Mails are in
/// the language in which the page was `read_in`, or in that of the search if it is unknown. Returns the
/// search, or `None` if the link is unknown or the search was ended.
pub async fn confirm(
    pool: &PgPool,
    hash: &[u8],
    name: Option<&str>,
    read_in: Option<Locale>,
    frequency: Option<Frequency>,
    submission: &Submission,
) -> Result<Option<SavedSearch>, Error> {
    let mut transaction = pool.begin().await?;
    // The subscriber is locked before the search, in the same order as when its searches move to an
    // account. If this statement waited for such a move it finds no row, but the search still exists.
    let asked_in = sqlx::query_scalar!(
        "select s.locale from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         where s.confirmations @> array[$1::bytea]
         for no key update of p",
        hash,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let locale = read_in.or_else(|| asked_in.and_then(|code| code.parse().ok()));
    sqlx::query!(
        "update visitor.saved_search
         set frequency = wanted ->> encode($1::bytea, 'hex'),
             wanted_frequency = nullif(wanted_frequency, wanted ->> encode($1::bytea, 'hex'))
         where confirmations @> array[$1::bytea] and wanted ? encode($1::bytea, 'hex')
           and frequency <> 'never'",
        hash,
    )
    .execute(&mut *transaction)
    .await?;
    // The name of an unconfirmed search may have been typed by anybody.
    let row = sqlx::query_as!(
        Row,
        "update visitor.saved_search
         set name = case when confirmed_at is null then $2 else name end,
             frequency = case when confirmed_at is null then coalesce($3, frequency)
                              else frequency end,
             confirmed_at = coalesce(confirmed_at, now()), changed_at = now()
         where confirmations @> array[$1::bytea] and frequency <> 'never'
         returning id, address, name, frequency, created_at",
        hash,
        name.unwrap_or_else(|| default_name(locale.unwrap_or_default())),
        frequency.map(Frequency::name),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(row) = &row {
        // The language of mails changes only now: a request alone must not change it.
        sqlx::query!(
            "update visitor.subscriber p set locale = coalesce($2, s.locale)
             from visitor.saved_search s
             where s.id = $1 and p.id = s.subscriber and p.email is not null",
            row.id,
            read_in.map(Locale::code),
        )
        .execute(&mut *transaction)
        .await?;
        record_consent(&mut transaction, row.id, read_in, submission).await?;
        queue_next_confirm_mail(&mut transaction, row.id).await?;
        adopt_confirmed(&mut transaction, row.id).await?;
    }
    transaction.commit().await?;
    Ok(row.map(Row::into_search))
}

/// Records the consent to mails about `search`, with the submission that `confirmed` it. Where and when
/// it was requested is stored with the search.
async fn record_consent(
    transaction: &mut Transaction<'_, Postgres>,
    search: Uuid,
    read_in: Option<Locale>,
    confirmed: &Submission,
) -> Result<(), Error> {
    let asked = sqlx::query!(
        "select locale, page, asked_from, created_at from visitor.saved_search where id = $1",
        search,
    )
    .fetch_one(&mut **transaction)
    .await?;
    let read_in = read_in.unwrap_or_else(|| asked.locale.parse().unwrap_or_default());
    let asked = Submission { page: asked.page, from: asked.asked_from, at: Some(asked.created_at) };
    consent::give(transaction, ConsentSource::Search(search), read_in, &asked, Some(confirmed))
        .await
}

/// Queues a confirmation mail about the next unconfirmed search of the mailbox of `answered` that got no
/// mail because of the limit. Searches that the same network requested come first.
async fn queue_next_confirm_mail(
    transaction: &mut Transaction<'_, Postgres>,
    answered: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into visitor.job (id, kind, saved_search, asked_from, traceparent)
         select $1, 'confirm_mail', o.id, o.asked_from, $3
         from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         join visitor.subscriber q on visitor.mailbox(q.email) = visitor.mailbox(p.email)
         join visitor.saved_search o on o.subscriber = q.id
         where s.id = $2 and o.confirmed_at is null
           and not exists (select from visitor.job j where j.saved_search = o.id)
         order by (o.asked_from is not distinct from s.asked_from) desc, o.created_at limit 1",
        Uuid::now_v7(),
        answered,
        runtime::telemetry::traceparent(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Returns the name of a search that its owner did not name.
const fn default_name(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "Your search",
        Locale::Es => "Su búsqueda",
    }
}
