//! Steps that an operator paused.
//!
//! The pause is stored in the ledger and checked by the statements that take up work, so it applies to
//! all processes at once and survives restarts. Work in flight is finished; what arrives during the
//! pause waits in its queue.

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

/// Since when each step is paused; none for a step that is not.
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
    /// Returns the steps that are paused now.
    pub async fn now(pool: &PgPool) -> Result<Self, Error> {
        let paused = sqlx::query_as!(
            Self,
            r#"select min(since) filter (where step = 'capture') as capture,
                      min(since) filter (where step = 'relay') as relay
               from ledger.pause"#,
        );
        Ok(paused.fetch_one(pool).await?)
    }

    /// Returns whether any step is paused.
    pub const fn has_items(self) -> bool {
        self.capture.is_some() || self.relay.is_some()
    }
}

/// Pauses `step`: no more of its work is taken up. Pausing a paused step changes nothing.
pub async fn pause(pool: &PgPool, step: Step) -> Result<(), Error> {
    sqlx::query!("insert into ledger.pause (step) values ($1) on conflict do nothing", step.name())
        .execute(pool)
        .await?;
    tracing::warn!(step = step.name(), "paused by an operator");
    Ok(())
}

/// Resumes `step`.
pub async fn resume(pool: &PgPool, step: Step) -> Result<(), Error> {
    sqlx::query!("delete from ledger.pause where step = $1", step.name()).execute(pool).await?;
    tracing::info!(step = step.name(), "resumed by an operator");
    Ok(())
}
