//! Checks whether the console has any operators.

use std::time::Duration;

use anyhow::Result;
use sqlx::PgPool;

use super::{Account, Servers, Stack};

/// How long the check may take: at a start, roles run their migrations one after the other.
const LIMIT: Duration = Duration::from_secs(30);
/// The pause after a failed check.
const PAUSE: Duration = Duration::from_millis(500);

/// Returns whether there are operators. If the check fails or times out, it returns true: the answer only
/// decides whether a hint is printed.
pub async fn has_any(stack: &mut Stack, servers: &Servers) -> bool {
    let check = async {
        let url = servers.database_url(Account::Console, &mut stack.state)?;
        let pool = runtime::postgres::connect(&url.into(), "up", 1)?;
        loop {
            if let Ok(has_any) = has_accounts(&pool).await {
                return anyhow::Ok(has_any);
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let checked = tokio::time::timeout(LIMIT, check).await;
    matches!(checked, Err(_) | Ok(Err(_) | Ok(true)))
}

async fn has_accounts(pool: &PgPool) -> Result<bool> {
    console::migrate(pool).await?;
    Ok(!console::operators::list(pool).await?.is_empty())
}
