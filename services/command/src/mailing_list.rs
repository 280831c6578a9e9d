//! Who wants news and offers by mail: whoever writes to them asks for it each time, so that a withdrawal counts.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::Error;

/// Somebody who wants news and offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// Where mails go.
    pub email: String,
    /// Their language: that of the account or, without one, of the words that they agreed to.
    pub locale: String,
    /// When they said so last.
    pub given_at: DateTime<Utc>,
}

/// Each of them once, by the address. Without an account, whose enquiry a program may have sent is not among them,
/// for the address may be anybody's: an account proves it. Nor is who left a number alone.
pub async fn mailing_list(pool: &PgPool) -> Result<Vec<Reader>, Error> {
    let readers = sqlx::query_as!(
        Reader,
        r#"select distinct on (lower(coalesce(a.email, e.email)))
               coalesce(a.email, e.email) as "email!", coalesce(a.locale, c.locale) as "locale!",
               c.given_at as "given_at!"
           from visitor.consent c
           left join visitor.enquiry e on e.id = c.enquiry
           left join visitor.account a on a.id = c.account or lower(a.email) = lower(e.email)
           where c.purpose = 'marketing' and c.withdrawn_at is null
             and coalesce(a.email, e.email) is not null
             and (a.id is not null or e.suspect is null)
           order by lower(coalesce(a.email, e.email)), c.given_at desc"#,
    );
    Ok(readers.fetch_all(pool).await?)
}
