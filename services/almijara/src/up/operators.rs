//! Whether anybody may sign in to the console.

use std::time::Duration;

use anyhow::Result;
use sqlx::PgPool;

use super::{Account, Servers, Stack};

/// How long it may take to find out: at a start, each role waits for its turn to bring its tables up to
/// date.
const LIMIT: Duration = Duration::from_secs(30);
/// The pause after a look that failed.
const PAUSE: Duration = Duration::from_millis(500);

/// Whether there are operators. Where that can't be found out, it is taken for granted: all that hangs on
/// it is a hint.
pub async fn has_any(stack: &mut Stack, servers: &Servers) -> bool {
    let look = async {
        let url = servers.database_url(Account::Console, &mut stack.state)?;
        let pool = runtime::postgres::connect(&url.into(), "up", 1)?;
        loop {
            if let Ok(has_any) = are_listed(&pool).await {
                return anyhow::Ok(has_any);
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let looked = tokio::time::timeout(LIMIT, look).await;
    matches!(looked, Err(_) | Ok(Err(_) | Ok(true)))
}

async fn are_listed(pool: &PgPool) -> Result<bool> {
    console::migrate(pool).await?;
    Ok(!console::list(pool).await?.is_empty())
}
