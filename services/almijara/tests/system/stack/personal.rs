//! Collects personal data of visitors, and tokens that give access: no log line, span or event may have
//! them.

use anyhow::{Context, Result};
use sqlx::PgPool;

use super::{Stack, words::Words};

/// Shorter texts may be part of other words.
const MIN_LENGTH: usize = 8;

/// Returns `known`, and everything that visitors wrote into `stack` and have not deleted.
pub async fn words_in(stack: &Stack, known: &[&str]) -> Result<Words> {
    let url = stack.operator_environment()?.remove("COMMAND_DATABASE_URL");
    let pool = PgPool::connect(&url.context("the write side's database")?).await?;
    let written: Vec<String> = sqlx::query_scalar(
        r#"select distinct written from (
            select unnest(array[name, email, phone, mobile, left(message, 40), address])
            from visitor.enquiry
            union all
            select to_char(time, format) from visitor.enquiry, unnest(times) as time,
                unnest(array['YYYY-MM-DD HH24:MI', 'YYYY-MM-DD"T"HH24:MI']) as format
            union all select unnest(array[name, email]) from visitor.account
            union all select email from visitor.sign_in
            union all select email from visitor.subscriber
            union all select unnest(tokens) from visitor.subscriber
            union all select left(note, 40) from visitor.home
         ) as all_of_it (written) where written is not null"#,
    )
    .fetch_all(&pool)
    .await?;
    let known = known.iter().map(|known| (*known).to_owned());
    let long = written.into_iter().filter(|written| written.len() >= MIN_LENGTH);
    Ok(Words::of(known.chain(long)))
}
