//! What the office does about enquiries in the content service, told by its webhook: the visitor sees it
//! in the client area.

use std::{collections::HashMap, sync::Arc};

use axum::{
    Router,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    response::{IntoResponse, Response},
    routing::post,
};
use http::{HeaderMap, StatusCode};
use runtime::{postgres::answered, problem::Problem};
use secrecy::SecretString;
use serde::Deserialize;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{Error, bearer, body::read_json, failure::not_kept, office_items::OfficeItems};

/// Takes the webhooks.
#[derive(Debug)]
struct Office {
    pool: PgPool,
    secret: SecretString,
}

/// An item was saved: as Directus tells it, with what else it may say. Of it only the state is read.
#[derive(Debug, Deserialize)]
struct Saved {
    #[serde(default)]
    keys: Vec<Uuid>,
    #[serde(default)]
    payload: Payload,
}

#[derive(Debug, Default, Deserialize)]
struct Payload {
    state: Option<EnquiryState>,
}

/// Where an enquiry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnquiryState {
    /// Nobody has answered it.
    New,
    /// Somebody has.
    Answered,
    /// It is settled.
    Closed,
}

impl EnquiryState {
    const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Answered => "answered",
            Self::Closed => "closed",
        }
    }
}

/// The route, for whoever knows `secret`; none where there is no secret.
pub fn router(pool: PgPool, secret: Option<SecretString>) -> Router {
    let Some(secret) = secret else { return Router::new() };
    Router::new()
        .route("/webhooks/enquiries", post(saved))
        .with_state(Arc::new(Office { pool, secret }))
}

async fn saved(
    State(office): State<Arc<Office>>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    bearer::check(&headers, &office.secret)?;
    let saved: Saved = read_json(&headers, body)?;
    if let Some(state) = saved.payload.state {
        let changed = answered(set_state(&office.pool, &saved.keys, None, state)).await;
        changed.map_err(|error| not_kept(&error, "an enquiry's state could not be kept"))?;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Asks for where all of them stand: a webhook that came while nobody listened does not come again.
/// What one says meanwhile stays, for the answer may be older.
pub async fn catch_up(pool: &PgPool, items: &OfficeItems) -> Result<(), Error> {
    let known = sqlx::query!("select id, state from visitor.enquiry");
    let known = answered(async { Ok::<_, Error>(known.fetch_all(pool).await?) }).await?;
    let known: HashMap<Uuid, String> =
        known.into_iter().map(|enquiry| (enquiry.id, enquiry.state)).collect();
    for page in 1.. {
        let read = items.states(page).await?;
        if read.is_empty() {
            break;
        }
        let mut changed: HashMap<(&str, EnquiryState), Vec<Uuid>> = HashMap::new();
        for item in read {
            let before = known.get(&item.id).map(String::as_str);
            let Some((before, state)) = before.zip(item.state) else { continue };
            if before != state.name() {
                changed.entry((before, state)).or_default().push(item.id);
            }
        }
        for ((before, state), ids) in changed {
            answered(set_state(pool, &ids, Some(before), state)).await?;
        }
    }
    Ok(())
}

/// Deletes the items of enquiries that are blocked here.
pub async fn delete_items(pool: &PgPool, items: &OfficeItems) -> Result<(), Error> {
    let waiting = sqlx::query_scalar!("select id from visitor.item_to_delete limit 1000");
    let ids = answered(async { Ok::<_, Error>(waiting.fetch_all(pool).await?) }).await?;
    if ids.is_empty() {
        return Ok(());
    }
    items.delete(&ids).await?;
    let deleted = sqlx::query!("delete from visitor.item_to_delete where id = any($1)", &ids);
    answered(async { Ok::<_, Error>(deleted.execute(pool).await?) }).await?;
    Ok(())
}

/// Sets it for those of `ids` that are at `before`, or for all of them.
async fn set_state(
    pool: &PgPool,
    ids: &[Uuid],
    before: Option<&str>,
    state: EnquiryState,
) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    let changed = sqlx::query_scalar!(
        "update visitor.enquiry set state = $2
         where id = any($1) and state <> $2 and ($3::text is null or state = $3)
         returning id",
        ids,
        state.name(),
        before,
    )
    .fetch_all(&mut *transaction)
    .await?;
    for id in changed {
        crate::events::record(&mut transaction, "enquiry.state", id).await?;
    }
    transaction.commit().await?;
    Ok(())
}
