//! Tests with homes that have left their feed.

use super::*;

#[test]
fn homes_that_left_the_feed_are_archived_only_if_requested() {
    let stored: Vec<Stored> = (1..=30).map(|key| imported(&listing(&key.to_string()))).collect();
    let some = |last: i32| (1..=last).map(|key| listing(&key.to_string()));
    let plan = plan_of(some(28), &stored, &options());
    assert_eq!(plan.count(HomeStep::Gone), 2);
    assert!(plan.does_nothing(), "{plan}");
    let archiving = Options { archive_gone: true, ..options() };
    assert_eq!(plan_of(some(28), &stored, &archiving).count(HomeStep::Archive), 2);
    let refused = build_plan(&feed(some(20)), &stored, &places(), &archiving);
    assert!(matches!(refused, Err(Error::TooManyGone { gone: 10, all: 30 })), "a third of them");
    let nothing = build_plan(&feed([]), &stored[..1], &places(), &archiving);
    assert!(matches!(nothing, Err(Error::TooManyGone { .. })), "an empty feed removes nothing");
    // With few homes, only more than half are too many. A single one is always allowed.
    for (last, homes, is_refused) in [(3, 8, true), (4, 8, false), (1, 3, true), (2, 3, false)] {
        let plan = build_plan(&feed(some(last)), &stored[..homes], &places(), &archiving);
        assert_eq!(plan.is_err(), is_refused, "{last} of {homes}");
    }
    assert_eq!(plan_of([listing("99")], &stored[..1], &archiving).count(HomeStep::Archive), 1);
    let all = Options { allow_mass_removal: true, ..archiving };
    assert_eq!(plan_of(some(20), &stored, &all).count(HomeStep::Archive), 10);
    // A home that can't be imported has not left the feed.
    let invalid = Listing { places: vec!["Ronda".to_owned()], ..listing("1") };
    assert_eq!(steps(&plan_of([invalid], &stored[..1], &all)), [HomeStep::Refuse]);
}

#[test]
fn a_home_that_comes_back_is_published_again() {
    let mut archived = imported(&listing("1"));
    archived.fields.insert("status".to_owned(), json!("archived"));
    if let Some(memory) = &mut archived.memory {
        memory.values.insert("status".to_owned(), fingerprint(&json!("archived")));
    }
    let plan = plan_of([listing("1")], &[archived], &options());
    let fields: Vec<_> = plan.steps[0].changes.iter().map(|it| it.field.as_str()).collect();
    assert_eq!((steps(&plan), fields), (vec![HomeStep::Change], vec!["status"]));
}

#[test]
fn a_home_that_an_editor_publishes_after_it_left_the_feed_stays() {
    let mut stored: Vec<Stored> = (1..=9).map(|key| imported(&listing(&key.to_string()))).collect();
    for home in &mut stored[..7] {
        if let Some(memory) = &mut home.memory {
            memory.values.insert("status".to_owned(), fingerprint(&json!("archived")));
        }
    }
    let archiving = Options { archive_gone: true, ..options() };
    for options in [options(), archiving] {
        let plan = plan_of([listing("8"), listing("9")], &stored, &options);
        assert_eq!((plan.count(HomeStep::Archive), plan.count(HomeStep::Gone)), (0, 7), "{plan}");
        let line = "- A-1: has left the feed, and stays; kept as edited: status\n";
        assert!(plan.to_string().contains(line), "{plan}");
    }
}
