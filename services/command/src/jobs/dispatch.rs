//! What a job does.

use chrono::Utc;
use sqlx::PgPool;

use super::{
    JobKind,
    job::{Job, job_created_at},
};
use crate::{
    Config, Error,
    account::SignInMail,
    alerts::{AlertMail, ConfirmMail, RenewalMail},
    enquiry::picture,
    enquiry_items::EnquiryItems,
    mail::{Mailer, Outcome},
    reason::{NO_TOKEN, NOBODY_WAITS},
    stored_enquiry::StoredEnquiry,
};

/// Sends the mails and creates the items that jobs are about.
#[derive(Clone, Debug)]
pub(super) struct Dispatcher {
    pool: PgPool,
    mailer: Mailer,
    items: Option<EnquiryItems>,
}

impl Dispatcher {
    pub(super) fn new(pool: PgPool, mailer: Mailer, config: &Config) -> Result<Self, Error> {
        let items = EnquiryItems::with_create_token(config)?;
        if items.is_none() {
            tracing::info!("no ENQUIRIES_TOKEN: the office receives enquiries only by mail");
        }
        Ok(Self { pool, mailer, items })
    }

    /// Returns the job kinds that are handled here. Other jobs wait until a process handles them.
    pub(super) fn kinds(&self) -> impl Iterator<Item = JobKind> {
        let has_items = self.items.is_some();
        JobKind::ALL.into_iter().filter(move |kind| has_items || *kind != JobKind::ContentItem)
    }

    /// Does `job` once.
    pub(super) async fn dispatch(&self, job: &Job) -> Result<Outcome, Error> {
        runtime::failpoint("command.job").map_err(sqlx::Error::Io)?;
        let pool = &self.pool;
        let enquiry = async || StoredEnquiry::read(pool, job.subject).await;
        let outcome = match (job.kind, &self.items) {
            (JobKind::OfficeMail, _) => {
                let pictures = picture::load(pool, job.subject).await?;
                self.mailer.send_to_office(&enquiry().await?, pictures, job.id).await
            }
            (JobKind::VisitorMail, _) => self.mailer.send_thanks(&enquiry().await?, job.id).await,
            (JobKind::ContentItem, Some(items)) => items.create(&enquiry().await?).await,
            (JobKind::ContentItem, None) => Outcome::Retry(NO_TOKEN.to_owned()),
            (JobKind::SignInMail, _) => match SignInMail::new(pool, job.subject).await? {
                Some(mail) => self.mailer.send_sign_in(&mail, job.id).await,
                None => Outcome::refused(NOBODY_WAITS),
            },
            (JobKind::ConfirmMail, _) => {
                let wanted_at = job_created_at(job.id).unwrap_or_else(Utc::now);
                match ConfirmMail::new(pool, job.subject, wanted_at).await? {
                    Some(mail) => self.mailer.send_confirm(&mail, job.id).await,
                    None => Outcome::NothingToDo,
                }
            }
            (JobKind::RenewalMail, _) => match RenewalMail::read(pool, job.subject).await? {
                Some(mail) => self.mailer.send_renewal(&mail, job.id).await,
                None => Outcome::NothingToDo,
            },
            (JobKind::AlertMail, _) => match AlertMail::read(pool, job.subject).await? {
                Some(mail) => self.mailer.send_homes(&mail, job.id).await,
                None => Outcome::NothingToDo,
            },
        };
        runtime::failpoint("command.job_done").map_err(sqlx::Error::Io)?;
        Ok(outcome)
    }
}
