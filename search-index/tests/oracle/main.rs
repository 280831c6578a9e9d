//! Compares the index with brute force over every property, for random queries and catalogues: the same hits
//! in the same order, the same total, and the same counts in every facet, in every bar, for every filter that
//! could be dropped, in every cell of the map, and the same similar homes.

#![allow(clippy::expect_used, reason = "a test may end here")]

mod brute_force;
mod catalogue;
mod check;
mod listings;

use std::collections::BTreeSet;

use brute_force::Listed;
use catalogue::SearchSpace;
use check::{check, check_map, check_pages, check_similar};
use chrono::DateTime;
use contracts::{
    AggregateId, Change, Checkpoint, Collection, Event, SCHEMA_VERSION, Sequence, Version,
    content::{Property, Snapshot},
};
use proptest::{collection::vec, prelude::*};
use search_index::{
    PercolatedProperty, Percolator, PropertyQuery, SearchIndex, Sort, View, differences,
};
use uuid::Uuid;

/// One change of a small catalogue: the property with this number is replaced or removed.
type Step = (usize, Option<Property>);

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = (0_usize..60).prop_flat_map(|number| {
        (Just(number), proptest::option::weighted(0.9, catalogue::property(number)))
    });
    vec(step, 1..150)
}

fn event(key: usize, version: i64, property: Option<&Property>) -> Event {
    Event {
        offers: property.map(catalogue::offers).unwrap_or_default(),
        id: Uuid::nil(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Properties, key.to_string()),
        version: Version(version),
        captured_at: DateTime::UNIX_EPOCH,
        change: property.map_or(Change::Removed, |property| Change::Upserted {
            snapshot: Box::new(Snapshot::Properties(property.clone())),
        }),
    }
}

/// Applies `history` to a new index with a commit after every `stride` events. Returns its view and the
/// properties that should be in it.
fn play(history: &[Step], stride: usize) -> (tempfile::TempDir, View, Vec<(String, Property)>) {
    let directory = tempfile::tempdir().expect("a directory");
    let index = SearchIndex::in_folder(directory.path());
    let mut writer = index.open_writer().expect("a new index opens");
    let mut state = std::collections::BTreeMap::new();
    for (position, (number, property)) in (1_u64..).zip(history) {
        let event = event(*number, position.cast_signed(), property.as_ref());
        writer
            .apply(Checkpoint { sequence: Sequence::from(position), ledger: None }, &event)
            .expect("the event is taken");
        state.insert(*number, property.clone());
        if position % stride as u64 == 0 {
            writer.commit().expect("the commit succeeds");
        }
    }
    writer.commit().expect("the commit succeeds");
    let published = state
        .into_iter()
        .filter_map(|(number, property)| Some((number.to_string(), property?)))
        .collect();
    (directory, index.view().expect("the index is open"), published)
}

fn listed(published: &[(String, Property)]) -> Vec<Listed> {
    published.iter().map(|(_, property)| Listed::of(property.clone())).collect()
}

/// Texts with phrases, references, typos and stop words.
const TEXTS: [&str; 8] = [
    "\"sea views\"",
    "\"villa\" pool",
    "AH-907",
    "ah912",
    "the",
    "vila",
    "\"with the\" garden",
    "\"swimming pool\" teraza",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_equals_that_of_brute_force(
        history in history(),
        stride in 1_usize..60,
        queries in vec(catalogue::query(&SearchSpace::generated()), 120),
        zooms in vec((0_u8..=20, 1_usize..40), 120),
    ) {
        let (_directory, view, published) = play(&history, stride);
        let catalogue = listed(&published);
        for (query, (zoom, max_cells)) in queries.iter().zip(zooms) {
            check(&view, &catalogue, query);
            check_pages(&view, &catalogue, query, 1 + query.limit);
            check_map(&view, &catalogue, query, zoom, max_cells);
        }
        let offers =
            published.iter().map(|(key, home)| (key.clone(), catalogue::offers(home))).collect();
        let published = published.iter().map(|(key, property)| (key.as_str(), property));
        let found = differences(&view, published, &offers).expect("the index can be read");
        prop_assert_eq!(found, vec![]);
    }

    #[test]
    fn similar_homes_equal_those_of_brute_force(history in history(), stride in 1_usize..60) {
        let (_directory, view, published) = play(&history, stride);
        let catalogue = listed(&published);
        for (limit, (_, one)) in (0..9).cycle().zip(&published) {
            check_similar(&view, &catalogue, one, limit);
        }
    }

    #[test]
    fn a_property_matches_the_saved_searches_that_find_it(
        history in history(),
        mut queries in vec(catalogue::query(&SearchSpace::generated()), 300),
    ) {
        let (_directory, view, published) = play(&history, 60);
        let mut texts = TEXTS.into_iter().cycle();
        let mut percolator = Percolator::default();
        for (number, query) in queries.iter_mut().enumerate() {
            if number % 4 == 0 {
                query.text = texts.next().map(str::to_owned);
            }
            (query.offset, query.limit) = (0, 1_000);
            percolator.add(number, query);
        }
        let today = SearchSpace::generated().today;
        let mut fitting = vec![BTreeSet::new(); queries.len()];
        for (_, property) in &published {
            let seen = PercolatedProperty::of(property, &catalogue::offers(property));
            for number in percolator.matching(&seen, today) {
                fitting[number].insert(property.reference.clone());
            }
        }
        for (query, fitting) in queries.iter().zip(fitting) {
            let found = view.search(query).expect("the index can be read");
            let found: BTreeSet<_> = found.hits.iter().map(|hit| hit.reference.clone()).collect();
            prop_assert_eq!(fitting, found, "{:?}", query);
        }
    }

    #[test]
    fn pages_by_relevance_neither_repeat_nor_skip(history in history(), stride in 1_usize..60) {
        let (_directory, view, published) = play(&history, stride);
        let catalogue = listed(&published);
        for word in crate::catalogue::WORDS {
            let mut query = PropertyQuery::newest(contracts::Locale::En, 0);
            query.text = Some(word.to_owned());
            query.sort = Sort::Relevance;
            check_pages(&view, &catalogue, &query, 7);
        }
    }
}
