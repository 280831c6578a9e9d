//! Circuit breakers, queues, caches and search indexes for the overview.

use serde::Serialize;
use serde_json::Value;

use super::sample::{ProcessSample, Sample};
use crate::calls::Role;

/// A circuit breaker. Open means that requests are suspended after failures.
#[derive(Debug, Serialize)]
pub struct Breaker {
    name: &'static str,
    open: bool,
    reason: Option<String>,
}

/// A queue and its depth.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Queue {
    name: &'static str,
    depth: f64,
    oldest_seconds: Option<f64>,
}

/// A cache and its size.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replica {
    /// The host and port of the node.
    instance: String,
    documents: u64,
    segments: u64,
    bytes: u64,
    /// The position in the log that the index has reached.
    sequence: i64,
    /// The position in the log that the node's read models have reached.
    read_models: Option<i64>,
    /// The number of clients of this node's change stream.
    listeners: Option<u64>,
}

/// Returns the index of each query node that reports one.
pub fn indexes(sample: &Sample) -> Vec<Replica> {
    let replica = |process: &ProcessSample| {
        let index = &process.state["index"];
        Some(Replica {
            instance: process.instance.clone(),
            documents: index["documents"].as_u64()?,
            segments: index["segments"].as_u64()?,
            bytes: index["bytes"].as_u64()?,
            sequence: index["sequence"].as_i64()?,
            read_models: process.state["readModels"]["sequence"].as_i64(),
            listeners: process.state["feed"]["listeners"].as_u64(),
        })
    };
    sample.processes(Role::Query).iter().filter_map(replica).collect()
}

/// Returns the circuit breakers.
pub fn breakers(sample: &Sample) -> Vec<Breaker> {
    let state = &sample.state(Role::Sync)["breaker"];
    let breaker = state["open"].as_bool().map(|open| Breaker {
        name: "content service",
        open,
        reason: state["reason"].as_str().map(str::to_owned),
    });
    breaker.into_iter().collect()
}

/// Returns the queues that the roles report.
pub fn queues(sample: &Sample) -> Vec<Queue> {
    let sync = sample.state(Role::Sync);
    let sync_process = sample.primary(Role::Sync);
    let command = sample.primary(Role::Command);
    let metric = |process: Option<&ProcessSample>, name: &str| {
        process.and_then(|process| process.metrics.sum(name))
    };
    let jobs = |state: &str| command?.metrics.with_label("command_jobs", "state", state);
    let of_sites = |group: &str| {
        sample.sum(Role::Site, |process: &ProcessSample| process.state[group]["waiting"].as_f64())
    };
    let oldest = |queue: &Value| queue["oldestSeconds"].as_f64();
    [
        ("inbox", sync["inbox"]["unresolved"].as_f64(), oldest(&sync["inbox"])),
        ("dirty", sync["dirty"]["count"].as_f64(), oldest(&sync["dirty"])),
        ("parked", metric(sync_process, "sync_parked"), None),
        (
            "outbox",
            sync["outbox"]["fresh"].as_f64(),
            metric(sync_process, "sync_outbox_oldest_seconds"),
        ),
        ("refill", sync["outbox"]["refill"].as_f64(), None),
        ("dead letters", dead_letters(sample), None),
        ("jobs", jobs("due"), metric(command, "command_jobs_oldest_seconds")),
        ("failed jobs", jobs("failed"), None),
        ("renders", of_sites("renders"), None),
        ("pictures", of_sites("pictures"), None),
    ]
    .into_iter()
    .filter_map(|(name, depth, oldest_seconds)| Some(Queue { name, depth: depth?, oldest_seconds }))
    .collect()
}

/// Returns the number of dead letters of the live generation.
fn dead_letters(sample: &Sample) -> Option<f64> {
    let generations = sample.state(Role::Projections)["generations"].as_array()?;
    let live = generations.iter().find(|generation| generation["live"] == true)?;
    live["deadLetters"].as_f64()
}

/// Returns the caches, added up over all sites.
pub fn caches(sample: &Sample) -> Vec<Cache> {
    let sum = |group: &str, name: &str| {
        sample.sum(Role::Site, |process: &ProcessSample| process.state[group][name].as_f64())
    };
    let pages = sum("cache", "bytes").map(|used| {
        let hits = sum("cache", "hits").unwrap_or_default();
        // Lookups that served a stale page are already counted as misses.
        let lookups = hits + sum("cache", "misses").unwrap_or_default();
        let hit_ratio = (lookups > 0.0).then(|| hits / lookups);
        Cache { name: "pages", used, limit: sum("cache", "limitBytes"), hit_ratio }
    });
    let pictures = sum("pictures", "cachedBytes").map(|used| {
        let limit = sum("pictures", "limitBytes");
        Cache { name: "pictures", used, limit, hit_ratio: None }
    });
    pages.into_iter().chain(pictures).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::Utc;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_index_of_each_query_node_is_listed() {
        let node = |instance: &str, sequence: i64| ProcessSample {
            instance: instance.to_owned(),
            reachable: true,
            state: json!({
                "index": { "documents": 9, "segments": 2, "bytes": 100, "sequence": sequence },
                "readModels": { "sequence": 7 }, "feed": { "listeners": 1 },
            }),
            ..ProcessSample::default()
        };
        let without_state = ProcessSample { instance: "c".to_owned(), ..ProcessSample::default() };
        let processes =
            BTreeMap::from([(Role::Query, vec![node("a", 7), node("b", 3), without_state])]);
        let indexes = indexes(&Sample { at: Utc::now(), processes });
        let [first, second] = &indexes[..] else { panic!("{indexes:?}") };
        assert_eq!((first.instance.as_str(), first.sequence), ("a", 7));
        assert_eq!((second.instance.as_str(), second.sequence), ("b", 3));
    }

    #[test]
    fn the_caches_of_several_sites_are_added_up() {
        let site = |hits: u32| ProcessSample {
            reachable: true,
            state: json!({ "cache": {
                "bytes": 10, "limitBytes": 100, "hits": hits, "misses": 1, "stale": 1,
            } }),
            ..ProcessSample::default()
        };
        let processes = BTreeMap::from([(Role::Site, vec![site(1), site(5)])]);
        let caches = caches(&Sample { at: Utc::now(), processes });
        let [pages] = &caches[..] else { panic!("{caches:?}") };
        assert_eq!((pages.used, pages.limit), (20.0, Some(200.0)));
        assert_eq!(pages.hit_ratio, Some(0.75));
    }
}
