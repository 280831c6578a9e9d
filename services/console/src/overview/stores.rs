//! Breakers, queues and caches, by name.

use serde::Serialize;
use serde_json::Value;

use super::sample::{Sample, Seen};
use crate::calls::Role;

/// Something that is not asked for a while, since it failed.
#[derive(Debug, Serialize)]
pub struct Breaker {
    name: &'static str,
    open: bool,
    reason: Option<String>,
}

/// What waits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Queue {
    name: &'static str,
    depth: f64,
    oldest_seconds: Option<f64>,
}

/// What is kept in case it is asked for again.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cache {
    name: &'static str,
    /// In bytes.
    used: f64,
    /// In bytes.
    limit: Option<f64>,
    /// Of what was asked for, the part that was there: 0 to 1.
    hit_ratio: Option<f64>,
}

/// The search index of one query node.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replica {
    /// Whose it is.
    instance: String,
    documents: u64,
    segments: u64,
    bytes: u64,
    /// Of the log, as far as the index has it.
    sequence: i64,
    /// Of the log, as far as the read models that this node reads have it.
    read_models: Option<i64>,
    /// Who follows this node's change stream.
    listeners: Option<u64>,
}

/// The index of each query node that tells of it.
pub fn indexes(sample: &Sample) -> Vec<Replica> {
    let told = |seen: &Seen| {
        let index = &seen.state["index"];
        Some(Replica {
            instance: seen.instance.clone(),
            documents: index["documents"].as_u64()?,
            segments: index["segments"].as_u64()?,
            bytes: index["bytes"].as_u64()?,
            sequence: index["sequence"].as_i64()?,
            read_models: seen.state["readModels"]["sequence"].as_i64(),
            listeners: seen.state["feed"]["listeners"].as_u64(),
        })
    };
    sample.of(Role::Query).iter().filter_map(told).collect()
}

/// The breakers.
pub fn breakers(sample: &Sample) -> Vec<Breaker> {
    let state = &sample.state(Role::Sync)["breaker"];
    let told = state["open"].as_bool().map(|open| Breaker {
        name: "content service",
        open,
        reason: state["reason"].as_str().map(str::to_owned),
    });
    told.into_iter().collect()
}

/// The queues that are told of.
pub fn queues(sample: &Sample) -> Vec<Queue> {
    let sync = sample.state(Role::Sync);
    let of_sync = sample.first(Role::Sync);
    let command = sample.first(Role::Command);
    let figure = |seen: Option<&Seen>, name: &str| seen.and_then(|seen| seen.figures.sum(name));
    let jobs = |state: &str| command?.figures.labelled("command_jobs", "state", state);
    let of_sites =
        |group: &str| sample.sum(Role::Site, |seen: &Seen| seen.state[group]["waiting"].as_f64());
    let seconds = |place: &Value| place["oldestSeconds"].as_f64();
    [
        ("inbox", sync["inbox"]["unresolved"].as_f64(), seconds(&sync["inbox"])),
        ("dirty", sync["dirty"]["count"].as_f64(), seconds(&sync["dirty"])),
        ("parked", figure(of_sync, "sync_parked"), None),
        ("outbox", sync["outbox"]["fresh"].as_f64(), figure(of_sync, "sync_outbox_oldest_seconds")),
        ("refill", sync["outbox"]["refill"].as_f64(), None),
        ("dead letters", dead_letters(sample), None),
        ("jobs", jobs("due"), figure(command, "command_jobs_oldest_seconds")),
        ("failed jobs", jobs("failed"), None),
        ("renders", of_sites("renders"), None),
        ("pictures", of_sites("pictures"), None),
    ]
    .into_iter()
    .filter_map(|(name, depth, oldest_seconds)| Some(Queue { name, depth: depth?, oldest_seconds }))
    .collect()
}

/// Of the generation that is shown.
fn dead_letters(sample: &Sample) -> Option<f64> {
    let generations = sample.state(Role::Projections)["generations"].as_array()?;
    let live = generations.iter().find(|generation| generation["live"] == true)?;
    live["deadLetters"].as_f64()
}

/// The caches, of all sites together.
pub fn caches(sample: &Sample) -> Vec<Cache> {
    let sum = |group: &str, name: &str| {
        sample.sum(Role::Site, |seen: &Seen| seen.state[group][name].as_f64())
    };
    let pages = sum("cache", "bytes").map(|used| {
        let hits = sum("cache", "hits").unwrap_or_default();
        // A page that is shown out of date was missed before.
        let asked = hits + sum("cache", "misses").unwrap_or_default();
        let hit_ratio = (asked > 0.0).then(|| hits / asked);
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
    fn each_query_node_has_an_index_of_its_own() {
        let node = |instance: &str, sequence: i64| Seen {
            instance: instance.to_owned(),
            reachable: true,
            state: json!({
                "index": { "documents": 9, "segments": 2, "bytes": 100, "sequence": sequence },
                "readModels": { "sequence": 7 }, "feed": { "listeners": 1 },
            }),
            ..Seen::default()
        };
        let untold = Seen { instance: "c".to_owned(), ..Seen::default() };
        let seen = BTreeMap::from([(Role::Query, vec![node("a", 7), node("b", 3), untold])]);
        let indexes = indexes(&Sample { at: Utc::now(), seen });
        let [first, second] = &indexes[..] else { panic!("{indexes:?}") };
        assert_eq!((first.instance.as_str(), first.sequence), ("a", 7));
        assert_eq!((second.instance.as_str(), second.sequence), ("b", 3));
    }

    #[test]
    fn several_sites_are_one_cache() {
        let site = |hits: u32| Seen {
            reachable: true,
            state: json!({ "cache": {
                "bytes": 10, "limitBytes": 100, "hits": hits, "misses": 1, "stale": 1,
            } }),
            ..Seen::default()
        };
        let seen = BTreeMap::from([(Role::Site, vec![site(1), site(5)])]);
        let caches = caches(&Sample { at: Utc::now(), seen });
        let [pages] = &caches[..] else { panic!("{caches:?}") };
        assert_eq!((pages.used, pages.limit), (20.0, Some(200.0)));
        assert_eq!(pages.hit_ratio, Some(0.75));
    }
}
