//! Jobs for stored rows. A job is claimed with a lease, done without an open transaction, and retried for
//! two days.

mod dispatch;
mod gauges;
mod job;
mod operate;
mod queue;
mod workers;

pub use self::{
    job::{JobKind, JobState, job_created_at},
    operate::{
        JobSelector, UnfinishedJob, retry_by_id, retry_jobs, undelivered_visitor_mails,
        unfinished_jobs,
    },
    workers::Workers,
};
