//! Mails about a search without an account: anybody can type an address, so one mail asks whoever
//! reads it, and the others come once that person has agreed.

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
    consent::{self, GivenWith, Press},
    events,
};

/// What a mail asks its reader to agree to.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskedSearch {
    /// The query part of its address.
    address: String,
    /// How often its reader would hear of it.
    frequency: Frequency,
}

/// Saves `address` for whoever reads `email`, once that person agrees: a mail asks for it. The same
/// whether or not the mailbox is known, and whether or not there are as many as can be.
pub async fn ask(
    pool: &PgPool,
    email: &str,
    address: &SearchAddress,
    name: &str,
    locale: Locale,
    frequency: Frequency,
    press: &Press,
) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    // One at a time for a mailbox, however its address is spelled: its mails are counted below.
    sqlx::query_scalar!(
        "select pg_advisory_xact_lock(hashtextextended(visitor.mailbox($1), 2))",
        email,
    )
    .fetch_one(&mut *transaction)
    .await?;
    let subscriber = subscriber::of_mailbox(&mut transaction, email, locale).await?;
    if is_full(&mut transaction, subscriber, Some(address), press.from.as_deref()).await? {
        return Ok(());
    }
    // One that was ended begins anew: nothing of what was agreed to before is left.
    sqlx::query!(
        "delete from visitor.saved_search
         where subscriber = $1 and address = $2
           and frequency = 'never' and confirmed_at is not null",
        subscriber,
        address.as_str(),
    )
    .execute(&mut *transaction)
    .await?;
    // Until somebody agrees it is as whoever asked last wrote it; who has agreed already is asked
    // again only about how often.
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
        press.page,
        press.from,
    )
    .fetch_one(&mut *transaction)
    .await?;
    ask_by_mail(&mut transaction, search, email, press).await?;
    events::record(&mut transaction, "search.asked", search).await?;
    transaction.commit().await?;
    Ok(())
}

/// Has whoever reads `email` asked about `search`. One mail at a time, and three a day for one network, six for
/// all, since a search was last agreed to for the first time: a mailbox is not filled in somebody else's name, and
/// one network does not use up what another may ask for; several together do. One that waits to be sent will ask
/// what is wanted now. One that is being sent asks what was before: a wish has its own beside it, and who has not
/// agreed yet finds what is wanted now on the page that it leads to.
async fn ask_by_mail(
    transaction: &mut Transaction<'_, Postgres>,
    search: Uuid,
    email: &str,
    press: &Press,
) -> Result<(), Error> {
    sqlx::query!(
        "with known as (
            select s.id, s.confirmed_at
            from visitor.saved_search s join visitor.subscriber p on p.id = s.subscriber
            where visitor.mailbox(p.email) = visitor.mailbox($3))
         insert into visitor.job (id, kind, saved_search, asked_from)
         select $1, 'confirm_mail', $2, $4
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
        press.from,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// What the mail asks whose link has this `hash`; none where it is no mail of ours or its search
/// was ended.
pub async fn asked(pool: &PgPool, hash: &[u8]) -> Result<Option<AskedSearch>, Error> {
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

/// Notes that whoever reads the mailbox has agreed, as `press` says: to hear of the search by the
/// `name` and as often, in `frequency`, as their page showed it or, where they do already, as often as this
/// mail asked: what somebody else asked for since was not shown. Mails are in the language that the page was
/// `read_in`, or in the search's where that is not said. The search, unless the hash is of no mail of ours or
/// it was ended.
pub async fn confirm(
    pool: &PgPool,
    hash: &[u8],
    name: Option<&str>,
    read_in: Option<Locale>,
    frequency: Option<Frequency>,
    press: &Press,
) -> Result<Option<SavedSearch>, Error> {
    let mut transaction = pool.begin().await?;
    // The subscriber is locked before the search, as by whoever gives its searches to an account.
    // None is found after a wait for just that; the search is there all the same.
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
    // Until then it had the name that anybody typed.
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
        name.unwrap_or_else(|| unnamed(locale.unwrap_or_default())),
        frequency.map(Frequency::name),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(row) = &row {
        // The language of mails: who only asks changes it for nobody.
        sqlx::query!(
            "update visitor.subscriber p set locale = coalesce($2, s.locale)
             from visitor.saved_search s
             where s.id = $1 and p.id = s.subscriber and p.email is not null",
            row.id,
            read_in.map(Locale::code),
        )
        .execute(&mut *transaction)
        .await?;
        give_consent(&mut transaction, row.id, read_in, press).await?;
        ask_about_next(&mut transaction, row.id).await?;
        adopt_confirmed(&mut transaction, row.id).await?;
    }
    transaction.commit().await?;
    Ok(row.map(Row::search))
}

/// Keeps that mails about `search` are wanted, as the press `confirmed` says. Where and when they were asked for
/// stands with the search.
async fn give_consent(
    transaction: &mut Transaction<'_, Postgres>,
    search: Uuid,
    read_in: Option<Locale>,
    confirmed: &Press,
) -> Result<(), Error> {
    let asked = sqlx::query!(
        "select locale, page, asked_from, created_at from visitor.saved_search where id = $1",
        search,
    )
    .fetch_one(&mut **transaction)
    .await?;
    let read_in = read_in.unwrap_or_else(|| asked.locale.parse().unwrap_or_default());
    let asked = Press { page: asked.page, from: asked.asked_from, at: Some(asked.created_at) };
    consent::give(transaction, GivenWith::Search(search), read_in, &asked, Some(confirmed)).await
}

/// Asks about the next search that was saved for the mailbox of `answered` when it had as many mails as
/// it gets: of those that the same network asked for, where there is one.
async fn ask_about_next(
    transaction: &mut Transaction<'_, Postgres>,
    answered: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into visitor.job (id, kind, saved_search, asked_from)
         select $1, 'confirm_mail', o.id, o.asked_from
         from visitor.saved_search s
         join visitor.subscriber p on p.id = s.subscriber
         join visitor.subscriber q on visitor.mailbox(q.email) = visitor.mailbox(p.email)
         join visitor.saved_search o on o.subscriber = q.id
         where s.id = $2 and o.confirmed_at is null
           and not exists (select from visitor.job j where j.saved_search = o.id)
         order by (o.asked_from is not distinct from s.asked_from) desc, o.created_at limit 1",
        Uuid::now_v7(),
        answered,
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// What mails call a search that its reader gave no name.
const fn unnamed(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "Your search",
        Locale::Es => "Su búsqueda",
    }
}
