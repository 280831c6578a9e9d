//! Takes over the states that the office gives to enquiries in the content service, which reports them
//! by a webhook. Visitors see them in the client area.

use std::{collections::HashMap, sync::Arc};

use axum::{
    Router,
    extract::{FromRequest as _, Request, State},
    routing::post,
};
use http::StatusCode;
use runtime::{JsonBody, Secrets, postgres::with_answer_timeout, problem::Problem};
use serde::Deserialize;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    Error, bearer,
    enquiry_items::EnquiryItems,
    events::{self, EventKind},
    storage::Storage,
};

/// The state of the webhook.
#[derive(Debug)]
struct Office {
    storage: Storage,
    secrets: Secrets,
}

/// A Directus webhook about saved items. Only the state is read.
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

/// The state of an enquiry.
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
    const ALL: [Self; 3] = [Self::New, Self::Answered, Self::Closed];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Returns the name that the table stores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Answered => "answered",
            Self::Closed => "closed",
        }
    }
}

/// Returns the webhook's route, or no route if there are no `secrets`.
pub fn router(storage: Storage, secrets: Option<Secrets>) -> Router {
    let Some(secrets) = secrets else { return Router::new() };
    Router::new()
        .route("/webhooks/enquiries", post(saved))
        .with_state(Arc::new(Office { storage, secrets }))
}

async fn saved(State(office): State<Arc<Office>>, request: Request) -> Result<StatusCode, Problem> {
    bearer::check(request.headers(), &office.secrets)?;
    let JsonBody(saved) = JsonBody::<Saved>::from_request(request, &()).await?;
    if let Some(state) = saved.payload.state {
        let changed = set_state(office.storage.pool(), &saved.keys, None, state);
        office.storage.run("an enquiry's state could not be kept", changed).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Reads the states of all enquiries from the content service, because a missed webhook is not repeated.
/// A state that a webhook changes meanwhile is kept, for the response may be older.
pub async fn sync_enquiry_states(pool: &PgPool, items: &EnquiryItems) -> Result<(), Error> {
    let known = sqlx::query!("select id, state from visitor.enquiry");
    let known = with_answer_timeout(known.fetch_all(pool)).await?;
    let known: HashMap<Uuid, EnquiryState> = known
        .into_iter()
        .filter_map(|enquiry| Some((enquiry.id, EnquiryState::named(&enquiry.state)?)))
        .collect();
    for page in 1.. {
        let read = items.states(page).await?;
        if read.is_empty() {
            break;
        }
        let mut changed: HashMap<(EnquiryState, EnquiryState), Vec<Uuid>> = HashMap::new();
        for item in read {
            let before = known.get(&item.id).copied();
            let Some((before, state)) = before.zip(item.state) else { continue };
            if before != state {
                changed.entry((before, state)).or_default().push(item.id);
            }
        }
        for ((before, state), ids) in changed {
            with_answer_timeout(set_state(pool, &ids, Some(before), state)).await?;
        }
    }
    Ok(())
}

/// Deletes the content service's items of enquiries that are blocked here.
pub async fn delete_blocked_items(pool: &PgPool, items: &EnquiryItems) -> Result<(), Error> {
    let waiting = sqlx::query_scalar!("select id from visitor.item_to_delete limit 1000");
    let ids = with_answer_timeout(waiting.fetch_all(pool)).await?;
    if ids.is_empty() {
        return Ok(());
    }
    items.delete(&ids).await?;
    let deleted = sqlx::query!("delete from visitor.item_to_delete where id = any($1)", &ids);
    with_answer_timeout(deleted.execute(pool)).await?;
    Ok(())
}

/// Sets the state of those of `ids` whose state is `before`, or of all if that is `None`.
async fn set_state(
    pool: &PgPool,
    ids: &[Uuid],
    before: Option<EnquiryState>,
    state: EnquiryState,
) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    let changed = sqlx::query_scalar!(
        "update visitor.enquiry set state = $2
         where id = any($1) and state <> $2 and ($3::text is null or state = $3)
         returning id",
        ids,
        state.name(),
        before.map(EnquiryState::name),
    )
    .fetch_all(&mut *transaction)
    .await?;
    for id in changed {
        events::record(&mut transaction, EventKind::EnquiryState, id).await?;
    }
    transaction.commit().await?;
    Ok(())
}
