//! What is done where something is gone or can't be had.

use std::collections::HashMap;

use super::*;
use crate::{
    FetchLimits, Options,
    compare::{Flat, compare},
};

#[test]
fn what_comes_back_is_published_where_it_was_and_nowhere_else() {
    let with = |status: &str| Flat::from([("status".to_owned(), json!(status))]);
    for (status, is_published_again) in [("published", true), ("draft", false)] {
        let values = BTreeMap::from([("status".to_owned(), mark(&json!("published")))]);
        let stored = Stored {
            fields: with(status),
            memory: Some(Memory { values, ..Memory::default() }),
            ..Stored::default()
        };
        let memory = memory_of_gone(&stored);
        let compared = compare(&with("published"), &with("archived"), Some(&memory), false);
        let told = (compared.changes.len() == 1, compared.kept.is_empty());
        assert_eq!(told, (is_published_again, is_published_again), "a home that was {status}");
    }
}

#[tokio::test]
async fn a_picture_that_can_t_be_fetched_again_stays() {
    runtime::install_crypto_provider();
    let url = "http://127.0.0.1:9/".parse().expect("an address");
    let directus = Directus::new(url, "none".into()).expect("a client");
    let fetcher = Fetcher::new(FetchLimits::default()).expect("a client");
    let had = Remembered { url: mark_of_url("no address"), file: Some("f1".to_owned()) };
    let before = Memory { pictures: vec![had.clone()], ..Memory::default() };
    for (overwrite, shown, expected) in [
        (false, vec![(1, "f1".to_owned())], vec![had.clone()]),
        (true, vec![(1, "f1".to_owned())], vec![had.clone()]),
        // What an editor has taken away is remembered as that.
        (false, Vec::new(), vec![had.clone()]),
        // And a file that is gone is not shown again.
        (true, Vec::new(), Vec::new()),
    ] {
        let stored =
            Stored { memory: Some(before.clone()), pictures: shown.clone(), ..Stored::default() };
        let home = HomePlan {
            at: "home 1".to_owned(),
            reference: "A-1".to_owned(),
            step: Step::Change,
            changes: Vec::new(),
            kept: Vec::new(),
            reasons: Vec::new(),
            fetches: 2,
            key: "1".to_owned(),
            wanted: Flat::new(),
            pictures: Some(vec!["no address".to_owned(), "never had".to_owned()]),
            stored: Some(stored),
        };
        let mut plan = Plan {
            steps: Vec::new(),
            new_places: Vec::new(),
            unknown_places: BTreeMap::new(),
            left: BTreeMap::new(),
            options: Options { refetch_pictures: true, overwrite, ..Options::default() },
            files: HashMap::new(),
        };
        let mut work = Work {
            directus: &directus,
            fetcher: &fetcher,
            done: Done::default(),
            places: BTreeMap::new(),
        };
        let pictures = work.pictures(&mut plan, &home, &before).await.expect("nobody is asked");
        assert_eq!(pictures, expected, "overwrite: {overwrite}, shown: {shown:?}");
        assert_eq!(work.done.failed_pictures.len(), 2);
    }
}
