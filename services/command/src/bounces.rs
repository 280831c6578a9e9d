//! Webhook for bounced mails. Each mail has an envelope sender of its own, which tells the job that a
//! bounce belongs to.

use std::sync::Arc;

use axum::{
    Router,
    extract::{FromRequest as _, Request, State},
    routing::post,
};
use http::StatusCode;
use lettre::Address;
use runtime::{
    JsonBody, Secrets,
    problem::{FieldError, Problem},
};
use serde::Deserialize;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::{
    Error, bearer, consent, enhanced_status, failure::invalid_fields, jobs::JobKind,
    reason::CAME_BACK, storage::Storage,
};

/// The state of the webhook.
#[derive(Debug)]
struct Bounces {
    storage: Storage,
    secrets: Secrets,
}

/// A bounced mail, as the bounce handler reports it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounce {
    /// The address that the bounce was delivered to, which is the envelope sender of the original mail.
    to: String,
    /// The status of the delivery report (RFC 3463), such as `5.1.1`. A status that begins with 4 is
    /// temporary and is ignored.
    status: String,
}

/// Returns the envelope sender for the mail of job `id`: the bounce `address` with the job as
/// subaddress.
pub fn envelope_sender(address: &Address, id: Uuid) -> Option<Address> {
    Address::new(format!("{}+{}", address.user(), id.simple()), address.domain()).ok()
}

/// Returns the job that an envelope sender belongs to.
fn job_of_sender(sender: &str) -> Option<Uuid> {
    let (user, _) = sender.trim().trim_matches(['<', '>']).rsplit_once('@')?;
    user.rsplit_once('+')?.1.parse().ok()
}

/// Returns the webhook's route, or no route if there are no `secrets`.
pub fn router(storage: Storage, secrets: Option<Secrets>) -> Router {
    let Some(secrets) = secrets else { return Router::new() };
    Router::new()
        .route("/webhooks/bounces", post(bounced))
        .with_state(Arc::new(Bounces { storage, secrets }))
}

async fn bounced(
    State(bounces): State<Arc<Bounces>>,
    request: Request,
) -> Result<StatusCode, Problem> {
    bearer::check(request.headers(), &bounces.secrets)?;
    let JsonBody(Bounce { to, status }) = JsonBody::<Bounce>::from_request(request, &()).await?;
    let is_status = !status.is_empty()
        && status.len() <= 12
        && status.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !is_status {
        return Err(invalid_fields(vec![FieldError::new("status", "such as 5.1.1")]));
    }
    let Some(job) = job_of_sender(&to) else {
        return Err(invalid_fields(vec![FieldError::new("to", "the sender of a mail of ours")]));
    };
    if status.starts_with('5') {
        let recorded = record(bounces.storage.pool(), job, &status);
        bounces.storage.run("a bounce could not be kept", recorded).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Records that the mail of `job` bounced. If the mailbox no longer exists, its alerts end. A mail to
/// the office counts as failed, as if it had been refused at once, because somebody still has to read
/// the enquiry. For a mail with an uncertain outcome, and for one that is not recorded as sent yet, the
/// bounce proves that the server accepted it.
async fn record(pool: &PgPool, job: Uuid, status: &str) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    lock_subscriber(&mut transaction, job).await?;
    let kind = sqlx::query_scalar!(
        "update visitor.job
         set state = case when kind = 'office_mail' then 'failed' else 'bounced' end,
             outcome = 'bounced', smtp_status = $2, last_error = $3,
             done_at = coalesce(done_at, least(due_at, now()))
         where id = $1 and kind <> 'content_item'
           and (state = 'done' or state = 'due' and (is_uncertain or lease_until is not null)
                or outcome = 'uncertain')
         returning kind",
        job,
        status,
        format!("{CAME_BACK}: {status}"),
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(kind) = kind.as_deref().and_then(JobKind::named) {
        metrics::counter!("command_mails_bounced_total", "kind" => kind.name()).increment(1);
        if kind == JobKind::AlertMail {
            end_alerts_if_gone(&mut transaction, job).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Locks the subscriber that the alert mail of `job` was sent to, so that of two simultaneous bounces
/// the second one sees the first.
pub async fn lock_subscriber(
    transaction: &mut Transaction<'_, Postgres>,
    job: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        "select p.id from visitor.job j
         join visitor.alert_mail m on m.id = j.alert_mail
         join visitor.subscriber p on p.id = m.subscriber
         where j.id = $1
         for no key update of p",
        job,
    )
    .fetch_optional(&mut **transaction)
    .await?;
    Ok(())
}

/// Ends the alerts of the subscriber of `job` if the mailbox is gone: since the last mail that arrived,
/// there are refusals or bounces with such a status at least 20 hours apart (a misconfigured server may
/// return the same status for an hour). Refusals and bounces for other reasons are ignored.
pub async fn end_alerts_if_gone(
    transaction: &mut Transaction<'_, Postgres>,
    job: Uuid,
) -> Result<(), Error> {
    let ended = sqlx::query_scalar!(
        "with whose as (
            select m.subscriber from visitor.job j
            join visitor.alert_mail m on m.id = j.alert_mail where j.id = $1),
         sent as (
            select j.state, j.smtp_status,
                   case when j.state = 'refused' then j.due_at else j.done_at end as sent_at
            from visitor.job j join visitor.alert_mail m on m.id = j.alert_mail
            where m.subscriber = (select subscriber from whose)),
         gone as (
            select max(sent_at) - min(sent_at) as apart from sent
            where state in ('refused', 'bounced')
              and smtp_status = any($2)
              and sent_at > coalesce((select max(sent_at) from sent where state = 'done'),
                                     '-infinity'))
         update visitor.saved_search set frequency = 'never', changed_at = now()
         where subscriber = (select subscriber from whose) and frequency <> 'never'
           and (select apart from gone) >= interval '20 hours'
         returning id",
        job,
        &enhanced_status::mailbox_gone(),
    )
    .fetch_all(&mut **transaction)
    .await?;
    consent::withdraw_for_alerts(transaction, &ended).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_sender_identifies_its_job() {
        let address: Address = "bounce@mail.almijara.example".parse().expect("an address");
        let id = Uuid::now_v7();
        let sender = envelope_sender(&address, id).expect("an address").to_string();
        assert!(sender.starts_with("bounce+") && sender.ends_with("@mail.almijara.example"));
        assert_eq!(job_of_sender(&sender), Some(id));
        assert_eq!(job_of_sender(&format!("<{sender}>")), Some(id));
        for other in ["bounce@mail.almijara.example", "bounce+x@y.example", "", "@", "+@"] {
            assert_eq!(job_of_sender(other), None, "{other}");
        }
    }
}
