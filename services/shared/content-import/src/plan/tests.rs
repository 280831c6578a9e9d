//! Tests of planning.

mod gone;
mod pictures;

use std::cell::Cell;

use contracts::Locale;

use super::*;
use crate::memory::fingerprint;

fn options() -> Options {
    Options { source: "feed".to_owned(), ..Options::default() }
}

fn places() -> Places {
    let nerja = json!({ "id": 4, "slug": "nerja", "status": "published",
                        "translations": [{ "name": "Nerja" }] });
    Places::new(&[nerja], &BTreeMap::new())
}

fn listing(key: &str) -> Listing {
    let fields = [
        ("ref", json!(format!("A-{key}"))),
        ("kind", json!("villa")),
        ("property_type", json!("house")),
        ("listing_status", json!("for_sale")),
        ("price", json!(300_000)),
        ("energy_rating", json!("D")),
    ];
    Listing {
        at: format!("home {key}"),
        key: key.to_owned(),
        fields: fields.into(),
        places: vec!["Nerja".to_owned()],
        pictures: Some(Vec::new()),
        ..Listing::default()
    }
}

fn feed(listings: impl IntoIterator<Item = Listing>) -> Feed {
    Feed { listings: listings.into_iter().collect(), ..Feed::default() }
}

fn plan_of(
    listings: impl IntoIterator<Item = Listing>,
    stored: &[Stored],
    options: &Options,
) -> Plan {
    build_plan(&feed(listings), stored, &places(), options).expect("a plan")
}

thread_local!(static NEXT: Cell<i64> = const { Cell::new(1) });

/// Returns the stored home after `listing` was imported.
fn imported(listing: &Listing) -> Stored {
    let plan = plan_of([listing.clone()], &[], &options());
    let home = &plan.steps[0];
    let values =
        home.wanted.iter().map(|(name, value)| (name.clone(), fingerprint(value))).collect();
    let memory =
        Memory { source: "feed".to_owned(), key: listing.key.clone(), values, ..Memory::default() };
    let id = NEXT.replace(NEXT.get() + 1);
    Stored { id, fields: home.wanted.clone(), memory: Some(memory), ..Stored::default() }
}

/// Returns `home` after its plan was applied.
fn after(mut home: Stored, plan: &Plan) -> Stored {
    let applied = &plan.steps[0];
    home.fields
        .extend(applied.changes.iter().map(|change| (change.field.clone(), change.to.clone())));
    let mut memory = home.memory.take().unwrap_or_default();
    memory.source.clone_from(&plan.options.source);
    memory.key.clone_from(&applied.key);
    memory
        .values
        .extend(applied.wanted.iter().map(|(name, value)| (name.clone(), fingerprint(value))));
    Stored { memory: Some(memory), ..home }
}

fn steps(plan: &Plan) -> Vec<HomeStep> {
    plan.steps.iter().map(|home| home.step).collect()
}

#[test]
fn a_new_home_is_published_with_a_place_and_titles() {
    let plan = plan_of([listing("1")], &[], &options());
    assert_eq!(steps(&plan), [HomeStep::Create]);
    let wanted = &plan.steps[0].wanted;
    assert_eq!(wanted["location"], 4);
    assert_eq!(wanted["status"], "published");
    assert_eq!(wanted["translations.en-GB.title"], "Villa in Nerja");
    assert_eq!(wanted["translations.es-ES.title"], "Villa en Nerja");
}

#[test]
fn importing_the_same_feed_again_does_nothing() {
    let stored = [imported(&listing("1")), imported(&listing("2"))];
    let plan = plan_of([listing("1"), listing("2")], &stored, &options());
    assert_eq!(steps(&plan), [HomeStep::Leave, HomeStep::Leave]);
    assert!(plan.does_nothing(), "{plan}");
}

#[test]
fn a_changed_price_is_the_only_change() {
    let stored = [imported(&listing("1"))];
    let mut cheaper = listing("1");
    cheaper.fields.insert("price", json!(280_000));
    let plan = plan_of([cheaper], &stored, &options());
    assert_eq!(steps(&plan), [HomeStep::Change]);
    let fields: Vec<_> = plan.steps[0].changes.iter().map(|it| it.field.as_str()).collect();
    assert_eq!(fields, ["price"]);
    assert!(plan.to_string().contains("~ A-1: price 300000 → 280000\n"), "{plan}");
}

#[test]
fn a_home_is_a_draft_until_it_has_an_energy_rating() {
    let mut without = listing("1");
    without.fields.remove("energy_rating");
    let plan = plan_of([without.clone()], &[], &options());
    assert_eq!(steps(&plan), [HomeStep::CreateDraft]);
    assert!(plan.to_string().contains("energy_rating must be a letter"), "{plan}");
    let draft = imported(&without);
    let plan = plan_of([listing("1")], std::slice::from_ref(&draft), &options());
    let status = plan.steps[0].changes.iter().find(|change| change.field == "status");
    assert_eq!(status.map(|change| &change.to), Some(&json!("published")));
    // A home that an editor has published stays published.
    let mut by_editor = draft;
    by_editor.fields.insert("status".to_owned(), json!("published"));
    by_editor.fields.insert("energy_rating".to_owned(), json!("E"));
    let plan = plan_of([without.clone()], std::slice::from_ref(&by_editor), &options());
    assert_eq!(steps(&plan), [HomeStep::Remember]);
    // If the editor then withdraws it, it stays withdrawn, even when the feed has a rating.
    let mut withdrawn = after(by_editor, &plan);
    withdrawn.fields.insert("status".to_owned(), json!("archived"));
    for feed in [without, listing("1")] {
        let plan = plan_of([feed], std::slice::from_ref(&withdrawn), &options());
        withdrawn = after(withdrawn, &plan);
        assert_eq!(withdrawn.status(), "archived", "{plan}");
    }
}

#[test]
fn a_home_withdrawn_before_its_first_import_stays_withdrawn() {
    let mut without = listing("1");
    without.fields.remove("energy_rating");
    let mut home = Stored { memory: None, ..imported(&listing("1")) };
    home.fields.insert("status".to_owned(), json!("archived"));
    for feed in [without, listing("1")] {
        let plan = plan_of([feed], std::slice::from_ref(&home), &options());
        home = after(home, &plan);
        assert_eq!(home.status(), "archived", "{plan}");
    }
}

#[test]
fn a_pending_certificate_or_an_exemption_without_reason_makes_a_draft() {
    for (rating, reason) in
        [("in_process", "energy_rating must"), ("exempt", "energy_exemption must")]
    {
        let mut unclear = listing("1");
        unclear.fields.insert("energy_rating", json!(rating));
        let plan = plan_of([unclear], &[], &options());
        assert_eq!(steps(&plan), [HomeStep::CreateDraft]);
        assert!(plan.to_string().contains(reason), "{plan}");
    }
    let mut exempt = listing("1");
    exempt.fields.insert("energy_rating", json!("exempt"));
    exempt.fields.insert("energy_exemption", json!("protected"));
    let mut plot = listing("2");
    plot.fields.insert("kind", json!("land"));
    plot.fields.remove("energy_rating");
    assert_eq!(
        steps(&plan_of([exempt, plot], &[], &options())),
        [HomeStep::Create, HomeStep::Create]
    );
}

#[test]
fn a_draft_that_waits_for_an_editor_is_not_published_by_a_later_run() {
    let waiting = Options { as_drafts: true, ..options() };
    assert_eq!(steps(&plan_of([listing("1")], &[], &waiting)), [HomeStep::CreateDraft]);
    let mut draft = imported(&listing("1"));
    draft.fields.insert("status".to_owned(), json!("draft"));
    assert_eq!(steps(&plan_of([listing("1")], &[draft], &options())), [HomeStep::Leave]);
    // A run with `as_drafts` doesn't withdraw what is published.
    assert_eq!(
        steps(&plan_of([listing("1")], &[imported(&listing("1"))], &waiting)),
        [HomeStep::Leave]
    );
}

#[test]
fn a_home_that_breaks_a_rule_is_refused_with_the_reason() {
    let mut invalid = listing("1");
    invalid.fields.extend([("price", json!(-5)), ("lat", json!(999.0))]);
    invalid.add_text(Locale::En, "title", "a".repeat(300));
    let mut elsewhere = listing("2");
    elsewhere.places = vec!["Ronda".to_owned()];
    let mut nowhere = listing("3");
    nowhere.places.clear();
    let plan = plan_of([invalid, elsewhere, nowhere, listing("4")], &[], &options());
    assert_eq!(
        steps(&plan),
        [HomeStep::Refuse, HomeStep::Refuse, HomeStep::Refuse, HomeStep::Create]
    );
    let report = plan.to_string();
    for words in [
        "! A-1 (home 1): can't be imported",
        "price must be a whole number from 0 to 1000000000, or empty; it is -5",
        "lat must be a number from -90 to 90, or empty; it is 999",
        "translations.en-GB.title must have at most 255 characters",
        "place must be a place of the site; it is \"Ronda\"",
        "? no place is called Ronda (1 home): create it in Directus",
        "place must be a place of the site; it can't be empty",
    ] {
        assert!(report.contains(words), "{words}:\n{report}");
    }
}

#[test]
fn removing_the_rating_of_a_published_home_is_refused() {
    let mut without = listing("1");
    without.fields.insert("energy_rating", Value::Null);
    let plan = plan_of([without], &[imported(&listing("1"))], &options());
    assert_eq!(steps(&plan), [HomeStep::Refuse]);
    assert!(plan.to_string().contains("energy_rating must be a letter"), "{plan}");
}

#[test]
fn a_new_place_is_created_once_if_requested() {
    let in_ronda =
        |key: &str, name: &str| Listing { places: vec![name.to_owned()], ..listing(key) };
    let options = Options { create_places: true, ..options() };
    let plan = plan_of([in_ronda("1", "Ronda"), in_ronda("2", "RONDA")], &[], &options);
    assert_eq!(steps(&plan), [HomeStep::Create, HomeStep::Create]);
    assert_eq!(plan.new_places.len(), 1);
    assert_eq!(plan.steps[0].wanted["location"], plan.steps[1].wanted["location"]);
}

#[test]
fn a_place_whose_name_or_slug_is_taken_is_not_created() {
    let place = |id: i64, slug: &str, status: &str, name: &str| {
        json!({ "id": id, "slug": slug, "status": status,
                "translations": [{ "name": name }] })
    };
    let rows = [
        place(4, "nerja", "published", "Nerja"),
        place(5, "ronda", "archived", "Ronda"),
        place(6, "a", "published", "Twins"),
        place(7, "b", "published", "Twins"),
    ];
    let places = Places::new(&rows, &BTreeMap::new());
    let within = |key: &str, name: &str| Listing { places: vec![name.to_owned()], ..listing(key) };
    let options = Options { create_places: true, ..options() };
    let feed = feed([within("1", "Ronda"), within("2", "Twins"), within("3", "-"), listing("4")]);
    let plan = build_plan(&feed, &[], &places, &options).expect("a plan");
    assert_eq!(
        steps(&plan),
        [HomeStep::Refuse, HomeStep::Refuse, HomeStep::Refuse, HomeStep::Create]
    );
    assert_eq!(plan.new_places, []);
    for name in ["Ronda", "-"] {
        assert!(
            plan.to_string().contains(&format!("? {name} can't be created (1 home)")),
            "{plan}"
        );
    }
}

#[test]
fn a_home_belongs_to_one_feed_and_occurs_in_it_once() {
    let plan = plan_of([listing("1"), listing("1")], &[], &options());
    assert_eq!(steps(&plan), [HomeStep::Create, HomeStep::Refuse]);
    let another_feed = Options { source: "another".to_owned(), ..options() };
    let plan = plan_of([listing("1")], &[imported(&listing("1"))], &another_feed);
    assert_eq!(steps(&plan), [HomeStep::Refuse]);
    assert!(plan.to_string().contains("belongs to a home of `feed`"), "{plan}");
    // A home of the first feed doesn't count as gone from the other one.
    assert_eq!(steps(&plan_of([], &[imported(&listing("1"))], &another_feed)), []);
}

#[test]
fn a_reference_that_another_home_of_the_feed_has_is_refused() {
    let home = imported(&listing("1"));
    let copied = Listing { fields: listing("1").fields, ..listing("2") };
    for feed in [[copied.clone(), listing("1")], [listing("1"), copied.clone()]] {
        let plan = plan_of(feed, std::slice::from_ref(&home), &options());
        assert_eq!((plan.count(HomeStep::Refuse), plan.count(HomeStep::Leave)), (1, 1), "{plan}");
        assert!(plan.to_string().contains("! A-1 (home 2): can't be imported"), "{plan}");
    }
    // The reference is still taken if its home changes it in the same feed.
    let renamed = Listing { fields: listing("9").fields, ..listing("1") };
    let plan = plan_of([copied.clone(), renamed.clone()], std::slice::from_ref(&home), &options());
    assert_eq!(steps(&plan), [HomeStep::Refuse, HomeStep::Change]);
    assert!(plan.to_string().contains("belongs to the home with the id `1`"), "{plan}");
    // If only the key changes, the reference still identifies the home.
    let plan = plan_of([copied], std::slice::from_ref(&home), &options());
    assert_eq!(steps(&plan), [HomeStep::Remember]);
}

#[test]
fn a_home_that_an_editor_created_keeps_its_values() {
    let mut by_editor = imported(&listing("1"));
    by_editor.memory = None;
    by_editor.fields.insert("price".to_owned(), json!(310_000));
    by_editor.pictures = vec![(1, "a".to_owned())];
    let with_pictures =
        Listing { pictures: Some(vec!["http://a/1.jpg".to_owned()]), ..listing("1") };
    let plan = plan_of([with_pictures.clone()], std::slice::from_ref(&by_editor), &options());
    assert_eq!(steps(&plan), [HomeStep::Remember]);
    assert_eq!((plan.steps[0].kept.clone(), plan.fetches()), (vec!["price".to_owned()], 0));
    let overwriting = Options { overwrite: true, ..options() };
    let plan = plan_of([with_pictures], &[by_editor], &overwriting);
    assert_eq!((steps(&plan), plan.fetches()), (vec![HomeStep::Change], 1));
}

#[test]
fn a_generated_title_is_updated_until_an_editor_changes_it() {
    let mut stored = imported(&listing("1"));
    let english = "translations.en-GB.title".to_owned();
    stored.fields.insert(english.clone(), json!("Casa Sol"));
    let renamed = json!({ "id": 4, "slug": "nerja", "status": "published", "translations": [
        { "languages_code": "en-GB", "name": "Nerja town" },
        { "languages_code": "es-ES", "name": "Nerja pueblo" },
    ]});
    let renamed = Places::new(&[renamed], &BTreeMap::new());
    let of_one = |listing: &Listing, stored: &Stored, options: &Options| {
        build_plan(&feed([listing.clone()]), std::slice::from_ref(stored), &renamed, options)
            .expect("a plan")
    };
    let overwriting = Options { overwrite: true, ..options() };
    for options in [options(), overwriting] {
        let plan = of_one(&listing("1"), &stored, &options);
        let changes: Vec<_> =
            plan.steps[0].changes.iter().map(|it| (it.field.as_str(), it.to.clone())).collect();
        let spanish = ("translations.es-ES.title", json!("Villa en Nerja pueblo"));
        assert_eq!(changes, [spanish], "the editor's title stays: {plan}");
    }
    // A title that an editor has removed does not come back by itself either.
    let mut without = stored.clone();
    without.fields.insert(english.clone(), Value::Null);
    let plan = of_one(&listing("1"), &without, &options());
    assert!(plan.steps[0].changes.iter().all(|change| change.field != english), "{plan}");
    // A title of the feed itself is written, like any field.
    let mut titled = listing("1");
    titled.add_text(Locale::En, "title", "Casa Luna".to_owned());
    let plan = of_one(&titled, &stored, &options());
    let change = plan.steps[0].changes.iter().find(|change| change.field == english);
    assert!(change.is_some_and(|it| it.to == "Casa Luna" && it.overrides_editor), "{plan}");
}

#[test]
fn the_feed_s_texts_stay_if_it_no_longer_has_any() {
    let mut with_texts = listing("1");
    with_texts.add_text(Locale::En, "title", "Casa Luna".to_owned());
    with_texts.add_text(Locale::En, "description", "<p>By the sea.</p>".to_owned());
    for options in [options(), Options { overwrite: true, ..options() }] {
        let plan = plan_of([listing("1")], &[imported(&with_texts)], &options);
        assert_eq!(steps(&plan), [HomeStep::Leave], "{plan}");
    }
}

#[test]
fn only_a_missing_title_is_generated() {
    let mut by_editor = Stored { memory: None, ..imported(&listing("1")) };
    by_editor.fields.insert("translations.en-GB.title".to_owned(), json!("Casa Sol"));
    by_editor.fields.insert("translations.es-ES.title".to_owned(), Value::Null);
    let plan = plan_of([listing("1")], &[by_editor], &options());
    let fields: Vec<_> = plan.steps[0].changes.iter().map(|it| it.field.as_str()).collect();
    assert_eq!(fields, ["translations.es-ES.title"]);
}
