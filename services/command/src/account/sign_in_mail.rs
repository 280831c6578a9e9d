//! What is mailed to whoever wants to be signed in.

use contracts::Locale;
use credentials::Secret;
use rand::Rng as _;
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;
use uuid::Uuid;

use crate::Error;

/// A link and a code, made for one mail.
#[derive(Debug)]
pub struct SignInMail {
    /// Where it goes.
    pub email: String,
    /// The account's: what was typed beside the address is nobody's yet.
    pub name: Option<String>,
    /// Its reader's language.
    pub locale: Locale,
    /// Whether there is no account yet: using either opens one.
    pub is_new: bool,
    /// What the link ends with.
    pub link: Secret,
    /// Six digits.
    pub code: String,
}

impl SignInMail {
    /// Makes a link and a code for the sign-in `id`, unless its time is over. Those of a mail that was
    /// sent before stay good, for it may arrive too.
    pub async fn new(pool: &PgPool, id: Uuid) -> Result<Option<Self>, Error> {
        let (link, code) = (Secret::random(), new_code());
        let row = sqlx::query!(
            r#"update visitor.sign_in s
             set links = links || array[$2::bytea], codes = codes || array[$3::bytea]
             where id = $1 and used_at is null and expires_at > now()
             returning email, locale,
                (select a.name from visitor.account a
                 where lower(a.email) = lower(s.email)) as name,
                not exists (select from visitor.account a
                            where lower(a.email) = lower(s.email)) as "is_new!""#,
            id,
            link.hash(),
            hash_of_code(id, &code),
        )
        .fetch_optional(pool)
        .await?;
        Ok(row.map(|row| {
            let locale: Locale = row.locale.parse().unwrap_or_default();
            Self { email: row.email, name: row.name, locale, is_new: row.is_new, link, code }
        }))
    }
}

/// Six digits, to be typed.
fn new_code() -> String {
    format!("{:06}", rand::rng().random_range(0..1_000_000))
}

/// A code as it is kept for the sign-in `id`.
pub(super) fn hash_of_code(id: Uuid, code: &str) -> Vec<u8> {
    Sha256::new().chain_update(id.as_bytes()).chain_update(code).finalize().to_vec()
}
