//! Whatever is asked of whatever catalogue, the index answers as a plain look at every property
//! does: the same hits in the same order, the same total, the same count in every facet.

#![allow(clippy::expect_used, reason = "a test may end here")]

mod brute_force;
mod catalogue;

use brute_force::{count, fitting};
use chrono::DateTime;
use contracts::{
    AggregateId, Change, Collection, Event, SCHEMA_VERSION, Sequence, Version,
    content::{Property, Snapshot},
};
use proptest::{collection::vec, prelude::*};
use search_index::{FacetCount, PropertyQuery, SearchIndex, Sort, View, differences};
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
        writer.apply(Sequence::from(position), &event).expect("the event is taken");
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

fn pairs(facet: Vec<FacetCount>) -> Vec<(String, u64)> {
    facet.into_iter().map(|facet| (facet.value, facet.count)).collect()
}

fn check(view: &View, properties: &[Property], question: &PropertyQuery) {
    let answer = view.search(question).expect("the search succeeds");
    let fits = fitting(properties, question, &[]);
    assert_eq!(answer.total, fits.len() as u64, "total of {question:?}");
    let expected = fits.iter().skip(question.offset).take(question.limit);
    let expected: Vec<_> = expected.map(|property| property.reference.as_str()).collect();
    let found: Vec<_> = answer.hits.iter().map(|hit| hit.reference.as_str()).collect();
    assert_eq!(found, expected, "hits of {question:?}");

    let facets = answer.facets;
    let without = |filter: &str| count(&fitting(properties, question, &[filter]), filter);
    assert_eq!(pairs(facets.property_type), without("type"), "types of {question:?}");
    assert_eq!(pairs(facets.status), without("status"), "statuses of {question:?}");
    assert_eq!(pairs(facets.location), without("place"), "places of {question:?}");
    assert_eq!(pairs(facets.features), without("features"), "features of {question:?}");
    assert_eq!(pairs(facets.bedrooms), without("bedrooms"), "bedrooms of {question:?}");
    assert_eq!(pairs(facets.bathrooms), without("bathrooms"), "bathrooms of {question:?}");
    let all_reduced = PropertyQuery { reduced: Some(true), ..question.clone() };
    assert_eq!(facets.reduced, fitting(properties, &all_reduced, &[]).len() as u64);
    let all_featured = PropertyQuery { featured: Some(true), ..question.clone() };
    assert_eq!(facets.featured, fitting(properties, &all_featured, &[]).len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_is_that_of_brute_force(
        history in history(),
        stride in 1_usize..60,
        questions in vec(catalogue::question(), 60),
    ) {
        let (_directory, view, published) = play(&history, stride);
        let properties: Vec<_> = published.iter().map(|(_, property)| property.clone()).collect();
        for question in &questions {
            check(&view, &properties, question);
        }
        let published = published.iter().map(|(key, property)| (key.as_str(), property));
        prop_assert_eq!(differences(&view, published).expect("the index can be read"), vec![]);
    }

    #[test]
    fn pages_by_relevance_neither_repeat_nor_skip(history in history(), stride in 1_usize..60) {
        let (_directory, view, published) = play(&history, stride);
        let properties: Vec<_> = published.into_iter().map(|(_, property)| property).collect();
        for word in catalogue::WORDS {
            let mut question = PropertyQuery::newest(contracts::Locale::En, 7);
            question.text = Some(word.to_owned());
            question.sort = Sort::Relevance;
            let mut seen = Vec::new();
            loop {
                let page = view.search(&question).expect("the search succeeds").hits;
                if page.is_empty() {
                    break;
                }
                seen.extend(page.into_iter().map(|hit| hit.reference));
                question.offset += question.limit;
            }
            let fits = fitting(&properties, &question, &[]);
            let mut expected: Vec<_> = fits.into_iter().map(|p| p.reference.clone()).collect();
            expected.sort();
            seen.sort();
            prop_assert_eq!(seen, expected);
        }
    }
}
