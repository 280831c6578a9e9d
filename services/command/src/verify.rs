//! Checks whether everything that visitors sent has been delivered.

use runtime::postgres::with_answer_timeout;
use sqlx::PgPool;

use crate::Error;

/// The counts of rows in the schema `visitor`, and of problems among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyReport {
    /// Stored enquiries.
    pub enquiries: i64,
    /// Accounts.
    pub accounts: i64,
    /// Saved searches whose owners want mails.
    pub searches: i64,
    /// Mails and items that wait until they are due, or for a retry.
    pub waiting: i64,
    /// Mails and items that have failed; `visitor.job` has the reason.
    pub failed: i64,
    /// Mails that visitors' mailboxes refused or bounced, or that may not have arrived. Operators can't
    /// fix those.
    pub refused: i64,
    /// Mails and items that have been due for more than an hour.
    pub overdue: i64,
    /// Enquiries of the last four weeks that have no mail to the office.
    pub untold: i64,
    /// Events that are not published a minute after they were recorded.
    pub unpublished: i64,
    /// The last sequence of the content log that was matched with saved searches.
    pub matched: i64,
}

impl VerifyReport {
    /// Whether nothing needs an operator's attention.
    pub const fn is_healthy(&self) -> bool {
        self.failed + self.overdue + self.untold + self.unpublished == 0
    }
}

/// Checks the database of `pool`. Jobs for the content service count only if it `has_items`.
pub async fn verify(pool: &PgPool, has_items: bool) -> Result<VerifyReport, Error> {
    let verified = sqlx::query_as!(
        VerifyReport,
        r#"select
            (select count(*) from visitor.enquiry) as "enquiries!",
            (select count(*) from visitor.account) as "accounts!",
            (select count(*) from visitor.saved_search
             where confirmed_at is not null and frequency <> 'never') as "searches!",
            (select count(*) from visitor.job
             where state = 'due' and (kind <> 'content_item' or $1)) as "waiting!",
            (select count(*) from visitor.job where state = 'failed') as "failed!",
            (select count(*) from visitor.job
             where state in ('refused', 'bounced')) as "refused!",
            (select count(*) from visitor.job
             where state = 'due' and due_at < now() - interval '1 hour'
               and (kind <> 'content_item' or $1)) as "overdue!",
            (select count(*) from visitor.enquiry e
             where received_at > now() - interval '28 days' and not exists (
                select from visitor.job j where j.enquiry = e.id and j.kind = 'office_mail'))
                as "untold!",
            (select count(*) from visitor.event
             where published_at is null and created_at < now() - interval '1 minute')
                as "unpublished!",
            coalesce((select sequence from visitor.alert_checkpoint), 0) as "matched!""#,
        has_items,
    );
    Ok(with_answer_timeout(verified.fetch_one(pool)).await?)
}
