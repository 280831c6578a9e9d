//! What was published, each version with its steps.

use admin_answers::sync::{Live, Publish, Publishes};
use runtime::{postgres::with_answer_timeout, telemetry};
use sqlx::types::Json;

use super::Ledger;
use crate::Error;

/// The maximum number of publishes per page.
pub const MAX_PUBLISHES: i64 = 200;

impl Ledger {
    /// Lists at most `limit` publishes with an id below `before`, or the latest ones.
    pub(crate) async fn publishes(
        &self,
        limit: i64,
        before: Option<i64>,
    ) -> Result<Publishes, Error> {
        let listed = sqlx::query!(
            r#"select e.id as "id!", e.collection as "collection!", e.key as "key!",
                e.version as "version!", e.change ->> 'kind' as "change!",
                left(coalesce(
                    s #>> '{text,en,title}', s #>> '{text,es,title}',
                    s #>> '{text,en,name}', s #>> '{text,es,name}',
                    s #>> '{text,en,label}', s #>> '{text,es,label}',
                    s ->> 'name', s ->> 'fromPath', s #>> '{agency,companyName}', s ->> 'slug'
                ), 200) as title,
                ledger.hinted_at(e.collection, e.key, e.version, e.captured_at) as hinted_at,
                e.captured_at as "captured_at!", e.published_at, e.sequence, e.refused, e.traceparent,
                exists (select from ledger.entry as newer
                        where newer.collection = e.collection and newer.key = e.key
                          and newer.version > e.version and newer.refused is null) as "overtaken!",
                (select jsonb_build_object('since', l.since, 'milliseconds', l.milliseconds,
                     'addresses', l.addresses)
                 from ledger.live as l where l.entry = e.id) as "live: Json<Live>"
             from (select id, collection, key, version, change, change -> 'snapshot' as s,
                       captured_at, published_at, sequence, refused, traceparent
                   from ledger.entry where $1::bigint is null or id < $1
                   order by id desc limit $2) as e
             order by e.id desc"#,
            before,
            limit,
        );
        let rows = with_answer_timeout(listed.fetch_all(&self.pool)).await?;
        let is_full = i64::try_from(rows.len()).is_ok_and(|count| count == limit);
        let next = rows.last().filter(|_| is_full).map(|row| row.id);
        let items = rows
            .into_iter()
            .map(|row| Publish {
                id: row.id,
                collection: row.collection,
                key: row.key,
                version: row.version,
                change: row.change,
                title: row.title,
                hinted_at: row.hinted_at,
                captured_at: row.captured_at,
                published_at: row.published_at,
                sequence: row.sequence,
                refused: row.refused,
                trace_id: row
                    .traceparent
                    .as_deref()
                    .and_then(telemetry::trace_id)
                    .map(String::from),
                overtaken: row.overtaken,
                live: row.live.map(|Json(live)| live),
            })
            .collect();
        Ok(Publishes { items, next })
    }
}
