//! Steps that an operator paused.
//!
//! The pause is stored in the ledger and checked by the statements that take up work, so it applies to
//! all processes at once and survives restarts. Work in flight is finished; what arrives during the
//! pause waits in its queue.

use chrono::{DateTime, Utc};
use runtime::postgres::with_answer_timeout;
use serde::{Deserialize, Serialize};

use super::Ledger;
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
    /// Returns whether any step is paused.
    pub const fn has_items(self) -> bool {
        self.capture.is_some() || self.relay.is_some()
    }
}

impl Ledger {
    /// Returns the steps that are paused now.
    pub(crate) async fn paused(&self) -> Result<Paused, Error> {
        let paused = sqlx::query_as!(
            Paused,
            r#"select min(since) filter (where step = 'capture') as capture,
                      min(since) filter (where step = 'relay') as relay
               from ledger.pause"#,
        );
        Ok(with_answer_timeout(paused.fetch_one(&self.pool)).await?)
    }

    /// Pauses `step`: no more of its work is taken up. Pausing a paused step changes nothing.
    pub(crate) async fn pause(&self, step: Step) -> Result<(), Error> {
        let paused = sqlx::query!(
            "insert into ledger.pause (step) values ($1) on conflict do nothing",
            step.name(),
        );
        with_answer_timeout(paused.execute(&self.pool)).await?;
        tracing::warn!(step = step.name(), "paused by an operator");
        Ok(())
    }

    /// Resumes `step`.
    pub(crate) async fn resume(&self, step: Step) -> Result<(), Error> {
        let resumed = sqlx::query!("delete from ledger.pause where step = $1", step.name());
        with_answer_timeout(resumed.execute(&self.pool)).await?;
        tracing::info!(step = step.name(), "resumed by an operator");
        Ok(())
    }
}
