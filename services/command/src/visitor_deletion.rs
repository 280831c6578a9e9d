//! What visitors ended or deleted. It is repeated after an older backup was restored.

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::Error;

/// A kind of deletion or withdrawal by a visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitorDeletion {
    /// An account was deleted.
    AccountDeleted,
    /// A saved search was deleted.
    SearchDeleted,
    /// Mails about a saved search were ended.
    SearchEnded,
    /// A consent was withdrawn. Its subject is what it was given with: an account or an enquiry.
    ConsentWithdrawn,
    /// A settled enquiry was blocked because the account of its address was deleted.
    EnquiryBlocked,
}

impl VisitorDeletion {
    /// All kinds, in the order in which they are repeated: consents are withdrawn before the rows that
    /// they were given with are deleted, and enquiries are blocked with their original date before their
    /// account is deleted.
    pub const ALL: [Self; 5] = [
        Self::ConsentWithdrawn,
        Self::EnquiryBlocked,
        Self::AccountDeleted,
        Self::SearchDeleted,
        Self::SearchEnded,
    ];

    /// Returns the event kind on the stream.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::AccountDeleted => "account.deleted",
            Self::SearchDeleted => "search.deleted",
            Self::SearchEnded => "search.ended",
            Self::ConsentWithdrawn => "consent.withdrawn",
            Self::EnquiryBlocked => "enquiry.blocked",
        }
    }

    /// Whether it can't be undone: a visitor can only start again, under a new id.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::AccountDeleted | Self::SearchDeleted | Self::EnquiryBlocked)
    }

    /// Repeats it for the rows in `ended`, each with the time when it first happened. Returns the number
    /// of affected rows.
    pub async fn reapply(
        self,
        pool: &PgPool,
        ended: &[(Uuid, DateTime<Utc>)],
    ) -> Result<u64, Error> {
        let (ids, times): (Vec<Uuid>, Vec<DateTime<Utc>>) = ended.iter().copied().unzip();
        let statement = match self {
            Self::AccountDeleted => {
                sqlx::query!(
                    "delete from visitor.sign_in where lower(email) in
                        (select lower(email) from visitor.account where id = any($1))",
                    &ids,
                )
                .execute(pool)
                .await?;
                sqlx::query!("delete from visitor.account where id = any($1)", &ids)
            }
            Self::SearchDeleted => {
                sqlx::query!("delete from visitor.saved_search where id = any($1)", &ids)
            }
            Self::SearchEnded => {
                sqlx::query!(
                    "update visitor.consent set withdrawn_at = now()
                     where saved_search = any($1) and withdrawn_at is null",
                    &ids,
                )
                .execute(pool)
                .await?;
                sqlx::query!(
                    "update visitor.saved_search
                     set frequency = 'never', confirmations = '{}', wanted = '{}',
                         wanted_frequency = null, changed_at = now()
                     where id = any($1) and frequency <> 'never'",
                    &ids,
                )
            }
            Self::ConsentWithdrawn => sqlx::query!(
                "update visitor.consent c set withdrawn_at = ended.at
                 from (select id, max(at) as at
                       from unnest($1::uuid[], $2::timestamptz[]) as ended (id, at)
                       group by id) as ended
                 where coalesce(c.account, c.enquiry) = ended.id
                   and c.withdrawn_at is null and c.given_at < ended.at",
                &ids,
                &times,
            ),
            // Does what the trigger on deleted accounts does, whatever state the enquiries have in the
            // backup.
            Self::EnquiryBlocked => sqlx::query!(
                "with ended as (
                    select id, min(at) as at
                    from unnest($1::uuid[], $2::timestamptz[]) as ended (id, at)
                    group by id),
                 gone as (
                    delete from visitor.enquiry where id = any($1) returning *),
                 blocked as (
                    insert into visitor.blocked_enquiry (id, enquiry, blocked_at)
                    select gone.id, to_jsonb(gone), ended.at
                    from gone join ended on ended.id = gone.id
                    on conflict do nothing)
                 insert into visitor.item_to_delete (id)
                 select id from gone
                 on conflict do nothing",
                &ids,
                &times,
            ),
        };
        Ok(statement.execute(pool).await?.rows_affected())
    }
}
