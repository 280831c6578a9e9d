//! Events result in the same rows, in any order and with any repetitions.

use contracts::{AggregateId, Checkpoint, Collection, Event, Sequence, content::Snapshot};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};

use serde_json::Value;
use testkit::log::LEDGER;

use crate::fixtures::{
    apply_all, apply_batch, database, dump, home, id, place, read_models_in, removed, upserted,
};

/// A change of an aggregate: removed, or a home with a price and whether it is in Nerja.
type Step = (usize, Option<(i64, bool)>);

fn events(history: &[Step]) -> Vec<Event> {
    let mut versions = [0; 4];
    history
        .iter()
        .map(|(aggregate, state)| {
            versions[*aggregate] += 1;
            let version = versions[*aggregate];
            let key = aggregate.to_string();
            if *aggregate == 3 {
                let id = AggregateId::new(Collection::Locations, key);
                return match state {
                    Some((price, _)) => upserted(&id, version, place(&format!("p{price}"))),
                    None => removed(&id, version),
                };
            }
            match state {
                Some((price, nerja)) => {
                    let place = if *nerja { "nerja" } else { "torrox" };
                    let home = home(&format!("AH-{aggregate}"), place, *price);
                    upserted(&id(&key), version, Snapshot::Properties(home))
                }
                None => removed(&id(&key), version),
            }
        })
        .collect()
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    vec((0_usize..4, proptest::option::weighted(0.8, (1_i64..5, any::<bool>()))), 1..12)
}

/// Returns a history, and the same events with some repeated, shuffled, and split into batches.
fn delivery() -> impl Strategy<Value = (Vec<Event>, Vec<Vec<Event>>)> {
    (history(), vec(any::<prop::sample::Index>(), 0..6), 1_usize..5).prop_flat_map(
        |(history, repeats, size)| {
            let clean = events(&history);
            let mut all = clean.clone();
            all.extend(repeats.iter().map(|index| index.get(&clean).clone()));
            Just(all).prop_shuffle().prop_map(move |shuffled| {
                (clean.clone(), shuffled.chunks(size).map(<[Event]>::to_vec).collect())
            })
        },
    )
}

async fn rows_after(batches: &[Vec<Event>]) -> Vec<Value> {
    let database = testkit::postgres().await.database("replay").await;
    let (pool, mut generation) = read_models_in(&database).await;
    for batch in batches {
        apply_batch(&pool, &mut generation, batch).await;
    }
    let rows = dump(&pool, &generation).await;
    pool.close().await;
    database.remove().await;
    rows
}

#[test]
fn repeated_reordered_and_batched_histories_result_in_the_same_rows() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let mut runner =
        TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    let result = runner.run(&delivery(), |(clean, batches)| {
        let one_by_one: Vec<_> = clean.chunks(1).map(<[Event]>::to_vec).collect();
        let expected = runtime.block_on(rows_after(&one_by_one));
        let found = runtime.block_on(rows_after(&batches));
        prop_assert_eq!(found, expected);
        Ok(())
    });
    result.expect("no history gives other rows");
}

#[tokio::test]
async fn a_process_with_an_outdated_position_changes_nothing() {
    let (pool, mut ours) = database("two_processes").await;
    let mut theirs = ours.clone();
    let first = upserted(&id("1"), 1, Snapshot::Properties(home("AH-1", "nerja", 1)));
    apply_all(&pool, &mut theirs, &[first]).await;
    let before = dump(&pool, &ours).await;
    let second = upserted(&id("1"), 2, Snapshot::Properties(home("AH-1", "nerja", 2)));
    let message =
        projections::Message { sequence: Sequence::from(1), event: &second, traceparent: None };
    let to = Checkpoint::new(LEDGER, message.sequence);
    let applied = projections::apply(&pool, &ours, Sequence::START, to, &[message]).await;
    assert_eq!(applied.expect("it is no failure"), projections::Applied::Conflict);
    assert_eq!(dump(&pool, &ours).await, before);
    ours.checkpoint = theirs.checkpoint;
    apply_all(&pool, &mut ours, &[removed(&id("1"), 2)]).await;
    assert_ne!(dump(&pool, &ours).await, before);
}
