//! Checks the writer's guarantees: order, versions, position, and recovery from a broken directory.

#![allow(clippy::expect_used, reason = "a test may end here")]

use std::{
    fs::{self, File},
    io::ErrorKind,
    path::Path,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use chrono::DateTime;
use contracts::{
    AggregateId, Change, Checkpoint, Collection, Epoch, Event, LedgerId, Locale, Localized,
    SCHEMA_VERSION, Sequence, Version,
    content::{
        AnnualCosts, ListingStatus, LocationRef, Particulars, Property, PropertyKind, PropertyText,
        PropertyType, Snapshot,
    },
};
use search_index::{Error, PropertyQuery, SearchIndex, Sort};
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};
use uuid::Uuid;

const LEDGER: LedgerId = LedgerId(Uuid::from_u128(7));

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
            ancestors: Vec::new(),
        },
        particulars: Particulars::default(),
        floor_plan: None,
        images: Vec::new(),
        text: Localized { en: Some(text), es: None },
    }
}

/// Returns the position `number` in the log of these tests.
fn at(number: u64) -> Checkpoint {
    Checkpoint::new(LEDGER, Sequence::from(number))
}

fn event(key: &str, version: i64, property: Option<Property>) -> Event {
    Event {
        offers: Vec::new(),
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
    found.hits.iter().map(|hit| hit.reference.clone()).collect()
}

fn search(index: &SearchIndex, locale: Locale, text: &str) -> Vec<String> {
    let mut query = PropertyQuery::newest(locale, 100);
    query.text = Some(text.to_owned());
    query.sort = Sort::Relevance;
    let found = index.view().and_then(|view| view.search(&query)).expect("it can be searched");
    found.hits.iter().map(|hit| hit.reference.clone()).collect()
}

fn open(directory: &Path) -> (Arc<SearchIndex>, search_index::Writer) {
    let index = SearchIndex::in_folder(directory);
    let writer = index.open_writer().expect("the index opens");
    (index, writer)
}

#[test]
fn a_late_or_repeated_event_changes_nothing_even_after_a_restart() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let apply = |writer: &mut search_index::Writer, number: u64, event: &Event| {
        writer.apply(at(number), event).expect("the event is taken")
    };
    assert!(apply(&mut writer, 1, &event("7", 1, Some(villa("AH-7", "First")))));
    assert!(apply(&mut writer, 2, &event("7", 3, None)));
    assert!(!apply(&mut writer, 3, &event("7", 2, Some(villa("AH-7", "Late")))));
    assert!(apply(&mut writer, 4, &event("8", 1, Some(villa("AH-8", "Other")))));
    assert_eq!(all(&index), Vec::<String>::new(), "nothing shows before the commit");
    assert_eq!(writer.commit().expect("the commit succeeds"), at(4));
    assert_eq!(all(&index), ["AH-8"]);
    drop(writer);

    let (index, mut writer) = open(directory.path());
    assert_eq!(writer.checkpoint(), at(4));
    assert_eq!(all(&index), ["AH-8"]);
    let new_epoch = Checkpoint::new(LEDGER, Sequence::new(Epoch(1), 1));
    let late = event("7", 2, Some(villa("AH-7", "Late")));
    assert!(!writer.apply(new_epoch, &late).expect("the event is taken"));
    writer.commit().expect("the commit succeeds");
    assert_eq!(all(&index), ["AH-8"], "a tombstone keeps its version");
    assert_eq!(index.view().expect("the index is open").sequence(), new_epoch.sequence);
}

#[test]
fn an_index_that_lacks_a_message_is_rebuilt_when_it_is_opened() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let before = event("1", 1, Some(villa("AH-1", "Before it")));
    writer.apply(at(1), &before).expect("the event is taken");
    writer.skip(at(2));
    let after = event("3", 1, Some(villa("AH-3", "After it")));
    writer.apply(at(3), &after).expect("the event is taken");
    assert_eq!(writer.commit().expect("the commit succeeds"), at(3));
    assert_eq!(all(&index).len(), 2, "it is searched all the same");
    drop(writer);

    let (index, mut writer) = open(directory.path());
    assert_eq!((writer.checkpoint(), all(&index).len()), (Checkpoint::START, 0));
    let mended = event("2", 1, Some(villa("AH-2", "Mended")));
    for (position, event) in [(1, &before), (2, &mended), (3, &after)] {
        writer.apply(at(position), event).expect("the event is taken");
    }
    writer.commit().expect("the commit succeeds");
    drop(writer);
    let (index, writer) = open(directory.path());
    assert_eq!((writer.checkpoint(), all(&index).len()), (at(3), 3));
}

#[test]
fn words_are_found_in_any_field_without_accents_and_with_other_endings() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let homes = [
        ("1", villa("AH-1001", "Sunny houses above the village")),
        ("2", villa("AH-1002", "A ruin")),
    ];
    for (position, (key, home)) in (1_u64..).zip(homes) {
        let event = event(key, 1, Some(home));
        writer.apply(at(position), &event).expect("the event is taken");
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
fn a_home_is_found_by_a_reference_of_any_format() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let homes = ["AH-1", "AH-1042", "R4567890", "1234567", "V-10234", "AH-100001", "VILLA-12"];
    for (position, reference) in (1_u64..).zip(homes) {
        let mut home = villa(reference, "Home");
        if reference == "V-10234" {
            home.status = ListingStatus::Sold;
        }
        let event = event(reference, 1, Some(home));
        writer.apply(at(position), &event).expect("the event is taken");
    }
    writer.apply(at(9), &event("1234567", 2, None)).expect("the event is taken");
    writer.commit().expect("the commit succeeds");
    let view = index.view().expect("the index is open");
    for (text, reference) in [
        ("r4567890", Some("R4567890")),
        ("R-4567890", Some("R4567890")),
        ("\"R4567890\"", Some("R4567890")),
        ("V 10234", Some("V-10234")),
        ("Ref. v10234", Some("V-10234")),
        ("ah-100001", Some("AH-100001")),
        ("villa 12", Some("VILLA-12")),
        ("AH-1", Some("AH-1")),
        // The home was removed.
        ("1234567", None),
        // A part of a reference, and more than a reference.
        ("1042", None),
        ("10234", None),
        ("villa", None),
        ("R4567890 nerja", None),
        ("", None),
    ] {
        let found = view.reference(text).expect("it can be searched");
        assert_eq!(found.as_deref(), reference, "{text}");
    }
    let understood = |text| view.understand(Locale::En, text, &[], None).expect("an answer");
    let found = understood("r 4567890");
    assert_eq!((&*found.words, found.filters.len(), found.is_reference), ("R4567890", 0, true));
    assert_eq!(understood("under 4567890").filters.len(), 1, "that is a price");
}

#[test]
fn a_damaged_index_is_rebuilt_from_the_start() {
    for (ending, content) in
        [("meta.json", "{"), (".managed.json", "{"), (".fast", "short"), (".store", "short")]
    {
        let directory = tempfile::tempdir().expect("a directory");
        let (index, mut writer) = open(directory.path());
        let event = event("1", 1, Some(villa("AH-1", "Home")));
        writer.apply(at(1), &event).expect("the event is taken");
        writer.commit().expect("the commit succeeds");
        drop(writer);
        let files = fs::read_dir(index.directory()).expect("a folder");
        drop(index);
        let mut damaged = 0;
        for file in files.map(|file| file.expect("a file").path()) {
            if file.to_string_lossy().ends_with(ending) {
                fs::write(file, content).expect("the file can be written");
                damaged += 1;
            }
        }
        assert_ne!(damaged, 0, "{ending}");

        let (index, mut writer) = open(directory.path());
        assert_eq!(writer.checkpoint(), Checkpoint::START, "{ending}");
        assert_eq!(all(&index), Vec::<String>::new());
        writer.apply(at(1), &event).expect("the event is taken again");
        writer.commit().expect("the commit succeeds");
        assert_eq!(all(&index), ["AH-1"]);
    }
}

#[test]
fn the_disk_always_has_a_complete_commit_with_its_position() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let mut copies = Vec::new();
    for number in 1..=40_u64 {
        let home = villa(&format!("AH-{number}"), "Home");
        let event = event(&(number % 7).to_string(), number.cast_signed(), Some(home));
        writer.apply(at(number), &event).expect("the event is taken");
        writer.commit().expect("the commit succeeds");
        if number % 13 == 0 {
            wait_until_saved(&index, Sequence::from(number));
            // Copies what a crash at this moment would leave, and adds an unfinished file.
            let copy = tempfile::tempdir().expect("a directory");
            let target = SearchIndex::in_folder(copy.path());
            copy_files(index.directory(), target.directory());
            fs::write(target.directory().join("0123.store"), "half").expect("it can be written");
            copies.push((number, copy));
        }
    }
    for (number, copy) in copies {
        let (index, writer) = open(copy.path());
        assert_eq!(writer.checkpoint(), at(number));
        assert_eq!(all(&index).len(), 7);
        assert!(!index.directory().join("0123.store").exists(), "leftovers are removed");
    }
    drop(writer);
    let (index, writer) = open(directory.path());
    assert_eq!(writer.checkpoint(), at(40), "ending well saves the rest");
    assert_eq!(all(&index).len(), 7);
}

#[test]
fn an_index_that_cannot_be_saved_is_still_searchable_and_reports_for_how_long() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    assert_eq!(writer.unsaved_for(), Duration::ZERO);
    // The temporary file of the commit's metadata is blocked by a directory.
    let in_the_way = index.directory().join("meta.unfinished");
    fs::create_dir(&in_the_way).expect("the directory can be made");
    // The lock file is blocked too, as on a read-only disk.
    let lock = index.directory().join(".tantivy-meta.lock");
    fs::create_dir(&lock).expect("nothing is locked there");
    writer.apply(at(1), &event("1", 1, Some(villa("AH-1", "Home")))).expect("the event is taken");
    writer.commit().expect("a commit does not need the disk");
    wait_until("saving fails", || !writer.unsaved_for().is_zero());
    assert_eq!(all(&index), ["AH-1"]);
    fs::remove_dir(&in_the_way).expect("the directory can be removed");
    wait_until_saved(&index, Sequence::from(1));
    wait_until("saving is well again", || writer.unsaved_for().is_zero());
}

fn wait_until_saved(index: &SearchIndex, position: Sequence) {
    wait_until(&format!("{position} is saved"), || {
        index.read_only().map(|view| view.sequence()).ok() >= Some(position)
    });
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !holds() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Copies a consistent state of the index; retries if a save ends meanwhile.
fn copy_files(from: &Path, to: &Path) {
    let commit = || fs::read(from.join("meta.json")).expect("a commit is on disk");
    loop {
        let before = commit();
        fs::create_dir_all(to).expect("the directory can be made");
        for file in fs::read_dir(from).expect("the directory can be read") {
            let name = file.expect("the file is listed").file_name();
            match fs::copy(from.join(&name), to.join(&name)) {
                // A file that vanishes while the commit is unchanged is not part of it.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                copied => assert!(copied.is_ok(), "{copied:?}"),
            }
        }
        if commit() == before {
            return;
        }
        fs::remove_dir_all(to).expect("the copy can be removed");
    }
}

#[test]
fn a_second_writer_is_rejected_without_harm() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let event = event("1", 1, Some(villa("AH-1", "Home")));
    writer.apply(at(1), &event).expect("the event is taken");
    writer.commit().expect("the commit succeeds");
    wait_until_saved(&index, Sequence::from(1));
    let second = SearchIndex::in_folder(directory.path());
    assert!(matches!(second.open_writer(), Err(Error::Busy(_))));
    let view = second.read_only().expect("reading needs no lock");
    assert_eq!(view.sequence(), Sequence::from(1));
    assert_eq!(all(&index), ["AH-1"]);
}

#[test]
fn a_rebuilt_index_is_searched_once_it_is_shown() {
    let directory = tempfile::tempdir().expect("a directory");
    let (index, mut writer) = open(directory.path());
    let lost = event("7", 5, Some(villa("AH-7", "Of a time that was undone")));
    writer.apply(at(9), &lost).expect("the event is taken");
    writer.commit().expect("the commit succeeds");
    drop(writer);

    let mut writer = index.open_empty().expect("the index can be rebuilt");
    assert_eq!(writer.checkpoint(), Checkpoint::START);
    assert!(!writer.is_visible());
    // An event of another history has a lower version at a lower position.
    let first = event("8", 1, Some(villa("AH-8", "Of the log as it is")));
    writer.apply(at(1), &first).expect("the event is taken");
    writer.commit().expect("the commit succeeds");
    assert_eq!(all(&index), ["AH-7"], "the previous index is still searched");
    writer.make_visible().expect("it can be searched");
    assert_eq!(all(&index), ["AH-8"]);
    let second = event("9", 1, Some(villa("AH-9", "And goes on")));
    writer.apply(at(2), &second).expect("the event is taken");
    writer.commit().expect("the commit succeeds");
    assert_eq!(all(&index), ["AH-8", "AH-9"]);
    drop(writer);
    let (index, writer) = open(directory.path());
    assert_eq!((writer.checkpoint(), all(&index).len()), (at(2), 2), "it is what is on disk");
}

#[test]
fn indexes_of_former_forms_are_deleted_a_week_after_their_last_commit() {
    let parent = tempfile::tempdir().expect("a folder");
    let folder = |name: &str, days: u64| {
        let folder = parent.path().join(name);
        fs::create_dir(&folder).expect("it can be made");
        fs::write(folder.join("meta.json"), "{}").expect("it can be written");
        let at = SystemTime::now() - Duration::from_hours(24 * days);
        File::open(&folder).and_then(|opened| opened.set_modified(at)).expect("it has a time");
        folder
    };
    let [old, numbered] =
        ["properties-0123456789abcdef", "properties-v12"].map(|name| folder(name, 8));
    let kept = [folder("properties-fedcba9876543210", 6), folder("pictures-1", 8)];
    let used = folder("properties-00000000000000ff", 8);
    let of_another = MmapDirectory::open(&used).expect("a folder");
    let lock = of_another.acquire_lock(&INDEX_WRITER_LOCK).expect("nobody has it");
    // The lock's file was added to the folder just now.
    File::open(&used)
        .and_then(|opened| opened.set_modified(SystemTime::UNIX_EPOCH))
        .expect("it has a time");

    let index = SearchIndex::in_folder(parent.path());
    drop(index.open_writer().expect("it can be written"));
    assert!(!old.exists() && !numbered.exists());
    assert!(kept.iter().all(|folder| folder.exists()) && used.exists());
    assert!(index.directory().exists());

    drop(lock);
    drop(index.open_writer().expect("it can be written"));
    assert!(!used.exists());
}
