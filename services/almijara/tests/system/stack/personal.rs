//! What visitors write of themselves, and what lets others in: it stands in no log line, span or event.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use sqlx::PgPool;

use super::{Stack, spans::Spans};

/// Shorter texts stand in other words too.
const SHORTEST: usize = 8;

/// The words.
pub struct Personal(Vec<String>);

impl Personal {
    /// `known`, and all that visitors wrote into `stack` and have not deleted since.
    pub async fn in_stack(stack: &Stack, known: &[&str]) -> Result<Self> {
        let url = stack.operators_environment()?.remove("COMMAND_DATABASE_URL");
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
        let long = written.into_iter().filter(|written| written.len() >= SHORTEST);
        Ok(Self(known.chain(long).collect()))
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Fails where a line of the log says one of them.
    pub fn in_no_line(&self, stack: &Stack) -> Result<()> {
        let told = self.0.iter().find(|personal| stack.said(personal) > 0);
        ensure!(told.is_none(), "a log line says {told:?}");
        Ok(())
    }

    /// Fails where a span does. They are all there when the roles have ended.
    pub fn in_no_span(&self, spans: &Spans) -> Result<()> {
        for span in spans.all() {
            let span = format!("{span:?}");
            let told = self.0.iter().find(|personal| span.contains(*personal));
            ensure!(told.is_none(), "a span says {told:?}: {span}");
        }
        Ok(())
    }

    /// Fails where an event does, in the streams under the folder `data`.
    pub fn in_no_event(&self, data: &Path) -> Result<()> {
        let mut folders = vec![data.join("nats")];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                files += 1;
                let bytes = fs::read(&path)?;
                let says = |personal: &&String| {
                    bytes.windows(personal.len()).any(|those| those == personal.as_bytes())
                };
                let told = self.0.iter().find(says);
                ensure!(told.is_none(), "an event in {} says {told:?}", path.display());
            }
        }
        ensure!(files > 0, "there are no events");
        Ok(())
    }
}
