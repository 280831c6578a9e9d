//! Circuit breakers, queues, caches and search indexes for the overview.

use admin_answers::{query::QueryState, site::SiteState, sync::SyncState};
use contracts::Sequence;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    figure,
    sample::{ProcessSample, Sample},
};
use crate::calls::Role;

/// A circuit breaker. Open means that requests are suspended after failures.
#[derive(Debug, Serialize, ToSchema)]
pub struct Breaker {
    name: &'static str,
    open: bool,
    reason: Option<String>,
}

/// A queue and its depth.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Queue {
    name: &'static str,
    depth: f64,
    oldest_seconds: Option<f64>,
}

/// A cache and its size.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CacheUse)]
pub struct Cache {
    name: &'static str,
    /// In bytes.
    used: f64,
    /// In bytes.
    limit: Option<f64>,
    /// The ratio of hits to lookups: 0 to 1.
    hit_ratio: Option<f64>,
}

/// The search index of one query node.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Replica {
    /// The host and port of the node.
    instance: String,
    documents: u64,
    segments: usize,
    bytes: u64,
    /// The position in the log that the index has reached.
    #[schema(value_type = u64)]
    sequence: Sequence,
    /// The position in the log that the node's read models have reached.
    #[schema(value_type = u64)]
    read_models: Sequence,
    /// The number of clients of this node's change stream.
    listeners: usize,
}

/// Returns the index of each query node that reports one.
pub fn indexes(sample: &Sample) -> Vec<Replica> {
    let replica = |process: &ProcessSample| {
        let QueryState { index, read_models, feed } = process.state.query()?;
        Some(Replica {
            instance: process.instance.clone(),
            documents: index.documents,
            segments: index.segments,
            bytes: index.bytes,
            sequence: index.sequence,
            read_models: read_models.sequence,
            listeners: feed.listeners,
        })
    };
    sample.processes(Role::Query).iter().filter_map(replica).collect()
}

/// Returns the circuit breakers.
pub fn breakers(sample: &Sample) -> Vec<Breaker> {
    let breaker = sample.sync().map(|SyncState { breaker, .. }| Breaker {
        name: "content service",
        open: breaker.open,
        reason: breaker.reason.clone(),
    });
    breaker.into_iter().collect()
}

/// Returns the queues that the roles report.
pub fn queues(sample: &Sample) -> Vec<Queue> {
    let sync = sample.sync();
    let sync_process = sample.primary(Role::Sync);
    let command = sample.primary(Role::Command);
    let metric = |process: Option<&ProcessSample>, name: &str| {
        process.and_then(|process| process.metrics.sum(name))
    };
    let jobs = |state: &str| command?.metrics.with_label("command_jobs", "state", state);
    let of_sites = |waiting: fn(&SiteState) -> usize| {
        sample.sum(Role::Site, |process| Some(figure(waiting(process.state.site()?))))
    };
    let of_sync = |depth: fn(&SyncState) -> i64| sync.map(depth).map(figure);
    [
        (
            "inbox",
            of_sync(|sync| sync.inbox.unresolved),
            sync.and_then(|sync| sync.inbox.oldest_seconds),
        ),
        (
            "dirty",
            of_sync(|sync| sync.dirty.count),
            sync.and_then(|sync| sync.dirty.oldest_seconds),
        ),
        ("parked", metric(sync_process, "sync_parked"), None),
        (
            "outbox",
            of_sync(|sync| sync.outbox.fresh),
            metric(sync_process, "sync_outbox_oldest_seconds"),
        ),
        ("refill", of_sync(|sync| sync.outbox.refill), None),
        ("dead letters", dead_letters(sample), None),
        ("jobs", jobs("due"), metric(command, "command_jobs_oldest_seconds")),
        ("failed jobs", jobs("failed"), None),
        ("renders", of_sites(|site| site.renders.waiting), None),
        ("pictures", of_sites(|site| site.pictures.waiting), None),
    ]
    .into_iter()
    .filter_map(|(name, depth, oldest_seconds)| Some(Queue { name, depth: depth?, oldest_seconds }))
    .collect()
}

/// Returns the number of dead letters of the live generation.
fn dead_letters(sample: &Sample) -> Option<f64> {
    let live = sample.projections()?.generations.iter().find(|generation| generation.live)?;
    Some(figure(live.dead_letters))
}

/// Returns the caches, added up over all sites.
pub fn caches(sample: &Sample) -> Vec<Cache> {
    let sum = |value: fn(&SiteState) -> f64| {
        sample.sum(Role::Site, |process| Some(value(process.state.site()?)))
    };
    let pages = sum(|site| figure(site.cache.bytes)).map(|used| {
        let hits = sum(|site| figure(site.cache.hits)).unwrap_or_default();
        // Lookups that served a stale page are already counted as misses.
        let lookups = hits + sum(|site| figure(site.cache.misses)).unwrap_or_default();
        let hit_ratio = (lookups > 0.0).then(|| hits / lookups);
        Cache { name: "pages", used, limit: sum(|site| figure(site.cache.limit_bytes)), hit_ratio }
    });
    let pictures = sum(|site| figure(site.pictures.cached_bytes)).map(|used| {
        let limit = sum(|site| figure(site.pictures.limit_bytes));
        Cache { name: "pictures", used, limit, hit_ratio: None }
    });
    pages.into_iter().chain(pictures).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use admin_answers::{query::IndexState, site::PageCacheState};
    use chrono::Utc;
    use contracts::Epoch;

    use super::{super::role_state::RoleState, *};

    #[test]
    fn the_index_of_each_query_node_is_listed() {
        let position = |message| Sequence::new(Epoch(1), message);
        let node = |instance: &str, message| {
            let index = IndexState { sequence: position(message), ..IndexState::default() };
            ProcessSample {
                instance: instance.to_owned(),
                reachable: true,
                state: RoleState::Query(QueryState { index, ..QueryState::default() }),
                ..ProcessSample::default()
            }
        };
        let without_state = ProcessSample { instance: "c".to_owned(), ..ProcessSample::default() };
        let processes =
            BTreeMap::from([(Role::Query, vec![node("a", 7), node("b", 3), without_state])]);
        let indexes = indexes(&Sample { at: Utc::now(), processes });
        let [first, second] = &indexes[..] else { panic!("{indexes:?}") };
        assert_eq!((first.instance.as_str(), first.sequence), ("a", position(7)));
        assert_eq!((second.instance.as_str(), second.sequence), ("b", position(3)));
    }

    #[test]
    fn the_caches_of_several_sites_are_added_up() {
        let site = |hits: u64| {
            let cache = PageCacheState {
                bytes: 10,
                limit_bytes: 100,
                hits,
                misses: 1,
                stale: 1,
                ..PageCacheState::default()
            };
            ProcessSample {
                reachable: true,
                state: RoleState::Site(SiteState { cache, ..SiteState::default() }),
                ..ProcessSample::default()
            }
        };
        let processes = BTreeMap::from([(Role::Site, vec![site(1), site(5)])]);
        let caches = caches(&Sample { at: Utc::now(), processes });
        let [pages, _] = &caches[..] else { panic!("{caches:?}") };
        assert_eq!((pages.used, pages.limit), (20.0, Some(200.0)));
        assert_eq!(pages.hit_ratio, Some(0.75));
    }
}
