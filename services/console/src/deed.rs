//! Doing something that leaves a line of the audit trail before and after.

use std::{convert::Infallible, time::Duration};

use runtime::{postgres::answered, problem::Problem};
use tokio::sync::oneshot;

use crate::{
    account::Who,
    audit::{self, Entry},
    console::Console,
};

/// When somebody may try again where nothing can be noted.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// How much of a reason is noted, in characters.
const REASON_LIMIT: usize = 200;

/// What somebody wants done.
#[derive(Debug)]
pub struct Deed {
    /// Who.
    pub who: Who,
    /// What: `sync/reconcile`.
    pub action: String,
    /// To what, as it was asked for.
    pub target: String,
}

/// Notes that `deed` is begun, does it, and notes what became of it, as `outcome_of` says. What can't be
/// noted is not begun. It is done to its end whoever leaves meanwhile. A line that it was begun stays
/// without the other where that can't be written, or the console ends before: one that is asked to waits
/// for a while.
pub async fn audited<T: Send + 'static>(
    console: Console,
    deed: Deed,
    done: impl Future<Output = Result<T, Problem>> + Send + 'static,
    outcome_of: fn(&T) -> String,
) -> Result<T, Problem> {
    let (tell, told) = oneshot::channel();
    let process = console.process().clone();
    process.spawn("deed", async move {
        let done = noted(&console, &deed, done, outcome_of).await;
        // Whoever wanted it done may have left.
        let _left = tell.send(done);
        Ok::<_, Infallible>(())
    });
    // Nothing is told of one that panicked: that ends the process, which says why.
    told.await.unwrap_or_else(|_| Err(Problem::internal()))
}

async fn noted<T>(
    console: &Console,
    deed: &Deed,
    done: impl Future<Output = Result<T, Problem>>,
    outcome_of: fn(&T) -> String,
) -> Result<T, Problem> {
    let address = deed.who.address.map(|address| address.to_string());
    let name = &deed.who.operator.name;
    let entry = Entry::of(name, &deed.action, &deed.target, address.as_deref());
    let begun = answered(audit::add(console.pool(), &entry, "begun", None)).await;
    let begun = begun.map_err(|error| {
        console.note(&error);
        tracing::error!(%error, action = deed.action, "nothing is done, as it can't be noted");
        Problem::unavailable("the audit trail can't be written, so nothing was done", RETRY_AFTER)
    })?;
    let done = done.await;
    let outcome = match &done {
        Ok(answer) => outcome_of(answer),
        Err(problem) => {
            let why = problem.detail.as_deref().unwrap_or(&problem.title);
            format!("failed ({}) {}", problem.status, shortened(why))
        }
    };
    if let Err(error) = answered(audit::add(console.pool(), &entry, &outcome, Some(begun))).await {
        console.note(&error);
        // The line that it was begun stands there, and this one in the log.
        tracing::error!(%error, begun, outcome, "what was done can't be noted");
    }
    done
}

/// As much of `reason` as is noted.
pub fn shortened(reason: &str) -> String {
    reason.chars().take(REASON_LIMIT).collect()
}
