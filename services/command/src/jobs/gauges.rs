//! The gauges of the queue.

use std::time::Duration;

use runtime::{
    Check, error_text,
    postgres::{is_missing_tables, with_answer_timeout},
};

use super::{JobKind, operate::undelivered_visitor_mails, queue::Queue};
use crate::Error;

/// How often the gauges are updated.
const INTERVAL: Duration = Duration::from_secs(3);

impl Queue {
    /// Updates the gauges about jobs of these `kinds`, and the database check, which fails if Postgres
    /// does not answer or take writes. Returns when the tables are gone.
    pub(super) async fn report(&self, kinds: &[JobKind], database: &Check) -> Error {
        loop {
            match with_answer_timeout(self.update_gauges(kinds)).await {
                Ok(()) => match self.storage.check_writes().await {
                    Ok(()) => database.ready(),
                    Err(error) => database.not_ready(error_text(&error)),
                },
                Err(Error::Database(error)) if is_missing_tables(&error) => {
                    return Error::NoTables(error);
                }
                Err(error) => database.not_ready(error_text(&error)),
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    async fn update_gauges(&self, kinds: &[JobKind]) -> Result<(), Error> {
        let pool = self.storage.pool();
        let counted = sqlx::query!(
            r#"select count(*) filter (where job.state = 'due') as "due!",
                      count(*) filter (where job.state = 'failed') as "failed!",
                      coalesce(extract(epoch from clock_timestamp()
                          - min(e.received_at) filter (where job.state = 'due')), 0)::float8
                          as "oldest!"
               from visitor.job left join visitor.enquiry as e on e.id = enquiry
               where job.kind = any($1) and job.state in ('due', 'failed')"#,
            &JobKind::names(kinds),
        )
        .fetch_one(pool)
        .await?;
        let undelivered = undelivered_visitor_mails(pool).await?;
        let figure = |count: i64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        for (state, count) in [("due", counted.due), ("failed", counted.failed)] {
            metrics::gauge!("command_jobs", "state" => state).set(figure(count));
        }
        metrics::gauge!("command_visitor_mails_undelivered").set(figure(undelivered));
        metrics::gauge!("command_jobs_oldest_seconds").set(counted.oldest);
        Ok(())
    }
}
