//! Stores an enquiry with its event and its jobs in one transaction.

use chrono::{DateTime, Utc};
use rand::Rng as _;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::{PgPool, Postgres, Transaction};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Enquiry, picture};
use crate::{
    Error,
    consent::{self, ConsentSource, Submission},
    events::{self, EventKind},
    jobs::JobKind,
    read_api::Home,
};

/// Digits and letters that can't be confused (Crockford's Base32).
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// The maximum number of confirmation mails to one mailbox in an hour: anybody can write any address into
/// the form.
const MAX_THANKS: i64 = 3;

/// The receipt of an enquiry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The enquiry's reference: `E-7K3QX9`.
    #[schema(pattern = "^E-[0-9A-HJKMNP-TV-Z]{6}$")]
    pub reference: String,
    /// When the enquiry was stored.
    pub received_at: DateTime<Utc>,
}

/// The result of storing an enquiry.
#[derive(Clone, Debug)]
pub enum Received {
    /// It was stored.
    New(Receipt),
    /// It was stored before.
    Duplicate(Receipt),
    /// Its idempotency key was used for another enquiry.
    KeyReused,
    /// One of its pictures does not exist, or belongs to another enquiry.
    PictureUnknown,
}

/// Stores `enquiry`, unless it was stored before under the same idempotency `key`. Without a key, the
/// same content from the same sender is the same enquiry for a day.
pub async fn store(
    pool: &PgPool,
    enquiry: &Enquiry,
    home: Option<&Home>,
    key: Option<&str>,
    submission: &Submission,
) -> Result<Received, Error> {
    let (key, fingerprint) = identity(enquiry, key);
    let id = Uuid::now_v7();
    let mut transaction = pool.begin().await?;
    // A concurrent request with the same key waits here until the first one is stored.
    let claimed = sqlx::query_scalar!(
        "insert into visitor.idempotency_key (key, fingerprint, enquiry, expires_at)
         values ($1, $2, $3, now() + interval '1 day')
         on conflict (key) do update
         set fingerprint = excluded.fingerprint, enquiry = excluded.enquiry,
             expires_at = excluded.expires_at
         where idempotency_key.expires_at < now()
         returning enquiry",
        &key,
        &fingerprint,
        id,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if claimed.is_none() {
        let duplicate = find_duplicate(&mut transaction, &key, &fingerprint, enquiry, submission);
        let received = duplicate.await?.ok_or(sqlx::Error::RowNotFound)?;
        transaction.commit().await?;
        return Ok(received);
    }
    let receipt = insert(&mut transaction, id, enquiry, home, submission).await?;
    if enquiry.marketing_consent {
        let with = ConsentSource::Enquiry(id);
        consent::give(&mut transaction, with, enquiry.locale, submission, None).await?;
    }
    let pictures = enquiry.valued.as_ref().map_or(&[][..], |valued| &valued.pictures);
    if !picture::attach(&mut transaction, id, pictures).await? {
        return Ok(Received::PictureUnknown);
    }
    let jobs = jobs(&mut transaction, id, enquiry).await?;
    for kind in jobs {
        sqlx::query!(
            "insert into visitor.job (id, enquiry, kind, traceparent) values ($1, $2, $3, $4)",
            Uuid::now_v7(),
            id,
            kind.name(),
            runtime::telemetry::traceparent(),
        )
        .execute(&mut *transaction)
        .await?;
    }
    events::record(&mut transaction, EventKind::EnquiryReceived, id).await?;
    transaction.commit().await?;
    Ok(Received::New(receipt))
}

/// Returns the first answer to `enquiry`, if it was stored before under the same `key` or, without one,
/// with the same content.
pub async fn find_stored(
    pool: &PgPool,
    enquiry: &Enquiry,
    key: Option<&str>,
    submission: &Submission,
) -> Result<Option<Received>, Error> {
    let (key, fingerprint) = identity(enquiry, key);
    let mut transaction = pool.begin().await?;
    let found = find_duplicate(&mut transaction, &key, &fingerprint, enquiry, submission).await?;
    transaction.commit().await?;
    Ok(found)
}

async fn find_duplicate(
    transaction: &mut Transaction<'_, Postgres>,
    key: &[u8],
    fingerprint: &[u8],
    enquiry: &Enquiry,
    submission: &Submission,
) -> Result<Option<Received>, Error> {
    let before = sqlx::query!(
        "select k.fingerprint, e.id, e.reference, e.received_at
         from visitor.idempotency_key k join visitor.enquiry e on e.id = k.enquiry
         where k.key = $1 and k.expires_at >= now()",
        key,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    let Some(before) = before else { return Ok(None) };
    if before.fingerprint != fingerprint {
        return Ok(Some(Received::KeyReused));
    }
    // The same enquiry may be sent again, this time with consent.
    if enquiry.marketing_consent {
        let with = ConsentSource::Enquiry(before.id);
        consent::give(transaction, with, enquiry.locale, submission, None).await?;
    }
    Ok(Some(Received::Duplicate(Receipt {
        reference: before.reference,
        received_at: before.received_at,
    })))
}

async fn insert(
    transaction: &mut Transaction<'_, Postgres>,
    id: Uuid,
    enquiry: &Enquiry,
    home: Option<&Home>,
    submission: &Submission,
) -> Result<Receipt, Error> {
    let valued = enquiry.valued.as_ref();
    loop {
        let reference = new_reference();
        let received_at = sqlx::query_scalar!(
            "insert into visitor.enquiry
                (id, reference, kind, locale, name, email, phone, mobile, message, home_reference,
                 home_title, home_price, home_path, times, suspect, address, property_kind,
                 built_area, page, privacy_version)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                     $18, $19, $20)
             on conflict (reference) do nothing
             returning received_at",
            id,
            &reference,
            enquiry.kind.name(),
            enquiry.locale.code(),
            &enquiry.name,
            enquiry.email.as_deref(),
            enquiry.phone.as_deref(),
            enquiry.mobile.as_deref(),
            enquiry.message.as_deref(),
            enquiry.home.as_ref().map(ToString::to_string),
            home.map(|home| home.title.as_str()),
            home.and_then(|home| home.price),
            home.map(|home| home.url.as_str()),
            &enquiry.times,
            enquiry.suspect,
            valued.map(|valued| valued.address.as_str()),
            valued.map(|valued| valued.kind.name()),
            valued.and_then(|valued| valued.built_area).and_then(|area| i32::try_from(area).ok()),
            submission.page.as_deref(),
            consent::privacy_version()?,
        )
        .fetch_optional(&mut **transaction)
        .await?;
        let Some(received_at) = received_at else { continue };
        return Ok(Receipt { reference, received_at });
    }
}

/// Returns the jobs for `enquiry`.
async fn jobs(
    transaction: &mut Transaction<'_, Postgres>,
    id: Uuid,
    enquiry: &Enquiry,
) -> Result<Vec<JobKind>, Error> {
    let mut jobs = vec![JobKind::OfficeMail, JobKind::ContentItem];
    let Some(email) = enquiry.email.as_deref().filter(|_| enquiry.suspect.is_none()) else {
        return Ok(jobs);
    };
    // One transaction at a time for a mailbox, as for sign-in mails, so that concurrent enquiries are
    // counted too.
    sqlx::query_scalar!(
        "select pg_advisory_xact_lock(hashtextextended(visitor.mailbox($1), 1))",
        email,
    )
    .fetch_one(&mut **transaction)
    .await?;
    let lately = sqlx::query_scalar!(
        r#"select count(*) as "count!" from visitor.enquiry
         where visitor.mailbox(email) = visitor.mailbox($1) and id <> $2
           and received_at > now() - interval '1 hour'"#,
        email,
        id,
    )
    .fetch_one(&mut **transaction)
    .await?;
    if lately < MAX_THANKS {
        jobs.push(JobKind::VisitorMail);
    }
    Ok(jobs)
}

/// Returns the hashed key by which `enquiry` is stored once, and its fingerprint. Without a `key` the
/// fingerprint is the key.
fn identity(enquiry: &Enquiry, key: Option<&str>) -> (Vec<u8>, Vec<u8>) {
    let fingerprint = fingerprint(enquiry);
    let key = match key {
        Some(key) => Sha256::new().chain_update(b"key\0").chain_update(key).finalize().to_vec(),
        None => {
            Sha256::new().chain_update(b"sent\0").chain_update(&fingerprint).finalize().to_vec()
        }
    };
    (key, fingerprint)
}

/// Returns a hash that is the same for the same enquiry, whenever and however it is sent.
fn fingerprint(enquiry: &Enquiry) -> Vec<u8> {
    let Enquiry { kind, name, email, phone, mobile, message, home, times, valued, .. } = enquiry;
    let texts = [
        Some(kind.name().to_owned()),
        Some(name.clone()),
        email.clone(),
        phone.clone(),
        mobile.clone(),
        message.clone(),
        home.as_ref().map(ToString::to_string),
        valued.as_ref().map(|valued| valued.address.clone()),
    ];
    let valued = valued.iter().flat_map(|valued| {
        [
            Some(valued.kind.name().to_owned()),
            valued.built_area.map(|area| area.to_string()),
            // Pictures get new ids each time they are uploaded, so only their number counts.
            Some(valued.pictures.len().to_string()),
        ]
    });
    let times = times.iter().map(|time| Some(time.to_string()));
    let mut hash = Sha256::new();
    for text in texts.into_iter().chain(valued).chain(times) {
        // No field contains the character that ends each part.
        hash.update(text.unwrap_or_default());
        hash.update([0]);
    }
    hash.finalize().to_vec()
}

fn new_reference() -> String {
    let mut random = rand::rng();
    let letters = (0..6).map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())]));
    format!("E-{}", letters.collect::<String>())
}
