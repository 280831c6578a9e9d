//! A job, its kinds, and what happens to it after an attempt.

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::Rng as _;
use runtime::telemetry;
use tracing::Span;
use uuid::Uuid;

use crate::{mail::Outcome, reason::MAY_HAVE_ARRIVED};

/// The pause before the first retry. It doubles with each attempt, up to the maximum.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const MAX_PAUSE: Duration = Duration::from_hours(1);
/// The minimum pause before a mail that may have arrived is sent again: whatever kept the server from
/// answering should be over by then. It has to be well below the 15 minutes for which a sign-in link is
/// valid.
const UNCERTAIN_PAUSE: Duration = Duration::from_secs(150);
/// The same for mails that can wait until the morning.
const DEFERRABLE_UNCERTAIN_PAUSE: Duration = Duration::from_mins(20);
/// How long after the request the attempts are part of its trace.
const TRACE_LIMIT: Duration = Duration::from_secs(10);
/// The first ten attempts take an hour, and each of the others one more hour: two days in total.
const MAX_ATTEMPTS: i32 = 58;

/// A kind of job: for an enquiry, a sign-in, a saved search or homes that it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// A mail about an enquiry to the office.
    OfficeMail,
    /// A mail to an enquiry's sender that it has arrived.
    VisitorMail,
    /// An enquiry's item in the content service, where the office works.
    ContentItem,
    /// A mail with a sign-in link and code.
    SignInMail,
    /// A mail that asks the owner of a mailbox to confirm mails about a search.
    ConfirmMail,
    /// A mail about homes that a search found.
    AlertMail,
    /// A mail that asks a subscriber after a year whether mails are still wanted.
    RenewalMail,
}

impl JobKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::OfficeMail,
        Self::VisitorMail,
        Self::ContentItem,
        Self::SignInMail,
        Self::ConfirmMail,
        Self::AlertMail,
        Self::RenewalMail,
    ];

    /// Whether it is a mail to a visitor.
    pub(crate) const fn is_for_visitors(self) -> bool {
        !matches!(self, Self::OfficeMail | Self::ContentItem)
    }

    /// Whether it is not sent at night, because it can wait until the morning.
    pub(super) const fn is_deferrable(self) -> bool {
        matches!(self, Self::AlertMail | Self::RenewalMail)
    }

    /// Returns the kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the names of `kinds`, as statements take them.
    pub(crate) fn names(kinds: &[Self]) -> Vec<String> {
        kinds.iter().map(|kind| kind.name().to_owned()).collect()
    }

    /// Returns the name that the table stores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OfficeMail => "office_mail",
            Self::VisitorMail => "visitor_mail",
            Self::ContentItem => "content_item",
            Self::SignInMail => "sign_in_mail",
            Self::ConfirmMail => "confirm_mail",
            Self::AlertMail => "alert_mail",
            Self::RenewalMail => "renewal_mail",
        }
    }
}

/// The state of a job that is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It waits until it is due, or is being done.
    Due,
    /// It is given up, and operators can fix why.
    Failed,
    /// It is given up because of a visitor's mailbox.
    Refused,
}

impl JobState {
    /// Returns the name that the table stores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Due => "due",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// What became of a job that is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FinalOutcome {
    /// It could not be done for two days.
    Failed,
    /// It can never be done: it was refused, or has no address, or nobody waits for it any more.
    Refused,
    /// It is a mail that may have arrived.
    Uncertain,
}

impl FinalOutcome {
    /// Returns the name that the table stores.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Uncertain => "uncertain",
        }
    }
}

/// A claimed job and its lease.
pub(super) struct Job {
    pub(super) id: Uuid,
    /// The id of the enquiry, sign-in, saved search or alert mail.
    pub(super) subject: Uuid,
    pub(super) kind: JobKind,
    pub(super) attempts: i32,
    pub(super) fence: i32,
    pub(super) is_uncertain: bool,
    /// The trace of the request that queued it.
    pub(super) traceparent: Option<String>,
}

impl Job {
    /// Returns the span of an attempt: part of the trace of the request that queued the job, or linked
    /// to it if that was long ago.
    pub(super) fn span(&self) -> Span {
        let span = tracing::info_span!(
            parent: None,
            "job",
            otel.name = self.kind.name(),
            id = %self.id,
            attempt = self.attempts,
        );
        let age = job_created_at(self.id).and_then(|at| (Utc::now() - at).to_std().ok());
        let is_part = age.is_none_or(|age| age < TRACE_LIMIT);
        let link = if is_part { telemetry::link_parent } else { telemetry::link_cause };
        link(&span, self.traceparent.as_deref());
        span
    }

    /// Returns what happens to the job after this `outcome`, and logs it if an operator should know.
    pub(super) fn disposition(&self, outcome: Outcome) -> Disposition {
        let (id, kind) = (self.id, self.kind.name());
        match outcome {
            Outcome::Done => Disposition::Done,
            Outcome::NothingToDo => Disposition::NothingToDo,
            // Sent at most twice: a mail that may have arrived is not repeated for days. Somebody has to
            // check whether the office has its mail, so it counts as failed. Visitors' mails, which may
            // be many, are reported once by this log line and count as refused.
            Outcome::Uncertain(reason) if self.is_uncertain => {
                metrics::counter!("command_jobs_uncertain_total", "kind" => kind).increment(1);
                let reason = format!("{MAY_HAVE_ARRIVED}, and was sent twice: {reason}");
                tracing::error!(%id, kind, %reason, "whether the mail arrived is unknown after two attempts");
                Disposition::GivenUp { outcome: FinalOutcome::Uncertain, status: None, reason }
            }
            Outcome::Uncertain(reason) => Disposition::Retry { is_uncertain: true, reason },
            Outcome::Retry(reason) if self.attempts < MAX_ATTEMPTS => {
                tracing::info!(%id, kind, attempt = self.attempts, %reason, "a delivery failed and will be retried");
                Disposition::Retry { is_uncertain: false, reason }
            }
            Outcome::Retry(reason) => {
                tracing::error!(%id, kind, %reason, "a delivery failed and is given up");
                Disposition::GivenUp { outcome: FinalOutcome::Failed, status: None, reason }
            }
            Outcome::Refused { status, reason } => {
                if self.kind.is_for_visitors() {
                    tracing::info!(%id, kind, %reason, "the mailbox refused the mail");
                } else {
                    tracing::error!(%id, kind, %reason, "a delivery failed and is given up");
                }
                Disposition::GivenUp { outcome: FinalOutcome::Refused, status, reason }
            }
        }
    }

    /// Returns the state of the job when it is given up with this `outcome`. Operators can't fix a
    /// visitor's mailbox that refuses a mail.
    pub(super) const fn state_after(&self, outcome: FinalOutcome) -> JobState {
        match outcome {
            FinalOutcome::Refused | FinalOutcome::Uncertain if self.kind.is_for_visitors() => {
                JobState::Refused
            }
            _ => JobState::Failed,
        }
    }

    /// Returns the pause before the next attempt. `is_uncertain` tells whether the last one may have
    /// sent the mail.
    pub(super) fn pause(&self, is_uncertain: bool) -> Duration {
        let min_pause = match (is_uncertain, self.kind.is_deferrable()) {
            (false, _) => Duration::ZERO,
            (true, false) => UNCERTAIN_PAUSE,
            (true, true) => DEFERRABLE_UNCERTAIN_PAUSE,
        };
        pause(self.attempts, min_pause)
    }

    /// Records the time from the job's creation to this `outcome`.
    pub(super) fn record_duration(&self, outcome: &'static str) {
        let Some(made) = job_created_at(self.id) else { return };
        let took = (Utc::now() - made).to_std().unwrap_or_default().as_secs_f64();
        metrics::histogram!("command_job_seconds", "kind" => self.kind.name(), "outcome" => outcome)
            .record(took);
    }
}

/// Returns when the job was created, from the timestamp in its id (UUID version 7).
pub fn job_created_at(id: Uuid) -> Option<DateTime<Utc>> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanoseconds)
}

/// What happens to a job after an attempt.
pub(super) enum Disposition {
    Done,
    NothingToDo,
    Retry {
        is_uncertain: bool,
        reason: String,
    },
    GivenUp {
        outcome: FinalOutcome,
        /// The code with which the mail server refused the mail, if it did.
        status: Option<String>,
        reason: String,
    },
}

/// Returns the pause after the `attempts`th attempt, at least `min_pause`, with a jitter of a quarter:
/// jobs that failed together should not be retried together.
fn pause(attempts: i32, min_pause: Duration) -> Duration {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or_default().min(16);
    let pause = FIRST_PAUSE.saturating_mul(1 << doublings).min(MAX_PAUSE).max(min_pause);
    pause.mul_f64(rand::rng().random_range(0.75..1.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_job_contains_its_creation_time() {
        let made = job_created_at(Uuid::now_v7()).expect("a time");
        assert!((Utc::now() - made).num_seconds() < 60);
        assert_eq!(job_created_at(Uuid::new_v4()), None);
    }

    #[test]
    fn a_job_is_retried_for_two_days() {
        let pause = |attempts| pause(attempts, Duration::ZERO);
        assert!(pause(1) < Duration::from_secs(7));
        assert!(pause(40) > Duration::from_mins(44));
        let all: Duration = (1..MAX_ATTEMPTS).map(pause).sum();
        assert!((Duration::from_hours(40)..Duration::from_hours(60)).contains(&all), "{all:?}");
    }

    fn job(kind: JobKind, is_uncertain: bool) -> Job {
        let [id, subject] = [Uuid::now_v7(), Uuid::nil()];
        Job { id, subject, kind, attempts: 1, fence: 1, is_uncertain, traceparent: None }
    }

    #[test]
    fn an_uncertain_mail_is_sent_again_when_an_outage_should_be_over() {
        for (kind, seconds) in
            [(JobKind::SignInMail, 100..200), (JobKind::AlertMail, 15 * 60..26 * 60)]
        {
            let job = job(kind, false);
            let disposition = job.disposition(Outcome::Uncertain("no answer".to_owned()));
            assert!(
                matches!(disposition, Disposition::Retry { is_uncertain: true, .. }),
                "{kind:?}"
            );
            let waits = job.pause(true).as_secs();
            assert!(seconds.contains(&waits), "{kind:?}: {waits} s");
            assert!(job.pause(false) < Duration::from_secs(7), "{kind:?}");
        }
    }

    #[test]
    fn a_mail_that_is_uncertain_twice_does_not_count_as_done() {
        for kind in JobKind::ALL {
            let job = job(kind, true);
            let disposition = job.disposition(Outcome::Uncertain("no answer".to_owned()));
            let Disposition::GivenUp { outcome, reason, .. } = disposition else {
                panic!("{kind:?}")
            };
            assert_eq!(outcome, FinalOutcome::Uncertain, "{kind:?}");
            assert_eq!(job.state_after(outcome), given_up_state(kind), "{kind:?}");
            assert!(reason.starts_with(MAY_HAVE_ARRIVED), "{kind:?}: {reason}");
        }
    }

    fn given_up_state(kind: JobKind) -> JobState {
        match kind {
            JobKind::OfficeMail | JobKind::ContentItem => JobState::Failed,
            _ => JobState::Refused,
        }
    }

    #[test]
    fn only_a_visitors_mailbox_counts_as_refused() {
        for kind in JobKind::ALL {
            let job = job(kind, false);
            let (status, reason) = (Some("5.1.1".to_owned()), "no such mailbox".to_owned());
            let disposition = job.disposition(Outcome::Refused { status: status.clone(), reason });
            let Disposition::GivenUp { outcome, status: stored, .. } = disposition else {
                panic!("{kind:?}")
            };
            assert_eq!((outcome, stored), (FinalOutcome::Refused, status), "{kind:?}");
            assert_eq!(job.state_after(outcome), given_up_state(kind), "{kind:?}");
            assert_eq!(job.state_after(FinalOutcome::Failed), JobState::Failed, "{kind:?}");
        }
    }
}
