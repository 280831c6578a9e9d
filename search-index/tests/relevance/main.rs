//! Measures the relevance of the first hits for typed texts, over the sample content.
//!
//! `queries.json` has texts that people would type and, as conditions on homes, what should come first. It is
//! independent of how texts are parsed.

#![allow(clippy::expect_used, reason = "a test may end here")]

mod catalogue;
mod judgement;

use std::{fmt::Write as _, path::Path};

use contracts::{Checkpoint, Locale, Sequence};
use judgement::{Judgement, ndcg};
use search_index::{Place, PropertyQuery, SearchIndex, Sort, View, understand};

/// The day of all queries: the fifteenth of November 2026, in days since 1970.
const TODAY: i64 = 20_772;
/// The number of hits that are graded.
const DEPTH: usize = 10;
const MIN_SCORE: f64 = 0.9;

fn answers(view: &View, locale: Locale, typed: &str, places: &[Place]) -> Vec<String> {
    let mut query = PropertyQuery::newest(locale, DEPTH);
    query.today = TODAY;
    let mut understood = understand(locale, typed, places, Some(0.86));
    understood.apply_to(&mut query);
    if query.text.is_some() {
        query.sort = Sort::Relevance;
    }
    let found = view.search(&query).expect("the index answers");
    found.hits.iter().map(|hit| hit.reference.clone()).collect()
}

#[test]
fn the_first_hits_are_relevant() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = SearchIndex::in_folder(directory.path());
    let mut writer = index.open_writer().expect("a writer");
    let homes = catalogue::homes();
    for (number, home) in (1_u64..).zip(&homes) {
        let event = catalogue::published(number, home);
        writer
            .apply(Checkpoint { sequence: Sequence::from(number), ledger: None }, &event)
            .expect("the event is taken");
    }
    writer.commit().expect("a commit");
    let view = index.view().expect("a view");

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/relevance/queries.json");
    let queries = std::fs::read_to_string(file).expect("the queries");
    let queries: Vec<Judgement> = serde_json::from_str(&queries).expect("queries as described");
    assert!(queries.len() >= 80, "{} are too few to tell anything", queries.len());

    let places = Locale::ALL.map(catalogue::places);
    let (mut gain, mut successes, mut report) = (0.0, 0.0, String::new());
    for query in &queries {
        let answers = answers(&view, query.locale, &query.q, &places[query.locale.index()]);
        let grade = |reference: &String| {
            let home = homes.iter().find(|home| home.reference == *reference);
            home.map_or(0, |home| query.grade(home, TODAY))
        };
        let grades: Vec<u32> = answers.iter().map(grade).collect();
        let mut ideal: Vec<u32> = homes.iter().map(|home| query.grade(home, TODAY)).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let best = ideal[0];
        assert!(best > 0, "`{}` asks for what is not there", query.q);
        let ndcg = ndcg(&grades, &ideal, DEPTH);
        let success = grades.iter().take(3).any(|grade| *grade == best);
        gain += ndcg;
        successes += f64::from(u8::from(success));
        if ndcg < 1.0 {
            let missed = if success { ' ' } else { '!' };
            writeln!(report, "{ndcg:.2} {missed} {:<44} {grades:?} {answers:?}", query.q)
                .expect("memory");
        }
    }
    let number = f64::from(u32::try_from(queries.len()).expect("a few"));
    let (ndcg, success) = (gain / number, successes / number);
    println!("{report}nDCG@10 {ndcg:.3}, success@3 {success:.3} over {number} queries");
    assert!(
        ndcg > MIN_SCORE && success > MIN_SCORE,
        "{report}nDCG@10 {ndcg:.3}, success@3 {success:.3}"
    );
}
