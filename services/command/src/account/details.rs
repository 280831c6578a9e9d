//! An account's data: read, changed, exported and deleted.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use contracts::Locale;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    passkeys::{self, ListedPasskey},
    session::{self, ListedSession, Session},
};
use crate::{
    Error, VisitorDeletion,
    alerts::{self, Frequency, SavedSearch},
    consent::{self, ConsentSource, Submission},
    events,
    office::EnquiryState,
};

/// An account, as shown to its owner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    email: String,
    name: Option<String>,
    #[schema(value_type = String)]
    locale: Locale,
    created_at: DateTime<Utc>,
    /// Whether the owner consents to marketing mails about offers.
    marketing_consent: bool,
    /// Whether the account has a password.
    has_password: bool,
    /// The browsers that are signed in to the account.
    sessions: Vec<ListedSession>,
    /// Newest first.
    passkeys: Vec<ListedPasskey>,
    /// The enquiries sent from the account's e-mail address, newest first.
    enquiries: Vec<SentEnquiry>,
    /// The saved searches, newest first. The one without an address stands for alerts about the
    /// favourites.
    searches: Vec<SavedSearch>,
}

/// An enquiry, as shown to its sender.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentEnquiry {
    /// The enquiry's reference: `E-7K3QX9`.
    reference: String,
    /// `general`, `property`, `viewing`, `callback` or `valuation`.
    kind: String,
    /// `new`, `answered` or `closed`.
    state: String,
    /// The language of the enquiry.
    locale: String,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    mobile: Option<String>,
    message: Option<String>,
    home_reference: Option<String>,
    home_title: Option<String>,
    /// The home's price when the enquiry was sent, in euros.
    home_price: Option<i64>,
    home_path: Option<String>,
    /// The times proposed for a viewing, in the agency's local time.
    times: Vec<NaiveDateTime>,
    /// For a valuation: the address of the home.
    address: Option<String>,
    /// For a valuation: the kind of the home, as in the read API.
    property_kind: Option<String>,
    /// For a valuation: the built area, in square metres.
    built_area: Option<i32>,
    /// The ids of its pictures, for `/api/account/pictures/{id}`.
    #[schema(value_type = Vec<String>)]
    pictures: Vec<Uuid>,
    /// The path of the page from which the enquiry was sent.
    page: Option<String>,
    /// The version of the privacy notice that the sender accepted.
    privacy_version: Option<String>,
    /// Why the enquiry may come from a bot, if it does seem to.
    suspect: Option<String>,
    received_at: DateTime<Utc>,
}

/// Changes to an account. Omitted fields stay as they are.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountChange {
    /// An empty text removes it.
    pub name: Option<String>,
    /// The language of mails to the owner.
    #[schema(value_type = Option<String>)]
    pub locale: Option<Locale>,
    /// Whether the owner consents to marketing mails about offers.
    pub marketing_consent: Option<bool>,
    /// The language of the page on which the owner makes the change. Defaults to the language of
    /// mails.
    #[schema(value_type = Option<String>)]
    pub read_in: Option<Locale>,
    /// How often mails report changes of the favourites.
    pub favourite_alerts: Option<Frequency>,
}

/// The maximum number of enquiries that are shown; an export has all.
pub const MAX_ENQUIRIES: i64 = 200;

/// Reads the account of `session`, with its latest enquiries, at most `enquiries` or all.
pub async fn read(
    pool: &PgPool,
    session: &Session,
    enquiries: Option<i64>,
) -> Result<Account, Error> {
    let row = sqlx::query!(
        r#"select email, name, locale, created_at, password is not null as "has_password!",
            exists (select from visitor.consent c left join visitor.enquiry e on e.id = c.enquiry
                    where (c.account = a.id or lower(e.email) = lower(a.email))
                      and c.purpose = 'marketing' and c.withdrawn_at is null)
                as "marketing_consent!"
         from visitor.account a where id = $1"#,
        session.account,
    )
    .fetch_one(pool)
    .await?;
    // The address is verified, so enquiries from it are the owner's.
    let enquiries = sqlx::query_as!(
        SentEnquiry,
        r#"select reference, kind, state, locale, name, email, phone, mobile, message,
                home_reference, home_title, home_price, home_path, times, address, property_kind,
                built_area, page, privacy_version, suspect, received_at,
                array(select p.id from visitor.picture p where p.enquiry = e.id
                      order by p.position) as "pictures!"
         from visitor.enquiry e where lower(email) = lower($1)
         order by received_at desc limit $2"#,
        row.email,
        enquiries,
    )
    .fetch_all(pool)
    .await?;
    let locale: Locale = row.locale.parse().unwrap_or_default();
    Ok(Account {
        email: row.email,
        name: row.name,
        locale,
        created_at: row.created_at,
        marketing_consent: row.marketing_consent,
        has_password: row.has_password,
        sessions: session::list(pool, session).await?,
        passkeys: passkeys::list(pool, session.account).await?,
        enquiries,
        searches: alerts::list(pool, session.account).await?,
    })
}

/// Changes the account of `session`, by the given `submission`.
pub async fn change(
    pool: &PgPool,
    session: &Session,
    change: &AccountChange,
    submission: &Submission,
) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    let written_in = sqlx::query_scalar!(
        "update visitor.account
         set name = case when $2::text is null then name else nullif($2, '') end,
             locale = coalesce($3, locale)
         where id = $1
         returning locale",
        session.account,
        change.name,
        change.locale.map(Locale::code),
    )
    .fetch_one(&mut *transaction)
    .await?;
    let locale: Locale = written_in.parse().unwrap_or_default();
    if let Some(wanted) = change.marketing_consent {
        if !wanted {
            withdraw(&mut transaction, session).await?;
        }
        let is_given = sqlx::query_scalar!(
            r#"select exists (
                select from visitor.consent c left join visitor.enquiry e on e.id = c.enquiry
                where (c.account = $1 or lower(e.email) = lower($2))
                  and c.purpose = 'marketing' and c.withdrawn_at is null) as "given!""#,
            session.account,
            session.email,
        )
        .fetch_one(&mut *transaction)
        .await?;
        if wanted && !is_given {
            let with = ConsentSource::Account(session.account);
            let read_in = change.read_in.unwrap_or(locale);
            consent::give(&mut transaction, with, read_in, submission, None).await?;
        }
    }
    transaction.commit().await?;
    if let Some(frequency) = change.favourite_alerts {
        let name = alerts::favourites_name(locale);
        alerts::save(pool, session.account, None, name, locale, frequency).await?;
    }
    Ok(())
}

/// Withdraws all marketing consents of the owner of `session`, whatever they were given with: the
/// address is verified.
async fn withdraw(
    transaction: &mut Transaction<'_, Postgres>,
    session: &Session,
) -> Result<(), Error> {
    let withdrawn = sqlx::query_scalar!(
        r#"update visitor.consent set withdrawn_at = now()
           where purpose = 'marketing' and withdrawn_at is null
             and (account = $1 or enquiry in (
                select id from visitor.enquiry where lower(email) = lower($2)))
           returning coalesce(account, enquiry) as "given_with!""#,
        session.account,
        session.email,
    )
    .fetch_all(&mut **transaction)
    .await?;
    for given_with in withdrawn.into_iter().collect::<BTreeSet<_>>() {
        events::record(transaction, VisitorDeletion::ConsentWithdrawn, given_with).await?;
    }
    Ok(())
}

/// Returns a picture that was sent from the address of `session`, as JPEG.
pub async fn picture(pool: &PgPool, session: &Session, id: Uuid) -> Result<Option<Vec<u8>>, Error> {
    let jpeg = sqlx::query_scalar!(
        "select p.jpeg from visitor.picture p join visitor.enquiry e on e.id = p.enquiry
         where p.id = $1 and lower(e.email) = lower($2)",
        id,
        session.email,
    );
    Ok(jpeg.fetch_optional(pool).await?)
}

/// Records by id which enquiries are blocked with the account of `session`: in an older backup they may
/// not be settled yet, or the account may not exist. All enquiries of the address are locked, so that
/// none is settled meanwhile.
async fn record_blocked(
    transaction: &mut Transaction<'_, Postgres>,
    session: &Session,
) -> Result<(), Error> {
    let theirs = sqlx::query!(
        "select id, state from visitor.enquiry
         where lower(email) = lower($1) order by id for update",
        session.email,
    )
    .fetch_all(&mut **transaction)
    .await?;
    let closed = EnquiryState::Closed.name();
    for enquiry in theirs.into_iter().filter(|enquiry| enquiry.state == closed) {
        events::record(transaction, VisitorDeletion::EnquiryBlocked, enquiry.id).await?;
    }
    Ok(())
}

/// Deletes the account of `session` with all dependent data. Settled enquiries are blocked; those that
/// the office is working on are kept.
pub async fn delete(pool: &PgPool, session: &Session) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    record_blocked(&mut transaction, session).await?;
    withdraw(&mut transaction, session).await?;
    // Searches of the mailbox without the account are deleted too, even unconfirmed ones. Each is
    // recorded by its id, because an older backup may have the search and not the account.
    alerts::adopt(&mut transaction, session.account, &session.email, Locale::default()).await?;
    let searches = sqlx::query_scalar!(
        "delete from visitor.saved_search s using visitor.subscriber p
         where p.id = s.subscriber and (p.account = $1 or lower(p.email) = lower($2))
         returning s.id",
        session.account,
        session.email,
    )
    .fetch_all(&mut *transaction)
    .await?;
    for search in searches {
        events::record(&mut transaction, VisitorDeletion::SearchDeleted, search).await?;
    }
    sqlx::query!("delete from visitor.subscriber where lower(email) = lower($1)", session.email)
        .execute(&mut *transaction)
        .await?;
    sqlx::query!("delete from visitor.sign_in where lower(email) = lower($1)", session.email)
        .execute(&mut *transaction)
        .await?;
    sqlx::query!("delete from visitor.account where id = $1", session.account)
        .execute(&mut *transaction)
        .await?;
    events::record(&mut transaction, VisitorDeletion::AccountDeleted, session.account).await?;
    transaction.commit().await?;
    Ok(())
}
