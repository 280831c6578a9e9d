//! `GET /admin/state`: the generations, and the progress of the live one.

use admin_answers::projections::{Generation, ProjectionsState};
use contracts::Sequence;
use read_models::READ_MODEL_VERSION;

use super::Calls;
use crate::{Error, pause};

/// Reads the current state from the database and the log.
pub async fn read(calls: &Calls) -> Result<ProjectionsState, Error> {
    // Read before the generations, so that they include the result of a job that has ended here.
    let rebuild = calls.fill_jobs.status();
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
        .map(|row| Generation {
            number: row.generation,
            model_version: row.model_version,
            sequence: row.sequence,
            live: row.live,
            updated_at: row.updated_at,
            dead_letters: row.dead_letters,
            can_swap_back: row.former && !row.live && row.model_version == READ_MODEL_VERSION,
        })
        .collect();
    Ok(ProjectionsState { generations, lag, paused, rebuild })
}
