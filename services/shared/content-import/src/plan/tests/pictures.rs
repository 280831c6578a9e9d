//! Tests with pictures and floor plans.

use super::*;
use crate::memory::{RememberedPicture, url_fingerprint};

/// Returns a listing with pictures at `urls`.
fn with(key: &str, urls: &[&str]) -> Listing {
    let urls = urls.iter().map(|url| (*url).to_owned()).collect();
    Listing { pictures: Some(urls), ..listing(key) }
}

/// Returns a stored home whose only picture was fetched from `url`.
fn imported_with(key: &str, url: &str) -> Stored {
    let mut stored = imported(&with(key, &[url]));
    let file = format!("file of {url}");
    if let Some(memory) = &mut stored.memory {
        memory.pictures =
            vec![RememberedPicture { url: url_fingerprint(url), file: Some(file.clone()) }];
    }
    stored.pictures = vec![(1, file)];
    stored
}

#[test]
fn a_picture_is_fetched_once_for_all_homes() {
    let stored = [imported_with("1", "http://a/1.jpg")];
    let plan = plan_of([with("1", &["http://a/1.jpg"])], &stored, &options());
    assert_eq!((steps(&plan), plan.fetches()), (vec![HomeStep::Leave], 0));
    let plan = plan_of([with("1", &["http://a/1.jpg", "http://a/2.jpg"])], &stored, &options());
    assert_eq!((steps(&plan), plan.fetches()), (vec![HomeStep::Change], 1));
    let plan = plan_of(
        [with("1", &["http://a/1.jpg"]), with("2", &["http://a/1.jpg"])],
        &stored,
        &options(),
    );
    assert_eq!((steps(&plan), plan.fetches()), (vec![HomeStep::Leave, HomeStep::Create], 0));
}

#[test]
fn a_floor_plan_is_fetched_once_and_an_editor_s_own_stays() {
    let with = |url: &str| Listing { floor_plan: Some(url.to_owned()), ..listing("1") };
    let known = with("http://a/plan.png");
    let plan = plan_of([known.clone()], &[], &options());
    assert_eq!((steps(&plan), plan.fetches()), (vec![HomeStep::Create], 1));

    let mut stored = imported(&listing("1"));
    stored.fields.insert("floor_plan".to_owned(), json!("f1"));
    if let Some(memory) = &mut stored.memory {
        let url = url_fingerprint("http://a/plan.png");
        memory.values.insert("floor_plan".to_owned(), fingerprint(&json!("f1")));
        memory.floor_plan = Some(RememberedPicture { url, file: Some("f1".to_owned()) });
    }
    let of_one = |listing: &Listing, stored: &Stored, options: &Options| {
        let plan = plan_of([listing.clone()], std::slice::from_ref(stored), options);
        let home = &plan.steps[0];
        let changes: Vec<_> = home.changes.iter().map(|change| change.field.clone()).collect();
        (home.step, changes.join(","), home.kept.join(","), home.fetches)
    };
    let change = (HomeStep::Change, "floor_plan".to_owned(), String::new(), 1);
    let leave = (HomeStep::Leave, String::new(), String::new(), 0);
    assert_eq!(of_one(&known, &stored, &options()), leave);
    assert_eq!(of_one(&with("http://a/new.png"), &stored, &options()), change);
    let again = Options { refetch_pictures: true, ..options() };
    assert_eq!(of_one(&known, &stored, &again), change);
    // A feed without a floor plan removes none.
    assert_eq!(of_one(&listing("1"), &stored, &options()), leave);
    // A floor plan that is known from another home is not fetched again.
    let other = Listing { floor_plan: known.floor_plan.clone(), ..listing("2") };
    let plan = plan_of([known.clone(), other], std::slice::from_ref(&stored), &options());
    assert_eq!((steps(&plan), plan.fetches()), (vec![HomeStep::Leave, HomeStep::Create], 0));

    stored.fields.insert("floor_plan".to_owned(), json!("an editor's"));
    let kept = (HomeStep::Leave, String::new(), "floor_plan".to_owned(), 0);
    assert_eq!(of_one(&known, &stored, &options()), kept);
    assert_eq!(of_one(&known, &stored, &again), kept);
}

#[test]
fn a_feed_without_a_list_of_pictures_removes_none() {
    let stored = [imported_with("1", "http://a/1.jpg")];
    let silent = Listing { pictures: None, ..listing("1") };
    assert_eq!(steps(&plan_of([silent], &stored, &options())), [HomeStep::Leave]);
    assert_eq!(steps(&plan_of([with("1", &[])], &stored, &options())), [HomeStep::Change]);
}

#[test]
fn a_feed_that_removes_the_pictures_of_too_many_homes_is_refused() {
    let url = |key: i32| format!("http://a/{key}.jpg");
    let mut stored: Vec<Stored> =
        (1..=30).map(|key| imported_with(&key.to_string(), &url(key))).collect();
    // A home that had no pictures before loses none.
    stored.extend((31..=60).map(|key| imported(&listing(&key.to_string()))));
    let losing = |many: i32| {
        feed((1..=60).map(|key| {
            let pictures = if key <= many || key > 30 { vec![] } else { vec![url(key)] };
            Listing { pictures: Some(pictures), ..listing(&key.to_string()) }
        }))
    };
    let build =
        |many: i32, options: &Options| build_plan(&losing(many), &stored, &places(), options);
    let few = build(6, &options()).expect("a fifth of those that had some");
    assert_eq!(few.count(HomeStep::Change), 6);
    let refused = build(7, &options()).expect_err("these are more");
    assert!(matches!(refused, Error::TooManyWithoutPictures { without: 7, all: 30 }), "{refused}");
    assert!(refused.to_string().contains("--allow-mass-removal"), "{refused}");
    let all = Options { allow_mass_removal: true, ..options() };
    assert_eq!(build(30, &all).expect("it is meant").count(HomeStep::Change), 30);
}
