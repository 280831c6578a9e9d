//! A thing that is to be done, and what becomes of it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::Rng as _;
use uuid::Uuid;

use crate::{mail::Outcome, reason::MAY_HAVE_ARRIVED};

/// The pause before a second try; it doubles with each, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const MAX_PAUSE: Duration = Duration::from_hours(1);
/// The shortest pause before a mail is sent once more that may have arrived: whatever kept the server from
/// saying so should be over by then. Who waits to be signed in does so for a quarter of an hour.
const UNCERTAIN_PAUSE: Duration = Duration::from_secs(150);
/// The same of what can wait for the morning.
const LONG_UNCERTAIN_PAUSE: Duration = Duration::from_mins(20);
/// Ten of them take an hour, and each of the others one more: two days.
const MAX_ATTEMPTS: i32 = 58;

/// What is done about an enquiry, a sign-in, a saved search or homes that it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// The office is told.
    OfficeMail,
    /// The sender is thanked.
    VisitorMail,
    /// The content service has it, where the office works.
    ContentItem,
    /// Whoever wants to be signed in gets a link and a code.
    SignInMail,
    /// Whoever reads a mailbox is asked whether they want mails about a search.
    ConfirmMail,
    /// Somebody is told of homes.
    AlertMail,
    /// Whoever was told for a year is asked whether they still want that.
    RenewalMail,
}

impl JobKind {
    /// Each of them.
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

    /// Whether it can wait for the morning.
    pub(super) const fn wakes_nobody(self) -> bool {
        matches!(self, Self::AlertMail | Self::RenewalMail)
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// As the table names it.
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

/// One thing, and the lease on it.
pub(super) struct Job {
    pub(super) id: Uuid,
    /// The row that it is about.
    pub(super) subject: Uuid,
    pub(super) kind: JobKind,
    pub(super) attempts: i32,
    pub(super) fence: i32,
    pub(super) is_uncertain: bool,
}

impl Job {
    /// What becomes of it after this `outcome`, which is said where somebody has to look.
    pub(super) fn ending(&self, outcome: Outcome) -> Ending {
        let (id, kind) = (self.id, self.kind.name());
        match outcome {
            Outcome::Done => Ending::Done,
            Outcome::Needless => Ending::Needless,
            // Sent twice at the most: what may have arrived is not sent for days. Whether the office has
            // its mail somebody looks; of visitors' mails, which may be many, they are told once.
            Outcome::Uncertain(reason) if self.is_uncertain => {
                metrics::counter!("command_jobs_uncertain_total", "kind" => kind).increment(1);
                let reason = format!("{MAY_HAVE_ARRIVED}, and was sent twice: {reason}");
                tracing::error!(%id, kind, %reason, "it is not known to be done");
                let state = if self.kind.is_for_visitors() { "refused" } else { "failed" };
                Ending::GivenUp { state, reason }
            }
            Outcome::Uncertain(reason) => Ending::Again { is_uncertain: true, reason },
            Outcome::Retry(reason) if self.attempts < MAX_ATTEMPTS => {
                tracing::info!(%id, kind, attempt = self.attempts, %reason, "it is tried again");
                Ending::Again { is_uncertain: false, reason }
            }
            // A visitor's mailbox that takes no mail is nothing that somebody here has to mend.
            Outcome::Refused(reason) if self.kind.is_for_visitors() => {
                tracing::info!(%id, kind, %reason, "the mail is not wanted");
                Ending::GivenUp { state: "refused", reason }
            }
            Outcome::Retry(reason) | Outcome::Refused(reason) => {
                tracing::error!(%id, kind, %reason, "it can't be done");
                Ending::GivenUp { state: "failed", reason }
            }
        }
    }

    /// How long to wait for its next try, where the last one `is_uncertain` or is not.
    pub(super) fn pause(&self, is_uncertain: bool) -> Duration {
        let least = match (is_uncertain, self.kind.wakes_nobody()) {
            (false, _) => Duration::ZERO,
            (true, false) => UNCERTAIN_PAUSE,
            (true, true) => LONG_UNCERTAIN_PAUSE,
        };
        pause(self.attempts, least)
    }

    /// Measures how long it took to come to this `outcome`.
    pub(super) fn ended(&self, outcome: &'static str) {
        let Some(made) = made_at(self.id) else { return };
        let took = (Utc::now() - made).to_std().unwrap_or_default().as_secs_f64();
        metrics::histogram!("command_job_seconds", "kind" => self.kind.name(), "outcome" => outcome)
            .record(took);
    }
}

/// When the job of this id was made.
pub fn made_at(id: Uuid) -> Option<DateTime<Utc>> {
    let (seconds, nanoseconds) = id.get_timestamp()?.to_unix();
    DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanoseconds)
}

/// What becomes of a job.
pub(super) enum Ending {
    Done,
    Needless,
    Again { is_uncertain: bool, reason: String },
    GivenUp { state: &'static str, reason: String },
}

/// How long to wait after the `attempts`th try, or `least`, a quarter more or less: those who failed
/// together don't come back together.
fn pause(attempts: i32, least: Duration) -> Duration {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or_default().min(16);
    let pause = FIRST_PAUSE.saturating_mul(1 << doublings).min(MAX_PAUSE).max(least);
    pause.mul_f64(rand::rng().random_range(0.75..1.25))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_a_job_was_made_stands_in_its_id() {
        let made = made_at(Uuid::now_v7()).expect("a time");
        assert!((Utc::now() - made).num_seconds() < 60);
        assert_eq!(made_at(Uuid::new_v4()), None);
    }

    #[test]
    fn it_is_tried_for_two_days() {
        let pause = |attempts| pause(attempts, Duration::ZERO);
        assert!(pause(1) < Duration::from_secs(7));
        assert!(pause(40) > Duration::from_mins(44));
        let all: Duration = (1..MAX_ATTEMPTS).map(pause).sum();
        assert!((Duration::from_hours(40)..Duration::from_hours(60)).contains(&all), "{all:?}");
    }

    fn job(kind: JobKind, is_uncertain: bool) -> Job {
        let [id, subject] = [Uuid::now_v7(), Uuid::nil()];
        Job { id, subject, kind, attempts: 1, fence: 1, is_uncertain }
    }

    #[test]
    fn what_may_have_arrived_is_sent_once_more_when_an_outage_should_be_over() {
        for (kind, seconds) in
            [(JobKind::SignInMail, 100..200), (JobKind::AlertMail, 15 * 60..26 * 60)]
        {
            let job = job(kind, false);
            let ending = job.ending(Outcome::Uncertain("no answer".to_owned()));
            assert!(matches!(ending, Ending::Again { is_uncertain: true, .. }), "{kind:?}");
            let waits = job.pause(true).as_secs();
            assert!(seconds.contains(&waits), "{kind:?}: {waits} s");
            assert!(job.pause(false) < Duration::from_secs(7), "{kind:?}");
        }
    }

    #[test]
    fn what_may_have_arrived_twice_is_not_taken_for_done() {
        for kind in JobKind::ALL {
            let ending = job(kind, true).ending(Outcome::Uncertain("no answer".to_owned()));
            let Ending::GivenUp { state, reason } = ending else { panic!("{kind:?}") };
            let is_ours = matches!(kind, JobKind::OfficeMail | JobKind::ContentItem);
            assert_eq!(state, if is_ours { "failed" } else { "refused" }, "{kind:?}");
            assert!(reason.starts_with(MAY_HAVE_ARRIVED), "{kind:?}: {reason}");
        }
    }
}
