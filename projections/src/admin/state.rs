//! `GET /admin/state`: the generations, and how far what is shown has come.

use chrono::{DateTime, Utc};
use contracts::{READ_MODEL_VERSION, Sequence};
use serde::Serialize;

use super::Calls;
use crate::{Error, fillings::Told, pause};

/// Where the role stands.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    generations: Vec<Listed>,
    /// Messages of the log that are not shown yet; none while NATS is away.
    lag: Option<u64>,
    paused: bool,
    rebuild: Told,
}

/// A generation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    number: i32,
    model_version: i32,
    sequence: i64,
    live: bool,
    updated_at: DateTime<Utc>,
    dead_letters: i64,
    can_swap_back: bool,
}

/// What the database and the log say now.
pub async fn of(calls: &Calls) -> Result<State, Error> {
    // Before the generations: what has ended here is seen there.
    let rebuild = calls.fillings.told();
    let rows = sqlx::query!(
        r#"select generation, model_version, sequence, live, updated_at, former,
                  (select count(*) from read.dead_letter d
                   where d.generation = c.generation) as "dead_letters!"
           from read.checkpoint c order by generation desc"#,
    )
    .fetch_all(&calls.pool)
    .await?;
    let paused = pause::since(&calls.pool).await?.is_some();
    let live = rows.iter().find(|row| row.live).map(|row| Sequence::from_i64(row.sequence));
    let stream = calls.log.stream_state().await.ok().flatten();
    let lag = stream.zip(live).map(|(stream, live)| stream.after(live));
    let generations = rows
        .into_iter()
        .map(|row| Listed {
            number: row.generation,
            model_version: row.model_version,
            sequence: row.sequence,
            live: row.live,
            updated_at: row.updated_at,
            dead_letters: row.dead_letters,
            can_swap_back: row.former && !row.live && row.model_version == READ_MODEL_VERSION,
        })
        .collect();
    Ok(State { generations, lag, paused, rebuild })
}
