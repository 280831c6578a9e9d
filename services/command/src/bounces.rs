//! Mails that came back: whoever takes them in says of which mail each is, by the address that it came to.

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
    Error, bearer, consent, enhanced_status,
    failure::unfit,
    jobs::JobKind,
    reason::{CAME_BACK, MAY_HAVE_ARRIVED},
    storage::Storage,
};

/// Takes them.
#[derive(Debug)]
struct Bounces {
    storage: Storage,
    secrets: Secrets,
}

/// A mail that came back.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounce {
    /// The address that it came to: the sender on the mail's envelope.
    to: String,
    /// The status of its report (RFC 3463): `5.1.1`. One that begins with 4 is no end yet.
    status: String,
}

/// The sender on the envelope of the mail that the job `id` sends, of those at `address`.
pub fn sender(address: &Address, id: Uuid) -> Option<Address> {
    Address::new(format!("{}+{}", address.user(), id.simple()), address.domain()).ok()
}

/// The job whose mail has this sender.
fn job_of(sender: &str) -> Option<Uuid> {
    let (user, _) = sender.trim().trim_matches(['<', '>']).rsplit_once('@')?;
    user.rsplit_once('+')?.1.parse().ok()
}

/// The route, for whoever knows one of `secrets`; none where there are none.
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
        return Err(unfit(vec![FieldError::new("status", "such as 5.1.1")]));
    }
    let Some(job) = job_of(&to) else {
        return Err(unfit(vec![FieldError::new("to", "the sender of a mail of ours")]));
    };
    if status.starts_with('5') {
        let noted = note(bounces.storage.pool(), job, &status);
        bounces.storage.kept("a bounce could not be kept", noted).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// How a job says that its mail came back with `status`.
fn reason(status: &str) -> String {
    format!("{CAME_BACK}: {status}")
}

/// How those say it whose mailbox is no more.
pub fn gone_reasons() -> Vec<String> {
    enhanced_status::GONE.map(reason).into()
}

/// Notes that the mail of `job` came back. Alerts end where their mailbox is no more; one to the office has
/// failed, as where it is refused at once: the enquiry waits for somebody to read it. Of what may have arrived,
/// and of what is not yet noted as sent, it is known now that the server had it.
async fn note(pool: &PgPool, job: Uuid, status: &str) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    lock_reader(&mut transaction, job).await?;
    let kind = sqlx::query_scalar!(
        "update visitor.job
         set state = case when kind = 'office_mail' then 'failed' else 'bounced' end,
             last_error = $2, done_at = coalesce(done_at, least(due_at, now()))
         where id = $1 and kind <> 'content_item'
           and (state = 'done' or state = 'due' and (is_uncertain or lease_until is not null)
                or starts_with(last_error, $3))
         returning kind",
        job,
        reason(status),
        MAY_HAVE_ARRIVED,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(kind) = &kind {
        metrics::counter!("command_mails_bounced_total", "kind" => kind.clone()).increment(1);
        if kind == JobKind::AlertMail.name() {
            end_if_gone(&mut transaction, job).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// One at a time for whoever is told of homes by the mail of `job`: of two that come back at once, the second
/// sees the first.
pub async fn lock_reader(
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

/// Ends the alerts of whom the mail of `job` was for, if all since the last that arrived were refused, or came
/// back, because the mailbox is no more, and those are of two mornings at the least: a server that is set up
/// wrongly for an hour says the same. What did so for another reason is passed over.
pub async fn end_if_gone(
    transaction: &mut Transaction<'_, Postgres>,
    job: Uuid,
) -> Result<(), Error> {
    let gone: Vec<String> = enhanced_status::GONE.map(str::to_owned).into();
    let ended = sqlx::query_scalar!(
        "with whose as (
            select m.subscriber from visitor.job j
            join visitor.alert_mail m on m.id = j.alert_mail where j.id = $1),
         sent as (
            select j.state, j.last_error,
                   case when j.state = 'refused' then j.due_at else j.done_at end as sent_at
            from visitor.job j join visitor.alert_mail m on m.id = j.alert_mail
            where m.subscriber = (select subscriber from whose)),
         gone as (
            select max(sent_at) - min(sent_at) as apart from sent
            where state in ('refused', 'bounced')
              and substring(last_error from '[0-9.]+$') = any($2)
              and sent_at > coalesce((select max(sent_at) from sent where state = 'done'),
                                     '-infinity'))
         update visitor.saved_search set frequency = 'never', changed_at = now()
         where subscriber = (select subscriber from whose) and frequency <> 'never'
           and (select apart from gone) >= interval '20 hours'
         returning id",
        job,
        &gone,
    )
    .fetch_all(&mut **transaction)
    .await?;
    consent::withdraw_for_alerts(transaction, &ended).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_that_comes_back_says_which_it_was() {
        let address: Address = "bounce@mail.almijara.example".parse().expect("an address");
        let id = Uuid::now_v7();
        let sender = sender(&address, id).expect("an address").to_string();
        assert!(sender.starts_with("bounce+") && sender.ends_with("@mail.almijara.example"));
        assert_eq!(job_of(&sender), Some(id));
        assert_eq!(job_of(&format!("<{sender}>")), Some(id));
        for other in ["bounce@mail.almijara.example", "bounce+x@y.example", "", "@", "+@"] {
            assert_eq!(job_of(other), None, "{other}");
        }
    }
}
