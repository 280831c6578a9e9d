//! Tests of applying a plan when homes are gone, or pictures or Directus fail.

use std::collections::HashMap;

use super::*;
use crate::{
    FetchLimits, Options,
    compare::{Change, Flat, compare},
    memory::url_fingerprint,
    store::tests::directus,
};

#[test]
fn a_home_that_comes_back_is_published_only_if_it_was_before() {
    let with = |status: &str| Flat::from([("status".to_owned(), json!(status))]);
    for (status, is_published_again) in [("published", true), ("draft", false)] {
        let values = BTreeMap::from([("status".to_owned(), fingerprint(&json!("published")))]);
        let stored = Stored {
            fields: with(status),
            memory: Some(Memory { values, ..Memory::default() }),
            ..Stored::default()
        };
        let memory = memory_after_archiving(&stored);
        let compared = compare(&with("published"), &with("archived"), Some(&memory), false);
        let found = (compared.changes.len() == 1, compared.kept.is_empty());
        assert_eq!(found, (is_published_again, is_published_again), "a home that was {status}");
    }
}

/// A client of a Directus that can't be reached, and a fetcher.
fn clients() -> (Directus, Fetcher) {
    runtime::install_crypto_provider();
    let url = "http://127.0.0.1:9/".parse().expect("an address");
    let directus = Directus::new(url, "none".into()).expect("a client");
    (directus, Fetcher::new(FetchLimits::default()).expect("a client"))
}

fn applier<'a>(directus: &'a Directus, fetcher: &'a Fetcher) -> Applier<'a> {
    Applier { directus, fetcher, outcome: Outcome::default(), places: BTreeMap::new() }
}

fn plan(options: Options) -> Plan {
    Plan {
        steps: Vec::new(),
        new_places: Vec::new(),
        unknown_places: BTreeMap::new(),
        skipped: BTreeMap::new(),
        options,
        files: HashMap::new(),
    }
}

/// A home that the feed has changed.
fn changed() -> HomePlan {
    HomePlan {
        at: "home 1".to_owned(),
        reference: "A-1".to_owned(),
        step: HomeStep::Change,
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
async fn a_home_is_imported_without_a_floor_plan_that_can_t_be_fetched() {
    let (directus, fetcher) = clients();
    let fields = ["floor_plan", "price"].map(|field| (field.to_owned(), json!(1)));
    let change = |(field, to): &(String, Value)| Change {
        field: field.clone(),
        from: Value::Null,
        to: to.clone(),
        overrides_editor: false,
    };
    let new = HomePlan {
        wanted: Flat::from(fields.clone()),
        floor_plan: Some("no address?secret".to_owned()),
        ..changed()
    };
    let values = BTreeMap::from([("floor_plan".to_owned(), fingerprint(&json!("f1")))]);
    let floor_plan =
        Some(RememberedPicture { url: url_fingerprint("before"), file: Some("f1".to_owned()) });
    let memory = Memory { values, floor_plan, ..Memory::default() };
    let existing = HomePlan {
        changes: fields.iter().map(change).collect(),
        stored: Some(Stored { memory: Some(memory.clone()), ..Stored::default() }),
        ..new.clone()
    };
    let mut plan = plan(Options::default());
    for (home, before) in [(new, Memory::default()), (existing, memory)] {
        let mut applier = applier(&directus, &fetcher);
        let home = applier.with_floor_plan(&mut plan, &home).await.expect("no request is made");
        assert_eq!(home.wanted.keys().collect::<Vec<_>>(), ["price"]);
        assert!(home.changes.iter().all(|change| change.field == "price"), "{:?}", home.changes);
        let (reference, address, _) = &applier.outcome.failed_pictures[0];
        assert_eq!((reference.as_str(), address.as_str()), ("A-1", "no address"));
        // The memory of it is unchanged, so the next run tries again.
        let now = applier.memory(&plan, &home, before.clone(), Vec::new());
        assert_eq!(now.values.get("floor_plan"), before.values.get("floor_plan"));
        assert_eq!(now.floor_plan, before.floor_plan);
    }
}

#[tokio::test]
async fn a_picture_that_can_t_be_fetched_again_stays() {
    let (directus, fetcher) = clients();
    let remembered =
        RememberedPicture { url: url_fingerprint("no address"), file: Some("f1".to_owned()) };
    let before = Memory { pictures: vec![remembered.clone()], ..Memory::default() };
    for (overwrite, shown, expected) in [
        (false, vec![(1, "f1".to_owned())], vec![remembered.clone()]),
        (true, vec![(1, "f1".to_owned())], vec![remembered.clone()]),
        // A picture that an editor has removed is still remembered.
        (false, Vec::new(), vec![remembered.clone()]),
        // With overwrite, a removed one is forgotten, since its file may be gone.
        (true, Vec::new(), Vec::new()),
    ] {
        let stored =
            Stored { memory: Some(before.clone()), pictures: shown.clone(), ..Stored::default() };
        let urls = vec!["no address".to_owned(), "never fetched".to_owned()];
        let home = HomePlan { pictures: Some(urls), stored: Some(stored), ..changed() };
        let mut plan = plan(Options { refetch_pictures: true, overwrite, ..Options::default() });
        let mut applier = applier(&directus, &fetcher);
        let pictures =
            applier.pictures(&mut plan, &home, &before).await.expect("no request is made");
        assert_eq!(pictures, expected, "overwrite: {overwrite}, shown: {shown:?}");
        assert_eq!(applier.outcome.failed_pictures.len(), 2);
    }
}

#[tokio::test]
async fn a_picture_stays_if_its_replacement_can_t_be_fetched() {
    let (directus, fetcher) = clients();
    let remembered = |number: i64| RememberedPicture {
        url: url_fingerprint(&format!("a{number}")),
        file: Some(format!("f{number}")),
    };
    let before = Memory { pictures: (1..=3).map(remembered).collect(), ..Memory::default() };
    let shown: Vec<_> = (1..=3).map(|number| (number, format!("f{number}"))).collect();
    for (overwrite, urls, shown, expected) in [
        // All have new addresses, and none can be fetched.
        (false, &["b1", "b2", "b3"][..], &shown[..], &[1, 2, 3][..]),
        (true, &["b1", "b2", "b3"], &shown[..], &[1, 2, 3]),
        (false, &["a1", "b2", "a3"], &shown[..], &[1, 2, 3]),
        // One is removed without a replacement. A failed picture that replaces none is missing.
        (false, &["a1", "a3"], &shown[..], &[1, 3]),
        (false, &["a1", "a2", "a3", "b4"], &shown[..], &[1, 2, 3]),
        // A picture that an editor has removed does not come back.
        (false, &["b1", "b2", "b3"], &shown[1..], &[2, 3]),
    ] {
        let stored =
            Stored { memory: Some(before.clone()), pictures: shown.to_vec(), ..Stored::default() };
        let named = urls.iter().map(|url| (*url).to_owned()).collect();
        let home = HomePlan { pictures: Some(named), stored: Some(stored), ..changed() };
        let mut plan = plan(Options { overwrite, ..Options::default() });
        let mut applier = applier(&directus, &fetcher);
        let pictures =
            applier.pictures(&mut plan, &home, &before).await.expect("no request is made");
        let expected: Vec<_> = expected.iter().copied().map(remembered).collect();
        assert_eq!(pictures, expected, "{urls:?}, overwrite: {overwrite}");
    }
}

#[tokio::test]
async fn a_home_changed_since_the_plan_was_made_is_left_to_the_next_run() {
    const PLANNED: &str = r#"{"data":[{"id":7,"ref":"A-1","status":"published","price":300}]}"#;
    const BY_AN_EDITOR: &str =
        r#"{"data":[{"id":7,"ref":"A-1","status":"published","price":310}]}"#;
    const BY_ANOTHER_RUN: &str = r#"{"data":[{"id":7,"ref":"A-1","status":"published",
        "price":300,"imported":{"source":"feed","key":"1"}}]}"#;
    let (_, fetcher) = clients();
    for step in [HomeStep::Change, HomeStep::Archive] {
        for (now, is_written) in [
            (PLANNED, true),
            (BY_AN_EDITOR, false),
            (BY_ANOTHER_RUN, false),
            (r#"{"data":[]}"#, false),
        ] {
            let mut answers = vec![("200 OK", PLANNED), ("200 OK", now)];
            // A write that must not happen gets no answer.
            answers.extend(is_written.then_some(("200 OK", r#"{"data":{"id":7}}"#)));
            let directus = directus(answers).await;
            let stored = store::home(&directus, 7).await.expect("an answer");
            let price = Change {
                field: "price".to_owned(),
                from: json!(300),
                to: json!(280),
                overrides_editor: false,
            };
            let mut plan = plan(Options::default());
            plan.steps = vec![HomePlan { step, changes: vec![price], stored, ..changed() }];
            let (outcome, result) = apply(&directus, &fetcher, plan, |_: &HomePlan| ()).await;
            result.expect("no other request is made");
            assert_eq!(
                outcome.changed + outcome.archived,
                usize::from(is_written),
                "{step:?}: {now}"
            );
            let refused: Vec<_> = outcome.refused.iter().map(|(name, _)| name.as_str()).collect();
            let expected = if is_written { vec![] } else { vec!["A-1"] };
            assert_eq!(refused, expected, "{step:?}: {now}");
        }
    }
}

#[tokio::test]
async fn refusals_are_reported_even_if_directus_becomes_unreachable() {
    let refusal = ("400 Bad Request", r#"{"errors":[{"message":"ref has to be unique"}]}"#);
    let directus = directus(vec![refusal]).await;
    let (_, fetcher) = clients();
    let mut plan = plan(Options::default());
    plan.steps = vec![HomePlan { step: HomeStep::Create, ..changed() }; 2];
    let (outcome, result) = apply(&directus, &fetcher, plan, |_: &HomePlan| ()).await;
    assert!(matches!(result, Err(Error::Directus(_))), "{result:?}");
    assert_eq!(outcome.refused.len(), 1, "{:?}", outcome.refused);
}

#[tokio::test]
async fn only_the_homes_of_a_refused_place_are_refused() {
    let refusal = ("400 Bad Request", r#"{"errors":[{"message":"slug must be plain"}]}"#);
    let directus = directus(vec![refusal, ("200 OK", r#"{"data":{"id":7}}"#)]).await;
    let (_, fetcher) = clients();
    let within = |reference: &str, location: Value| HomePlan {
        reference: reference.to_owned(),
        step: HomeStep::Create,
        wanted: Flat::from([("location".to_owned(), location)]),
        ..changed()
    };
    let name = "Москва 1";
    let mut plan = plan(Options::default());
    plan.new_places = vec![NewPlace { name: name.to_owned(), point: None }];
    plan.steps = vec![within("A-1", new_place_token(name)), within("A-2", json!(4))];
    let mut processed = 0;
    let (outcome, result) = apply(&directus, &fetcher, plan, |_: &HomePlan| processed += 1).await;
    result.expect("the rest is imported");
    let refused: Vec<_> = outcome.refused.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((refused, outcome.created, processed), (vec![name, "A-1"], 1, 2));
    assert!(outcome.refused[0].1.contains("slug must be plain"), "{:?}", outcome.refused);
}
