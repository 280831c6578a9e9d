//! The mailing list of visitors who want news and offers. The list is queried for each mailing, so that
//! withdrawals take effect.

use chrono::{DateTime, Utc};
use runtime::postgres::with_answer_timeout;
use sqlx::PgPool;

use crate::Error;

/// A visitor who wants news and offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailingListEntry {
    /// The mail address.
    pub email: String,
    /// The visitor's language: that of the account or, without one, of the text that they agreed to.
    pub locale: String,
    /// When they last gave their consent.
    pub given_at: DateTime<Utc>,
}

/// Returns each visitor once, ordered by address. An enquiry that a program may have sent counts only if
/// an account proves its address, which may otherwise be anybody's. Visitors who left only a telephone
/// number are not included.
pub async fn mailing_list(pool: &PgPool) -> Result<Vec<MailingListEntry>, Error> {
    let readers = sqlx::query_as!(
        MailingListEntry,
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
    Ok(with_answer_timeout(readers.fetch_all(pool)).await?)
}
