//! What becomes of homes that have left their feed.

use super::*;

#[test]
fn what_has_left_is_listed_and_archived_only_where_that_is_wanted() {
    let stored: Vec<Stored> = (1..=30).map(|key| made(&listing(&key.to_string()))).collect();
    let some = |last: i32| (1..=last).map(|key| listing(&key.to_string()));
    let plan = of(some(28), &stored, &options());
    assert_eq!(plan.count(Step::Gone), 2);
    assert!(plan.does_nothing(), "{plan}");
    let archiving = Options { archive_gone: true, ..options() };
    assert_eq!(of(some(28), &stored, &archiving).count(Step::Archive), 2);
    let refused = planned(&feed(some(20)), &stored, &places(), &archiving);
    assert!(matches!(refused, Err(Error::TooManyGone { gone: 10, all: 30 })), "a third of them");
    let nothing = planned(&feed([]), &stored[..1], &places(), &archiving);
    assert!(matches!(nothing, Err(Error::TooManyGone { .. })), "an empty feed removes nothing");
    // Of few homes most have to go to be too many, and one alone may always.
    for (last, homes, is_refused) in [(3, 8, true), (4, 8, false), (1, 3, true), (2, 3, false)] {
        let planned = planned(&feed(some(last)), &stored[..homes], &places(), &archiving);
        assert_eq!(planned.is_err(), is_refused, "{last} of {homes}");
    }
    assert_eq!(of([listing("99")], &stored[..1], &archiving).count(Step::Archive), 1);
    let all = Options { allow_mass_removal: true, ..archiving };
    assert_eq!(of(some(20), &stored, &all).count(Step::Archive), 10);
    // A home that can't be taken has not left.
    let wrong = Listing { places: vec!["Ronda".to_owned()], ..listing("1") };
    assert_eq!(steps(&of([wrong], &stored[..1], &all)), [Step::Refuse]);
}

#[test]
fn a_home_that_comes_back_is_published_again() {
    let mut archived = made(&listing("1"));
    archived.fields.insert("status".to_owned(), json!("archived"));
    if let Some(memory) = &mut archived.memory {
        memory.values.insert("status".to_owned(), mark(&json!("archived")));
    }
    let plan = of([listing("1")], &[archived], &options());
    let fields: Vec<_> = plan.steps[0].changes.iter().map(|it| it.field.as_str()).collect();
    assert_eq!((steps(&plan), fields), (vec![Step::Change], vec!["status"]));
}

#[test]
fn what_an_editor_publishes_again_after_it_has_left_stays() {
    let mut stored: Vec<Stored> = (1..=9).map(|key| made(&listing(&key.to_string()))).collect();
    for home in &mut stored[..7] {
        if let Some(memory) = &mut home.memory {
            memory.values.insert("status".to_owned(), mark(&json!("archived")));
        }
    }
    let archiving = Options { archive_gone: true, ..options() };
    for options in [options(), archiving] {
        let plan = of([listing("8"), listing("9")], &stored, &options);
        assert_eq!((plan.count(Step::Archive), plan.count(Step::Gone)), (0, 7), "{plan}");
        let line = "- A-1: has left the feed, and stays; as an editor has it: status\n";
        assert!(plan.to_string().contains(line), "{plan}");
    }
}
