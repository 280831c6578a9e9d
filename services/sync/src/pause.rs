//! Steps that operators paused.
//!
//! The word stands in the ledger and is looked at by the statements that take up work, so that it holds
//! for every process at once and for the next start too. What is under way when it comes is finished;
//! what comes meanwhile waits where it is kept.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::Error;

/// A step that can be paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Reading what was hinted at.
    Capture,
    /// Publishing what was recorded.
    Relay,
}

/// Since when each step is paused; none that goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Paused {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relay: Option<DateTime<Utc>>,
}

impl Step {
    const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture",
            Self::Relay => "relay",
        }
    }
}

impl Paused {
    /// What is paused now.
    pub async fn now(pool: &PgPool) -> Result<Self, Error> {
        let paused = sqlx::query_as!(
            Self,
            r#"select min(since) filter (where step = 'capture') as capture,
                      min(since) filter (where step = 'relay') as relay
               from ledger.pause"#,
        );
        Ok(paused.fetch_one(pool).await?)
    }

    /// Whether anything is.
    pub const fn is_anything(self) -> bool {
        self.capture.is_some() || self.relay.is_some()
    }
}

/// Takes up no more work of `step`. Where it is paused already, it stays so.
pub async fn pause(pool: &PgPool, step: Step) -> Result<(), Error> {
    sqlx::query!("insert into ledger.pause (step) values ($1) on conflict do nothing", step.name())
        .execute(pool)
        .await?;
    tracing::warn!(step = step.name(), "paused by an operator");
    Ok(())
}

/// Goes on with `step`.
pub async fn resume(pool: &PgPool, step: Step) -> Result<(), Error> {
    sqlx::query!("delete from ledger.pause where step = $1", step.name()).execute(pool).await?;
    tracing::info!(step = step.name(), "resumed by an operator");
    Ok(())
}
