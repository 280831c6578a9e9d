//! Mails that came back: whoever takes them in says of which mail each is, by the address that it came to.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    response::{IntoResponse, Response},
    routing::post,
};
use http::{HeaderMap, StatusCode};
use lettre::Address;
use runtime::{
    postgres::answered,
    problem::{FieldError, Problem},
};
use secrecy::SecretString;
use serde::Deserialize;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::{
    Error, bearer,
    body::read_json,
    consent,
    failure::{not_kept, unfit},
    jobs::JobKind,
};

/// Takes them.
#[derive(Debug)]
struct Bounces {
    pool: PgPool,
    secret: SecretString,
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

/// The route, for whoever knows `secret`; none where there is no secret.
pub fn router(pool: PgPool, secret: Option<SecretString>) -> Router {
    let Some(secret) = secret else { return Router::new() };
    Router::new()
        .route("/webhooks/bounces", post(bounced))
        .with_state(Arc::new(Bounces { pool, secret }))
}

async fn bounced(
    State(bounces): State<Arc<Bounces>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    bearer::check(&headers, &bounces.secret)?;
    let Bounce { to, status } = read_json(&headers, body)?;
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
        let noted = answered(note(&bounces.pool, job, &status)).await;
        noted.map_err(|error| not_kept(&error, "a bounce could not be kept"))?;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Notes that the mail of `job` came back. Two alerts in a row that did are the last ones.
async fn note(pool: &PgPool, job: Uuid, status: &str) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    // One at a time for whoever is told of homes: of two that come back at once, the second sees
    // the first.
    sqlx::query!(
        "select p.id from visitor.job j
         join visitor.alert_mail m on m.id = j.alert_mail
         join visitor.subscriber p on p.id = m.subscriber
         where j.id = $1
         for no key update of p",
        job,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let kind = sqlx::query_scalar!(
        "update visitor.job set state = 'bounced', last_error = 'it came back: ' || $2
         where id = $1 and state = 'done' and kind <> 'content_item' returning kind",
        job,
        status,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if let Some(kind) = &kind {
        metrics::counter!("command_mails_bounced_total", "kind" => kind.clone()).increment(1);
        if kind == JobKind::AlertMail.name() {
            end_after_two(&mut transaction, job).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Ends the alerts of whom the mail of `job` was for, if the latest two that were sent came back.
async fn end_after_two(
    transaction: &mut Transaction<'_, Postgres>,
    job: Uuid,
) -> Result<(), Error> {
    let ended = sqlx::query_scalar!(
        "with whose as (
            select m.subscriber from visitor.job j
            join visitor.alert_mail m on m.id = j.alert_mail where j.id = $1),
         latest as (
            select j.state from visitor.job j
            join visitor.alert_mail m on m.id = j.alert_mail
            where m.subscriber = (select subscriber from whose) and j.done_at is not null
            order by j.done_at desc limit 2)
         update visitor.saved_search set frequency = 'never', changed_at = now()
         where subscriber = (select subscriber from whose) and frequency <> 'never'
           and (select count(*) from latest where state = 'bounced') = 2
         returning id",
        job,
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
