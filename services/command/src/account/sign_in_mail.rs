//! The mail with a sign-in link and code.

use contracts::Locale;
use credentials::Secret;
use rand::Rng as _;
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;
use uuid::Uuid;

use crate::Error;

/// A link and a code for one mail.
#[derive(Debug)]
pub struct SignInMail {
    /// The mail address.
    pub email: String,
    /// The account's name. A name that was typed with the request is not verified.
    pub name: Option<String>,
    /// The recipient's language.
    pub locale: Locale,
    /// Whether there is no account yet; using the link or the code creates one.
    pub is_new: bool,
    /// The token that the link ends with.
    pub link: Secret,
    /// Six digits.
    pub code: String,
}

impl SignInMail {
    /// Creates a link and a code for the sign-in `id`. Returns `None` if it was used or has expired.
    /// Those of a mail that was sent before stay valid, because it may arrive too.
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
            code_hash(id, &code),
        )
        .fetch_optional(pool)
        .await?;
        Ok(row.map(|row| {
            let locale: Locale = row.locale.parse().unwrap_or_default();
            Self { email: row.email, name: row.name, locale, is_new: row.is_new, link, code }
        }))
    }
}

/// Generates a code of six digits.
fn new_code() -> String {
    format!("{:06}", rand::rng().random_range(0..1_000_000))
}

/// Returns the stored hash of a code of the sign-in `id`.
pub(super) fn code_hash(id: Uuid, code: &str) -> Vec<u8> {
    Sha256::new().chain_update(id.as_bytes()).chain_update(code).finalize().to_vec()
}
