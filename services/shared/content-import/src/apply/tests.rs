//! What is done where something is gone or can't be had.

use std::collections::HashMap;

use super::*;
use crate::{
    FetchLimits, Options,
    compare::{Change, Flat, compare},
    memory::mark_of_url,
    store::tests::directus,
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

/// A Directus that nobody can ask, and who fetches.
fn clients() -> (Directus, Fetcher) {
    runtime::install_crypto_provider();
    let url = "http://127.0.0.1:9/".parse().expect("an address");
    let directus = Directus::new(url, "none".into()).expect("a client");
    (directus, Fetcher::new(FetchLimits::default()).expect("a client"))
}

fn work<'a>(directus: &'a Directus, fetcher: &'a Fetcher) -> Work<'a> {
    Work { directus, fetcher, done: Done::default(), places: BTreeMap::new() }
}

fn plan(options: Options) -> Plan {
    Plan {
        steps: Vec::new(),
        new_places: Vec::new(),
        unknown_places: BTreeMap::new(),
        left: BTreeMap::new(),
        options,
        files: HashMap::new(),
    }
}

/// A home that the feed has changed.
fn changed() -> HomePlan {
    HomePlan {
        at: "home 1".to_owned(),
        reference: "A-1".to_owned(),
        step: Step::Change,
        changes: Vec::new(),
        kept: Vec::new(),
        reasons: Vec::new(),
        fetches: 0,
        key: "1".to_owned(),
        wanted: Flat::new(),
        pictures: None,
        floor_plan: None,
        stored: None,
    }
}

#[tokio::test]
async fn a_floor_plan_that_can_t_be_had_is_told_and_the_home_goes_in_without_it() {
    let (directus, fetcher) = clients();
    let fields = ["floor_plan", "price"].map(|field| (field.to_owned(), json!(1)));
    let change = |(field, to): &(String, Value)| Change {
        field: field.clone(),
        from: Value::Null,
        to: to.clone(),
        over_an_editor_s: false,
    };
    let new = HomePlan {
        wanted: Flat::from(fields.clone()),
        floor_plan: Some("no address?secret".to_owned()),
        ..changed()
    };
    let values = BTreeMap::from([("floor_plan".to_owned(), mark(&json!("f1")))]);
    let floor_plan = Some(Remembered { url: mark_of_url("before"), file: Some("f1".to_owned()) });
    let memory = Memory { values, floor_plan, ..Memory::default() };
    let there = HomePlan {
        changes: fields.iter().map(change).collect(),
        stored: Some(Stored { memory: Some(memory.clone()), ..Stored::default() }),
        ..new.clone()
    };
    let mut plan = plan(Options::default());
    for (home, before) in [(new, Memory::default()), (there, memory)] {
        let mut work = work(&directus, &fetcher);
        let home = work.with_floor_plan(&mut plan, &home).await.expect("nobody is asked");
        assert_eq!(home.wanted.keys().collect::<Vec<_>>(), ["price"]);
        assert!(home.changes.iter().all(|change| change.field == "price"), "{:?}", home.changes);
        let (reference, address, _) = &work.done.failed_pictures[0];
        assert_eq!((reference.as_str(), address.as_str()), ("A-1", "no address"));
        // What is remembered of it is what was, so the next run tries again.
        let now = work.memory(&plan, &home, before.clone(), Vec::new());
        assert_eq!(now.values.get("floor_plan"), before.values.get("floor_plan"));
        assert_eq!(now.floor_plan, before.floor_plan);
    }
}

#[tokio::test]
async fn a_picture_that_can_t_be_fetched_again_stays() {
    let (directus, fetcher) = clients();
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
        let urls = vec!["no address".to_owned(), "never had".to_owned()];
        let home = HomePlan { pictures: Some(urls), stored: Some(stored), ..changed() };
        let mut plan = plan(Options { refetch_pictures: true, overwrite, ..Options::default() });
        let mut work = work(&directus, &fetcher);
        let pictures = work.pictures(&mut plan, &home, &before).await.expect("nobody is asked");
        assert_eq!(pictures, expected, "overwrite: {overwrite}, shown: {shown:?}");
        assert_eq!(work.done.failed_pictures.len(), 2);
    }
}

#[tokio::test]
async fn a_picture_whose_successor_can_t_be_had_stays_in_its_place() {
    let (directus, fetcher) = clients();
    let had = |number: i64| Remembered {
        url: mark_of_url(&format!("a{number}")),
        file: Some(format!("f{number}")),
    };
    let before = Memory { pictures: (1..=3).map(had).collect(), ..Memory::default() };
    let shown: Vec<_> = (1..=3).map(|number| (number, format!("f{number}"))).collect();
    for (overwrite, urls, shown, expected) in [
        // All have another address, where none can be had.
        (false, &["b1", "b2", "b3"][..], &shown[..], &[1, 2, 3][..]),
        (true, &["b1", "b2", "b3"], &shown[..], &[1, 2, 3]),
        (false, &["a1", "b2", "a3"], &shown[..], &[1, 2, 3]),
        // One goes without another in its place, and what is new and can't be had is missing.
        (false, &["a1", "a3"], &shown[..], &[1, 3]),
        (false, &["a1", "a2", "a3", "b4"], &shown[..], &[1, 2, 3]),
        // What an editor has taken away does not come back.
        (false, &["b1", "b2", "b3"], &shown[1..], &[2, 3]),
    ] {
        let stored =
            Stored { memory: Some(before.clone()), pictures: shown.to_vec(), ..Stored::default() };
        let named = urls.iter().map(|url| (*url).to_owned()).collect();
        let home = HomePlan { pictures: Some(named), stored: Some(stored), ..changed() };
        let mut plan = plan(Options { overwrite, ..Options::default() });
        let mut work = work(&directus, &fetcher);
        let pictures = work.pictures(&mut plan, &home, &before).await.expect("nobody is asked");
        let expected: Vec<_> = expected.iter().copied().map(had).collect();
        assert_eq!(pictures, expected, "{urls:?}, overwrite: {overwrite}");
    }
}

#[tokio::test]
async fn what_was_changed_since_the_plan_was_made_is_left_to_the_next_run() {
    const PLANNED: &str = r#"{"data":[{"id":7,"ref":"A-1","status":"published","price":300}]}"#;
    const BY_AN_EDITOR: &str =
        r#"{"data":[{"id":7,"ref":"A-1","status":"published","price":310}]}"#;
    const BY_ANOTHER_RUN: &str = r#"{"data":[{"id":7,"ref":"A-1","status":"published",
        "price":300,"imported":{"source":"feed","key":"1"}}]}"#;
    let (_, fetcher) = clients();
    for step in [Step::Change, Step::Archive] {
        for (now, is_written) in [
            (PLANNED, true),
            (BY_AN_EDITOR, false),
            (BY_ANOTHER_RUN, false),
            (r#"{"data":[]}"#, false),
        ] {
            let mut answers = vec![("200 OK", PLANNED), ("200 OK", now)];
            // Nobody answers what must not be asked.
            answers.extend(is_written.then_some(("200 OK", r#"{"data":{"id":7}}"#)));
            let directus = directus(answers).await;
            let stored = store::home(&directus, 7).await.expect("an answer");
            let price = Change {
                field: "price".to_owned(),
                from: json!(300),
                to: json!(280),
                over_an_editor_s: false,
            };
            let mut plan = plan(Options::default());
            plan.steps = vec![HomePlan { step, changes: vec![price], stored, ..changed() }];
            let (done, ended) = apply(&directus, &fetcher, plan, |_: &HomePlan| ()).await;
            ended.expect("nothing else is asked");
            assert_eq!(done.changed + done.archived, usize::from(is_written), "{step:?}: {now}");
            let refused: Vec<_> = done.refused.iter().map(|(whose, _)| whose.as_str()).collect();
            let expected = if is_written { vec![] } else { vec!["A-1"] };
            assert_eq!(refused, expected, "{step:?}: {now}");
        }
    }
}

#[tokio::test]
async fn what_was_refused_is_told_where_directus_goes_away_too() {
    let refusal = ("400 Bad Request", r#"{"errors":[{"message":"ref has to be unique"}]}"#);
    let directus = directus(vec![refusal]).await;
    let (_, fetcher) = clients();
    let mut plan = plan(Options::default());
    plan.steps = vec![HomePlan { step: Step::Create, ..changed() }; 2];
    let (done, ended) = apply(&directus, &fetcher, plan, |_: &HomePlan| ()).await;
    assert!(matches!(ended, Err(Error::Directus(_))), "{ended:?}");
    assert_eq!(done.refused.len(), 1, "{:?}", done.refused);
}

#[tokio::test]
async fn a_place_that_is_refused_takes_its_homes_with_it_and_no_others() {
    let refusal = ("400 Bad Request", r#"{"errors":[{"message":"slug must be plain"}]}"#);
    let directus = directus(vec![refusal, ("200 OK", r#"{"data":{"id":7}}"#)]).await;
    let (_, fetcher) = clients();
    let within = |reference: &str, location: Value| HomePlan {
        reference: reference.to_owned(),
        step: Step::Create,
        wanted: Flat::from([("location".to_owned(), location)]),
        ..changed()
    };
    let name = "Москва 1";
    let mut plan = plan(Options::default());
    plan.new_places = vec![NewPlace { name: name.to_owned(), point: None }];
    plan.steps = vec![within("A-1", new_place_mark(name)), within("A-2", json!(4))];
    let mut seen = 0;
    let (done, ended) = apply(&directus, &fetcher, plan, |_: &HomePlan| seen += 1).await;
    ended.expect("the rest goes in");
    let refused: Vec<_> = done.refused.iter().map(|(whose, _)| whose.as_str()).collect();
    assert_eq!((refused, done.created, seen), (vec![name, "A-1"], 1, 2));
    assert!(done.refused[0].1.contains("slug must be plain"), "{:?}", done.refused);
}
