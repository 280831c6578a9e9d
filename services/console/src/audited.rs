//! Runs an action with a line in the audit trail before and after it.

use std::{convert::Infallible, sync::Arc, time::Duration};

use runtime::{error_text, postgres::with_answer_timeout, problem::Problem};
use tokio::sync::oneshot;

use crate::{
    account::Caller,
    audit::{self, Entry},
    console::Console,
};

/// The time after which clients may retry when the audit trail cannot be written.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum length of a recorded reason, in characters.
const MAX_REASON_LENGTH: usize = 200;

/// An action for the audit trail.
#[derive(Debug)]
pub struct AuditedAction {
    /// The operator who requests it.
    pub caller: Caller,
    /// Its name, such as `sync/reconcile`.
    pub name: String,
    /// What it is applied to, as requested.
    pub target: String,
}

/// Records the beginning of `action`, runs `work`, and records the outcome, as formatted by
/// `outcome_of`.
///
/// If the beginning cannot be recorded, `work` does not run. Once started, it runs to its end even if
/// the client disconnects. The second line is missing if it cannot be written, or if the console ends
/// first; a graceful shutdown waits for a while.
pub async fn run_audited<T: Send + 'static>(
    console: Arc<Console>,
    action: AuditedAction,
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
    outcome_of: fn(&T) -> String,
) -> Result<T, Problem> {
    let (sender, receiver) = oneshot::channel();
    let process = console.process.clone();
    process.spawn("operator action", async move {
        let result = record_and_run(&console, &action, work, outcome_of).await;
        // An error means only that the client has disconnected.
        let _disconnected = sender.send(result);
        Ok::<_, Infallible>(())
    });
    // The sender is dropped without a result if `work` panicked. That ends the process, which logs why.
    receiver.await.unwrap_or_else(|_| Err(Problem::internal()))
}

async fn record_and_run<T>(
    console: &Console,
    action: &AuditedAction,
    work: impl Future<Output = Result<T, Problem>>,
    outcome_of: fn(&T) -> String,
) -> Result<T, Problem> {
    let address = action.caller.address.map(|address| address.to_string());
    let name = &action.caller.operator.name;
    let entry = Entry::of(name, &action.name, &action.target, address.as_deref());
    let begun = with_answer_timeout(audit::add(&console.pool, &entry, "begun", None)).await;
    let begun = begun.map_err(|error| {
        console.note_failure(&error);
        tracing::error!(
            error = error_text(&error),
            action = action.name,
            "an action was not started, as it could not be recorded"
        );
        Problem::unavailable("the audit trail can't be written, so nothing was done", RETRY_AFTER)
    })?;
    let result = work.await;
    let outcome = match &result {
        Ok(answer) => outcome_of(answer),
        Err(problem) => {
            let why = problem.detail.as_deref().unwrap_or(&problem.title);
            format!("failed ({}) {}", problem.status, truncated(why))
        }
    };
    if let Err(error) =
        with_answer_timeout(audit::add(&console.pool, &entry, &outcome, Some(begun))).await
    {
        console.note_failure(&error);
        // The trail has the `begun` line, and the log has this outcome.
        tracing::error!(
            error = error_text(&error),
            begun,
            outcome,
            "the outcome of an action could not be recorded"
        );
    }
    result
}

/// Returns `reason`, truncated to the maximum length that is recorded.
pub fn truncated(reason: &str) -> String {
    reason.chars().take(MAX_REASON_LENGTH).collect()
}
