//! What the writer promises: order, versions, position, and getting over a broken directory.

#![allow(clippy::expect_used, reason = "a test may end here")]

use std::{fs, path::Path, sync::Arc};

use chrono::DateTime;
use contracts::{
    AggregateId, Change, Collection, Epoch, Event, Locale, Localized, SCHEMA_VERSION, Sequence,
    Version,
    content::{
        AnnualCosts, ListingStatus, LocationRef, Property, PropertyKind, PropertyText,
        PropertyType, Snapshot,
    },
};
use search_index::{Error, PropertyQuery, SearchIndex, Sort};
use uuid::Uuid;

fn villa(reference: &str, title: &str) -> Property {
    let text = PropertyText {
        title: title.to_owned(),
        summary: "Quiet".to_owned(),
        description: "<p>Con <b>jardín</b></p>".to_owned(),
    };
    Property {
        reference: reference.to_owned(),
        status: ListingStatus::ForSale,
        property_type: PropertyType::House,
        kind: PropertyKind::Villa,
        price: Some(400_000),
        previous_price: None,
        reduced: false,
        featured: false,
        new_build: false,
        listed_at: DateTime::UNIX_EPOCH,
        updated_at: DateTime::UNIX_EPOCH,
        bedrooms: Some(3),
        bathrooms: Some(2),
        built_area: Some(120),
        plot_area: None,
        terrace_area: None,
        year_built: None,
        floor: None,
        features: vec!["private-pool".to_owned()],
        energy: None,
        annual_costs: AnnualCosts::default(),
        coordinates: None,
        location: LocationRef {
            key: "1".to_owned(),
            slug: "competa".to_owned(),
            name: Localized { en: Some("Cómpeta".to_owned()), es: None },
        },
        images: Vec::new(),
        text: Localized { en: Some(text), es: None },
    }
}

fn event(key: &str, version: i64, property: Option<Property>) -> Event {
    Event {
        id: Uuid::nil(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Properties, key),
        version: Version(version),
        captured_at: DateTime::UNIX_EPOCH,
        change: property.map_or(Change::Removed, |property| Change::Upserted {
            snapshot: Box::new(Snapshot::Properties(property)),
        }),
    }
}

fn all(index: &SearchIndex) -> Vec<String> {
    let view = index.view().expect("the index is open");
    let found = view.search(&PropertyQuery::newest(Locale::En, 100)).expect("it can be searched");
    found.hits.into_iter().map(|hit| hit.reference).collect()
}

fn search(index: &SearchIndex, locale: Locale, text: &str) -> Vec<String> {
    let mut query = PropertyQuery::newest(locale, 100);
    query.text = Some(text.to_owned());
    query.sort = Sort::Relevance;
    let found = index.view().and_then(|view| view.search(&query)).expect("it can be searched");
    found.hits.into_iter().map(|hit| hit.reference).collect()
}

fn open(directory: &Path) -> (Arc<SearchIndex>, search_index::Writer) {
    let index = SearchIndex::under(directory);
    let writer = index.open_writer().expect("the index opens");
    (index, writer)
}

#[test]
fn a_late_or_repeated_event_changes_nothing_even_after_a_restart() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let apply = |writer: &mut search_index::Writer, at: u64, event: &Event| {
        writer.apply(Sequence::from(at), event).expect("the event is taken")
    };
    assert!(apply(&mut writer, 1, &event("7", 1, Some(villa("AH-7", "First")))));
    assert!(apply(&mut writer, 2, &event("7", 3, None)));
    assert!(!apply(&mut writer, 3, &event("7", 2, Some(villa("AH-7", "Late")))));
    assert!(apply(&mut writer, 4, &event("8", 1, Some(villa("AH-8", "Other")))));
    assert_eq!(all(&index), Vec::<String>::new(), "nothing shows before the commit");
    assert_eq!(writer.commit().expect("the commit succeeds"), Sequence::from(4));
    assert_eq!(all(&index), ["AH-8"]);
    drop(writer);

    let (index, mut writer) = open(directory.path());
    assert_eq!(writer.position(), Sequence::from(4));
    assert_eq!(all(&index), ["AH-8"]);
    let new_epoch = Sequence::new(Epoch(1), 1);
    let late = event("7", 2, Some(villa("AH-7", "Late")));
    assert!(!writer.apply(new_epoch, &late).expect("the event is taken"));
    writer.commit().expect("the commit succeeds");
    assert_eq!(all(&index), ["AH-8"], "a tombstone keeps its version");
    assert_eq!(index.view().expect("the index is open").sequence(), new_epoch);
}

#[test]
fn words_are_found_whatever_their_accents_endings_and_place() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let homes = [
        ("1", villa("AH-1001", "Sunny houses above the village")),
        ("2", villa("AH-1002", "A ruin")),
    ];
    for (position, (key, home)) in (1_u64..).zip(homes) {
        let event = event(key, 1, Some(home));
        writer.apply(Sequence::from(position), &event).expect("the event is taken");
    }
    writer.commit().expect("the commit succeeds");
    let both = ["AH-1001", "AH-1002"];
    for (locale, text, expected) in [
        (Locale::En, "ah-1002", &both[1..]),
        (Locale::En, "AH1002", &both[1..]),
        (Locale::En, "house village", &both[..1]),
        (Locale::En, "COMPETA pool", &both),
        (Locale::Es, "cómpeta piscinas jardin", &both),
        (Locale::En, "the", &both),
        (Locale::En, "castle", &[]),
        (Locale::En, "\"(*:^~", &both),
    ] {
        assert_eq!(search(&index, locale, text), expected, "{text}");
    }
    let view = index.view().expect("the index is open");
    let suggested = view.suggest(Locale::En, "sun", 5).expect("it can be searched");
    assert_eq!(suggested.len(), 1, "the beginning of a title's word");
    let suggested = view.suggest(Locale::En, "AH-10", 5).expect("it can be searched");
    assert_eq!(suggested.len(), 2, "the beginning of a reference");
}

#[test]
fn a_damaged_index_is_begun_anew_and_says_so_by_its_position() {
    for damage in [spoil_meta as fn(&Path), spoil_segments_in_a_crash] {
        let directory = tempfile::tempdir().expect("a directory");
        let (index, mut writer) = open(directory.path());
        let event = event("1", 1, Some(villa("AH-1", "Home")));
        writer.apply(Sequence::from(1), &event).expect("the event is taken");
        writer.commit().expect("the commit succeeds");
        drop(writer);
        damage(index.directory());

        let (index, mut writer) = open(directory.path());
        assert_eq!(writer.position(), Sequence::START);
        assert_eq!(all(&index), Vec::<String>::new());
        writer.apply(Sequence::from(1), &event).expect("the event is taken again");
        writer.commit().expect("the commit succeeds");
        assert_eq!(all(&index), ["AH-1"]);
    }
}

fn spoil_meta(directory: &Path) {
    fs::write(directory.join("meta.json"), "{").expect("the file can be written");
}

/// What an unsynced file may look like after the power went: as long as before, but of zeros.
fn spoil_segments_in_a_crash(directory: &Path) {
    fs::write(directory.join(".boot-id"), "an earlier start").expect("the file can be written");
    for file in fs::read_dir(directory).expect("the directory can be read") {
        let path = file.expect("the file is there").path();
        if path.extension().is_some_and(|extension| extension == "store") {
            let mut bytes = fs::read(&path).expect("the file can be read");
            let half = bytes.len() / 2;
            bytes[..half].fill(0);
            fs::write(&path, bytes).expect("the file can be written");
        }
    }
}

#[test]
fn a_second_writer_is_refused_and_harms_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let event = event("1", 1, Some(villa("AH-1", "Home")));
    writer.apply(Sequence::from(1), &event).expect("the event is taken");
    writer.commit().expect("the commit succeeds");
    let second = SearchIndex::under(directory.path());
    assert!(matches!(second.open_writer(), Err(Error::Busy(_))));
    let view = second.read_only().expect("reading needs no lock");
    assert_eq!(view.sequence(), Sequence::from(1));
    assert_eq!(all(&index), ["AH-1"]);
}
