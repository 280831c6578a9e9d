//! Whether everything that visitors sent has reached whom it is for.

use runtime::postgres::answered;
use sqlx::PgPool;

use crate::Error;

/// What stands in the schema `visitor`, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Enquiries that are kept.
    pub enquiries: i64,
    /// Accounts.
    pub accounts: i64,
    /// Searches whose owners want to hear of them.
    pub searches: i64,
    /// Mails and items that wait for their time or for another try.
    pub waiting: i64,
    /// Those that can't be done: `visitor.job` says why.
    pub failed: i64,
    /// Mails that the mailboxes of visitors don't take, at once or later, or of which nobody knows whether
    /// they have them. Nobody can mend that here.
    pub refused: i64,
    /// Those whose time was over an hour ago.
    pub overdue: i64,
    /// Enquiries of the last four weeks that the office was never to be told of.
    pub untold: i64,
    /// Events that should have been on the stream a minute ago.
    pub unpublished: i64,
    /// The last message of the content log that saved searches were held against.
    pub matched: i64,
}

impl Verified {
    /// Whether nobody has to look after anything.
    pub const fn is_well(&self) -> bool {
        self.failed + self.overdue + self.untold + self.unpublished == 0
    }
}

/// Looks at what stands in `pool`. Items of the content service are made only where it `has_items`.
pub async fn verify(pool: &PgPool, has_items: bool) -> Result<Verified, Error> {
    let verified = sqlx::query_as!(
        Verified,
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
    Ok(answered(verified.fetch_one(pool)).await?)
}
