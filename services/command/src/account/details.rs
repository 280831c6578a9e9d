//! What is kept of whoever has an account: shown, changed, given out and deleted.

use chrono::{DateTime, NaiveDateTime, Utc};
use contracts::Locale;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    my_homes::{self, MyHome},
    passkeys::{self, ListedPasskey},
    session::{self, ListedSession, Session},
    sign_in::consent,
};
use crate::{
    Error,
    alerts::{self, Frequency, SavedSearch},
};

/// An account, as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    email: String,
    name: Option<String>,
    #[schema(value_type = String)]
    locale: Locale,
    created_at: DateTime<Utc>,
    /// Whether its owner wants to hear of offers.
    marketing_consent: bool,
    /// Whether it has a password.
    has_password: bool,
    /// The browsers that are signed in.
    sessions: Vec<ListedSession>,
    /// The latest first.
    passkeys: Vec<ListedPasskey>,
    /// What was asked from its address, the latest first.
    enquiries: Vec<SentEnquiry>,
    /// The searches that it saved, the latest first. One without an address is of its favourites.
    searches: Vec<SavedSearch>,
}

/// An enquiry, as whoever sent it sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentEnquiry {
    /// `E-7K3QX9`.
    reference: String,
    /// `general`, `property`, `viewing`, `callback` or `valuation`.
    kind: String,
    /// `new`, `answered` or `closed`.
    state: String,
    message: Option<String>,
    home_reference: Option<String>,
    home_title: Option<String>,
    home_path: Option<String>,
    /// Proposed for a viewing, on the agency's clock.
    times: Vec<NaiveDateTime>,
    /// Of what is to be valued.
    address: Option<String>,
    /// What that is, as the read API calls it.
    property_kind: Option<String>,
    /// In square metres.
    built_area: Option<i32>,
    /// Its pictures: `/api/account/pictures/{id}`.
    #[schema(value_type = Vec<String>)]
    pictures: Vec<Uuid>,
    received_at: DateTime<Utc>,
}

/// Something that was agreed to.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    purpose: String,
    /// Which words it was given to.
    text_version: String,
    locale: String,
    given_at: DateTime<Utc>,
    withdrawn_at: Option<DateTime<Utc>>,
}

/// Everything that is kept of an account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    exported_at: DateTime<Utc>,
    account: Account,
    consents: Vec<Consent>,
    homes: Vec<MyHome>,
}

/// What its owner changes; what is left out stays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountChange {
    /// An empty one is none.
    pub name: Option<String>,
    /// The language of mails.
    #[schema(value_type = Option<String>)]
    pub locale: Option<Locale>,
    /// Whether its owner wants to hear of offers.
    pub marketing_consent: Option<bool>,
    /// How often its owner wants to hear that a favourite changes.
    pub favourite_alerts: Option<Frequency>,
}

/// Reads the account of `session`.
pub async fn read(pool: &PgPool, session: &Session) -> Result<Account, Error> {
    let row = sqlx::query!(
        r#"select email, name, locale, created_at, password is not null as "has_password!",
            exists (select from visitor.consent c
                    where c.account = a.id and purpose = 'marketing' and withdrawn_at is null)
                as "marketing_consent!"
         from visitor.account a where id = $1"#,
        session.account,
    )
    .fetch_one(pool)
    .await?;
    // The address is proved, so what was asked from it is its owner's.
    let enquiries = sqlx::query_as!(
        SentEnquiry,
        r#"select reference, kind, state, message, home_reference, home_title, home_path, times,
                address, property_kind, built_area, received_at,
                array(select p.id from visitor.picture p where p.enquiry = e.id
                      order by p.position) as "pictures!"
         from visitor.enquiry e where lower(email) = lower($1)
         order by received_at desc limit 200"#,
        row.email,
    )
    .fetch_all(pool)
    .await?;
    let locale = Locale::ALL.into_iter().find(|locale| locale.code() == row.locale);
    Ok(Account {
        email: row.email,
        name: row.name,
        locale: locale.unwrap_or_default(),
        created_at: row.created_at,
        marketing_consent: row.marketing_consent,
        has_password: row.has_password,
        sessions: session::list(pool, session).await?,
        passkeys: passkeys::list(pool, session.account).await?,
        enquiries,
        searches: alerts::list(pool, session.account).await?,
    })
}

/// Changes the account of `session`.
pub async fn change(pool: &PgPool, session: &Session, change: &AccountChange) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    let locale = sqlx::query_scalar!(
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
    if let Some(wanted) = change.marketing_consent {
        sqlx::query!(
            "update visitor.consent set withdrawn_at = now()
             where account = $1 and purpose = 'marketing' and withdrawn_at is null and not $2",
            session.account,
            wanted,
        )
        .execute(&mut *transaction)
        .await?;
        let is_given = sqlx::query_scalar!(
            r#"select exists (
                select from visitor.consent
                where account = $1 and purpose = 'marketing' and withdrawn_at is null)
                as "given!""#,
            session.account,
        )
        .fetch_one(&mut *transaction)
        .await?;
        if wanted && !is_given {
            consent(&mut transaction, session.account, &locale).await?;
        }
    }
    transaction.commit().await?;
    if let Some(frequency) = change.favourite_alerts {
        let locale = Locale::ALL.into_iter().find(|known| known.code() == locale);
        let (locale, account) = (locale.unwrap_or_default(), session.account);
        alerts::save(pool, account, None, favourites(locale), locale, frequency).await?;
    }
    Ok(())
}

/// What mails call the favourites.
const fn favourites(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "Your favourites",
        Locale::Es => "Sus favoritas",
    }
}

/// Everything that is kept of the account of `session`.
pub async fn export(pool: &PgPool, session: &Session) -> Result<Export, Error> {
    let consents = sqlx::query_as!(
        Consent,
        "select purpose, text_version, locale, given_at, withdrawn_at
         from visitor.consent where account = $1 order by given_at",
        session.account,
    )
    .fetch_all(pool)
    .await?;
    Ok(Export {
        exported_at: Utc::now(),
        account: read(pool, session).await?,
        consents,
        homes: my_homes::list(pool, session.account).await?,
    })
}

/// A picture that was sent from the address of `session`, as JPEG.
pub async fn picture(pool: &PgPool, session: &Session, id: Uuid) -> Result<Option<Vec<u8>>, Error> {
    let jpeg = sqlx::query_scalar!(
        "select p.jpeg from visitor.picture p join visitor.enquiry e on e.id = p.enquiry
         where p.id = $1 and lower(e.email) = lower($2)",
        id,
        session.email,
    );
    Ok(jpeg.fetch_optional(pool).await?)
}

/// What happens when an account is deleted, as the stream calls it.
pub const ACCOUNT_DELETED: &str = "account.deleted";

/// Erases the accounts of `deleted` once more: a backup that was made before has brought them back.
/// How many it had.
pub async fn erase_again(pool: &PgPool, deleted: &[Uuid]) -> Result<u64, Error> {
    sqlx::query!(
        "delete from visitor.sign_in where lower(email) in
            (select lower(email) from visitor.account where id = any($1))",
        deleted,
    )
    .execute(pool)
    .await?;
    let erased = sqlx::query!("delete from visitor.account where id = any($1)", deleted)
        .execute(pool)
        .await?;
    Ok(erased.rows_affected())
}

/// Deletes the account of `session` with all that hangs on it. What was asked of the office stays with
/// the office, as letters do.
pub async fn delete(pool: &PgPool, session: &Session) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    sqlx::query!("delete from visitor.sign_in where lower(email) = lower($1)", session.email)
        .execute(&mut *transaction)
        .await?;
    sqlx::query!("delete from visitor.account where id = $1", session.account)
        .execute(&mut *transaction)
        .await?;
    crate::events::record(&mut transaction, ACCOUNT_DELETED, session.account).await?;
    transaction.commit().await?;
    Ok(())
}
