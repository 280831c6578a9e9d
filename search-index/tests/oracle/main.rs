//! Whatever is asked of whatever catalogue, the index answers as a plain look at every property
//! does: the same hits in the same order, the same total, the same count in every facet, in every
//! bar, of every filter that could be given up, in every cell of the map, and of homes like one.

#![allow(clippy::expect_used, reason = "a test may end here")]

mod brute_force;
mod catalogue;
mod check;
mod listings;

use std::collections::BTreeSet;

use brute_force::Listed;
use catalogue::Ground;
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

/// One change of a small catalogue: property number so-and-so becomes this, or goes.
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

/// Plays `history` into a fresh index with a commit every `stride` events, and returns its view
/// and what should be in it.
fn play(history: &[Step], stride: usize) -> (tempfile::TempDir, View, Vec<(String, Property)>) {
    let directory = tempfile::tempdir().expect("a directory");
    let index = SearchIndex::under(directory.path());
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

/// Texts that are more than words: side by side, references, slips, and nothing.
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
    fn every_answer_is_that_of_brute_force(
        history in history(),
        stride in 1_usize..60,
        questions in vec(catalogue::question(&Ground::generated()), 120),
        zooms in vec((0_u8..=20, 1_usize..40), 120),
    ) {
        let (_directory, view, published) = play(&history, stride);
        let catalogue = listed(&published);
        for (question, (zoom, most)) in questions.iter().zip(zooms) {
            check(&view, &catalogue, question);
            check_pages(&view, &catalogue, question, 1 + question.limit);
            check_map(&view, &catalogue, question, zoom, most);
        }
        let offers =
            published.iter().map(|(key, home)| (key.clone(), catalogue::offers(home))).collect();
        let published = published.iter().map(|(key, property)| (key.as_str(), property));
        let found = differences(&view, published, &offers).expect("the index can be read");
        prop_assert_eq!(found, vec![]);
    }

    #[test]
    fn homes_like_one_are_those_of_brute_force(history in history(), stride in 1_usize..60) {
        let (_directory, view, published) = play(&history, stride);
        let catalogue = listed(&published);
        for (limit, (_, one)) in (0..9).cycle().zip(&published) {
            check_similar(&view, &catalogue, one, limit);
        }
    }

    #[test]
    fn a_property_fits_the_kept_searches_that_find_it(
        history in history(),
        mut questions in vec(catalogue::question(&Ground::generated()), 300),
    ) {
        let (_directory, view, published) = play(&history, 60);
        let mut texts = TEXTS.into_iter().cycle();
        let mut percolator = Percolator::default();
        for (number, question) in questions.iter_mut().enumerate() {
            if number % 4 == 0 {
                question.text = texts.next().map(str::to_owned);
            }
            (question.offset, question.limit) = (0, 1_000);
            percolator.add(number, question);
        }
        let today = Ground::generated().today;
        let mut fitting = vec![BTreeSet::new(); questions.len()];
        for (_, property) in &published {
            let seen = PercolatedProperty::of(property, &catalogue::offers(property));
            for number in percolator.matching(&seen, today) {
                fitting[number].insert(property.reference.clone());
            }
        }
        for (question, fitting) in questions.iter().zip(fitting) {
            let found = view.search(question).expect("the index can be read");
            let found: BTreeSet<_> = found.hits.iter().map(|hit| hit.reference.clone()).collect();
            prop_assert_eq!(fitting, found, "{:?}", question);
        }
    }

    #[test]
    fn pages_by_relevance_neither_repeat_nor_skip(history in history(), stride in 1_usize..60) {
        let (_directory, view, published) = play(&history, stride);
        let catalogue = listed(&published);
        for word in crate::catalogue::WORDS {
            let mut question = PropertyQuery::newest(contracts::Locale::En, 0);
            question.text = Some(word.to_owned());
            question.sort = Sort::Relevance;
            check_pages(&view, &catalogue, &question, 7);
        }
    }
}
