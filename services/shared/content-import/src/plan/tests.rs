//! What becomes of homes.

mod gone;
mod pictures;

use std::cell::Cell;

use contracts::Locale;

use super::*;
use crate::memory::mark;

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

fn of(listings: impl IntoIterator<Item = Listing>, stored: &[Stored], options: &Options) -> Plan {
    planned(&feed(listings), stored, &places(), options).expect("a plan")
}

thread_local!(static NEXT: Cell<i64> = const { Cell::new(1) });

/// The home as it stands after it was made of `listing`.
fn made(listing: &Listing) -> Stored {
    let plan = of([listing.clone()], &[], &options());
    let home = &plan.steps[0];
    let values = home.wanted.iter().map(|(name, value)| (name.clone(), mark(value))).collect();
    let memory =
        Memory { source: "feed".to_owned(), key: listing.key.clone(), values, ..Memory::default() };
    let id = NEXT.replace(NEXT.get() + 1);
    Stored { id, fields: home.wanted.clone(), memory: Some(memory), ..Stored::default() }
}

/// `home` after the plan for it was done.
fn after(mut home: Stored, plan: &Plan) -> Stored {
    let done = &plan.steps[0];
    home.fields.extend(done.changes.iter().map(|change| (change.field.clone(), change.to.clone())));
    let mut memory = home.memory.take().unwrap_or_default();
    memory.source.clone_from(&plan.options.source);
    memory.key.clone_from(&done.key);
    memory.values.extend(done.wanted.iter().map(|(name, value)| (name.clone(), mark(value))));
    Stored { memory: Some(memory), ..home }
}

fn steps(plan: &Plan) -> Vec<Step> {
    plan.steps.iter().map(|home| home.step).collect()
}

#[test]
fn a_new_home_has_what_it_needs_to_be_published() {
    let plan = of([listing("1")], &[], &options());
    assert_eq!(steps(&plan), [Step::Create]);
    let wanted = &plan.steps[0].wanted;
    assert_eq!(wanted["location"], 4);
    assert_eq!(wanted["status"], "published");
    assert_eq!(wanted["translations.en-GB.title"], "Villa in Nerja");
    assert_eq!(wanted["translations.es-ES.title"], "Villa en Nerja");
}

#[test]
fn the_same_feed_again_does_nothing() {
    let stored = [made(&listing("1")), made(&listing("2"))];
    let plan = of([listing("1"), listing("2")], &stored, &options());
    assert_eq!(steps(&plan), [Step::Leave, Step::Leave]);
    assert!(plan.does_nothing(), "{plan}");
}

#[test]
fn a_changed_price_is_the_only_change() {
    let stored = [made(&listing("1"))];
    let mut cheaper = listing("1");
    cheaper.fields.insert("price", json!(280_000));
    let plan = of([cheaper], &stored, &options());
    assert_eq!(steps(&plan), [Step::Change]);
    let fields: Vec<_> = plan.steps[0].changes.iter().map(|it| it.field.as_str()).collect();
    assert_eq!(fields, ["price"]);
    assert!(plan.to_string().contains("~ A-1: price 300000 → 280000\n"), "{plan}");
}

#[test]
fn without_an_energy_rating_it_is_a_draft_until_it_has_one() {
    let mut without = listing("1");
    without.fields.remove("energy_rating");
    let plan = of([without.clone()], &[], &options());
    assert_eq!(steps(&plan), [Step::CreateDraft]);
    assert!(plan.to_string().contains("energy_rating must be a letter"), "{plan}");
    let draft = made(&without);
    let plan = of([listing("1")], std::slice::from_ref(&draft), &options());
    let status = plan.steps[0].changes.iter().find(|change| change.field == "status");
    assert_eq!(status.map(|change| &change.to), Some(&json!("published")));
    // One that an editor has published stays so.
    let mut by_hand = draft;
    by_hand.fields.insert("status".to_owned(), json!("published"));
    by_hand.fields.insert("energy_rating".to_owned(), json!("E"));
    let plan = of([without.clone()], std::slice::from_ref(&by_hand), &options());
    assert_eq!(steps(&plan), [Step::Remember]);
    // And one that they withdraw then stays withdrawn, also when the feed has a rating at last.
    let mut withdrawn = after(by_hand, &plan);
    withdrawn.fields.insert("status".to_owned(), json!("archived"));
    for feed in [without, listing("1")] {
        let plan = of([feed], std::slice::from_ref(&withdrawn), &options());
        withdrawn = after(withdrawn, &plan);
        assert_eq!(withdrawn.status(), "archived", "{plan}");
    }
}

#[test]
fn a_home_that_an_editor_had_withdrawn_before_its_feed_came_stays_so() {
    let mut without = listing("1");
    without.fields.remove("energy_rating");
    let mut home = Stored { memory: None, ..made(&listing("1")) };
    home.fields.insert("status".to_owned(), json!("archived"));
    for feed in [without, listing("1")] {
        let plan = of([feed], std::slice::from_ref(&home), &options());
        home = after(home, &plan);
        assert_eq!(home.status(), "archived", "{plan}");
    }
}

#[test]
fn a_certificate_on_its_way_and_an_exemption_without_its_reason_make_a_draft() {
    for (rating, told) in
        [("in_process", "energy_rating must"), ("exempt", "energy_exemption must")]
    {
        let mut unclear = listing("1");
        unclear.fields.insert("energy_rating", json!(rating));
        let plan = of([unclear], &[], &options());
        assert_eq!(steps(&plan), [Step::CreateDraft]);
        assert!(plan.to_string().contains(told), "{plan}");
    }
    let mut exempt = listing("1");
    exempt.fields.insert("energy_rating", json!("exempt"));
    exempt.fields.insert("energy_exemption", json!("protected"));
    let mut plot = listing("2");
    plot.fields.insert("kind", json!("land"));
    plot.fields.remove("energy_rating");
    assert_eq!(steps(&of([exempt, plot], &[], &options())), [Step::Create, Step::Create]);
}

#[test]
fn what_waits_for_an_editor_is_not_published_by_a_later_run() {
    let waiting = Options { as_drafts: true, ..options() };
    assert_eq!(steps(&of([listing("1")], &[], &waiting)), [Step::CreateDraft]);
    let mut draft = made(&listing("1"));
    draft.fields.insert("status".to_owned(), json!("draft"));
    assert_eq!(steps(&of([listing("1")], &[draft], &options())), [Step::Leave]);
    // Nor does it take away what is published.
    assert_eq!(steps(&of([listing("1")], &[made(&listing("1"))], &waiting)), [Step::Leave]);
}

#[test]
fn what_breaks_a_rule_is_refused_and_named() {
    let mut wrong = listing("1");
    wrong.fields.extend([("price", json!(-5)), ("lat", json!(999.0))]);
    wrong.say(Locale::En, "title", "a".repeat(300));
    let mut elsewhere = listing("2");
    elsewhere.places = vec!["Ronda".to_owned()];
    let mut nowhere = listing("3");
    nowhere.places.clear();
    let plan = of([wrong, elsewhere, nowhere, listing("4")], &[], &options());
    assert_eq!(steps(&plan), [Step::Refuse, Step::Refuse, Step::Refuse, Step::Create]);
    let told = plan.to_string();
    for words in [
        "! A-1 (home 1): can't be taken",
        "price must be a whole number from 0 to 1000000000, or empty; it is -5",
        "lat must be a number from -90 to 90, or empty; it is 999",
        "translations.en-GB.title must have at most 255 characters",
        "place must be a place of the site; it is \"Ronda\"",
        "? no place is called Ronda (1 home): make it in Directus",
        "place must be a place of the site; it can't be empty",
    ] {
        assert!(told.contains(words), "{words}:\n{told}");
    }
}

#[test]
fn what_takes_a_rating_from_a_published_home_is_refused() {
    let mut without = listing("1");
    without.fields.insert("energy_rating", Value::Null);
    let plan = of([without], &[made(&listing("1"))], &options());
    assert_eq!(steps(&plan), [Step::Refuse]);
    assert!(plan.to_string().contains("energy_rating must be a letter"), "{plan}");
}

#[test]
fn a_place_is_made_once_where_that_is_wanted() {
    let in_ronda =
        |key: &str, name: &str| Listing { places: vec![name.to_owned()], ..listing(key) };
    let options = Options { create_places: true, ..options() };
    let plan = of([in_ronda("1", "Ronda"), in_ronda("2", "RONDA")], &[], &options);
    assert_eq!(steps(&plan), [Step::Create, Step::Create]);
    assert_eq!(plan.new_places.len(), 1);
    assert_eq!(plan.steps[0].wanted["location"], plan.steps[1].wanted["location"]);
}

#[test]
fn a_place_that_can_t_have_its_own_name_and_address_is_not_made_and_the_rest_goes_in() {
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
    let plan = planned(&feed, &[], &places, &options).expect("a plan");
    assert_eq!(steps(&plan), [Step::Refuse, Step::Refuse, Step::Refuse, Step::Create]);
    assert_eq!(plan.new_places, []);
    for name in ["Ronda", "-"] {
        assert!(plan.to_string().contains(&format!("? {name} can't be made (1 home)")), "{plan}");
    }
}

#[test]
fn a_home_is_one_feed_s_and_stands_there_once() {
    let plan = of([listing("1"), listing("1")], &[], &options());
    assert_eq!(steps(&plan), [Step::Create, Step::Refuse]);
    let another_s = Options { source: "another".to_owned(), ..options() };
    let plan = of([listing("1")], &[made(&listing("1"))], &another_s);
    assert_eq!(steps(&plan), [Step::Refuse]);
    assert!(plan.to_string().contains("is a home's of `feed`"), "{plan}");
    // Nor does the other's feed know of the first one's home.
    assert_eq!(steps(&of([], &[made(&listing("1"))], &another_s)), []);
}

#[test]
fn a_reference_that_another_home_of_the_feed_has_is_nobody_else_s() {
    let home = made(&listing("1"));
    let copied = Listing { fields: listing("1").fields, ..listing("2") };
    for feed in [[copied.clone(), listing("1")], [listing("1"), copied.clone()]] {
        let plan = of(feed, std::slice::from_ref(&home), &options());
        assert_eq!((plan.count(Step::Refuse), plan.count(Step::Leave)), (1, 1), "{plan}");
        assert!(plan.to_string().contains("! A-1 (home 2): can't be taken"), "{plan}");
    }
    // One that gives it away in the same feed has it until then.
    let renamed = Listing { fields: listing("9").fields, ..listing("1") };
    let plan = of([copied.clone(), renamed.clone()], std::slice::from_ref(&home), &options());
    assert_eq!(steps(&plan), [Step::Refuse, Step::Change]);
    assert!(plan.to_string().contains("is that of the home with the id `1`"), "{plan}");
    // A home whose id was given anew is the same one.
    let plan = of([copied], std::slice::from_ref(&home), &options());
    assert_eq!(steps(&plan), [Step::Remember]);
}

#[test]
fn a_home_that_an_editor_made_is_taken_over_as_it_is() {
    let mut by_hand = made(&listing("1"));
    by_hand.memory = None;
    by_hand.fields.insert("price".to_owned(), json!(310_000));
    by_hand.pictures = vec![(1, "a".to_owned())];
    let with_pictures =
        Listing { pictures: Some(vec!["http://a/1.jpg".to_owned()]), ..listing("1") };
    let plan = of([with_pictures.clone()], std::slice::from_ref(&by_hand), &options());
    assert_eq!(steps(&plan), [Step::Remember]);
    assert_eq!((plan.steps[0].kept.clone(), plan.fetches()), (vec!["price".to_owned()], 0));
    let overwriting = Options { overwrite: true, ..options() };
    let plan = of([with_pictures], &[by_hand], &overwriting);
    assert_eq!((steps(&plan), plan.fetches()), (vec![Step::Change], 1));
}

#[test]
fn a_title_that_was_made_follows_the_site_s_words_until_an_editor_has_another() {
    let mut stored = made(&listing("1"));
    let english = "translations.en-GB.title".to_owned();
    stored.fields.insert(english.clone(), json!("Casa Sol"));
    let renamed = json!({ "id": 4, "slug": "nerja", "status": "published", "translations": [
        { "languages_code": "en-GB", "name": "Nerja town" },
        { "languages_code": "es-ES", "name": "Nerja pueblo" },
    ]});
    let renamed = Places::new(&[renamed], &BTreeMap::new());
    let of_one = |listing: &Listing, stored: &Stored, options: &Options| {
        planned(&feed([listing.clone()]), std::slice::from_ref(stored), &renamed, options)
            .expect("a plan")
    };
    let overwriting = Options { overwrite: true, ..options() };
    for options in [options(), overwriting] {
        let plan = of_one(&listing("1"), &stored, &options);
        let changes: Vec<_> =
            plan.steps[0].changes.iter().map(|it| (it.field.as_str(), it.to.clone())).collect();
        let spanish = ("translations.es-ES.title", json!("Villa en Nerja pueblo"));
        assert_eq!(changes, [spanish], "an editor's title goes: {plan}");
    }
    // One that an editor has taken away does not come back by itself either.
    let mut without = stored.clone();
    without.fields.insert(english.clone(), Value::Null);
    let plan = of_one(&listing("1"), &without, &options());
    assert!(plan.steps[0].changes.iter().all(|change| change.field != english), "{plan}");
    // What the feed itself says is taken, as of every field.
    let mut titled = listing("1");
    titled.say(Locale::En, "title", "Casa Luna".to_owned());
    let plan = of_one(&titled, &stored, &options());
    let change = plan.steps[0].changes.iter().find(|change| change.field == english);
    assert!(change.is_some_and(|it| it.to == "Casa Luna" && it.over_an_editor_s), "{plan}");
}

#[test]
fn a_title_of_the_feed_stays_with_its_texts_where_it_says_nothing_more_of_them() {
    let mut told = listing("1");
    told.say(Locale::En, "title", "Casa Luna".to_owned());
    told.say(Locale::En, "description", "<p>By the sea.</p>".to_owned());
    for options in [options(), Options { overwrite: true, ..options() }] {
        let plan = of([listing("1")], &[made(&told)], &options);
        assert_eq!(steps(&plan), [Step::Leave], "{plan}");
    }
}

#[test]
fn a_home_without_a_title_is_filled_in_and_one_with_a_title_is_not() {
    let mut by_hand = Stored { memory: None, ..made(&listing("1")) };
    by_hand.fields.insert("translations.en-GB.title".to_owned(), json!("Casa Sol"));
    by_hand.fields.insert("translations.es-ES.title".to_owned(), Value::Null);
    let plan = of([listing("1")], &[by_hand], &options());
    let fields: Vec<_> = plan.steps[0].changes.iter().map(|it| it.field.as_str()).collect();
    assert_eq!(fields, ["translations.es-ES.title"]);
}
