use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use proptest::prelude::*;

use super::*;
use crate::security::Security;

const LIMITS: StaleLimits =
    StaleLimits { purged: Duration::from_mins(1), unverified: Duration::from_mins(1) };

fn at(number: u64) -> Sequence {
    Sequence::from(number)
}

fn page(tags: &str, sequence: u64, bytes: usize) -> Arc<Page> {
    page_of(tags, sequence, Bytes::from(vec![b'x'; bytes]))
}

fn page_of(tags: &str, sequence: u64, body: Bytes) -> Arc<Page> {
    let headers = HeaderMap::from_iter([
        (HeaderName::from_static("surrogate-key"), HeaderValue::from_str(tags).expect("tags")),
        (HeaderName::from_static("almijara-sequence"), sequence.into()),
    ]);
    let security = Security::new(&"http://localhost".parse().expect("a URL"));
    Arc::new(Page::new(StatusCode::OK, &headers, body, &security, SystemTime::now()))
}

fn followed(max_bytes: usize) -> PageCache {
    let cache = PageCache::new(max_bytes, LIMITS);
    cache.restart(at(1));
    cache
}

fn put(cache: &PageCache, key: &str, tags: &str, sequence: u64) -> Stored {
    cache.store(&key.into(), &page(tags, sequence, 1_000), cache.position()).0
}

fn purge(cache: &PageCache, tags: &[&str], sequence: u64) -> Vec<String> {
    let tags = tags.iter().map(|&tag| tag.to_owned()).collect();
    cache.purge(&tags, at(sequence), None).into_iter().map(|page| page.key.to_string()).collect()
}

#[test]
fn a_purge_removes_only_pages_with_the_tag() {
    let cache = followed(1_000_000);
    put(&cache, "/a", "site property:A", 1);
    put(&cache, "/b", "site property:B", 1);
    assert_eq!(purge(&cache, &["property:A"], 2), ["/a"]);
    assert!(cache.fresh("/a").is_none() && cache.fresh("/b").is_some());
    assert!(cache.stale("/a").is_some(), "it may be shown if it can't be rendered");
    assert!(purge(&cache, &["property:A"], 3).is_empty());
    assert_eq!(purge(&cache, &["site"], 4), ["/b"]);
}

#[test]
fn only_pages_of_the_changed_item_are_part_of_the_publish() {
    let cache = followed(1_000_000);
    put(&cache, "/a", "site property:A location:nerja", 1);
    put(&cache, "/b", "site property:B location:nerja", 1);
    put(&cache, "/list", "site list:properties", 1);
    put(&cache, "/other", "site", 1);
    let tags = ["property:A", "location:nerja", "list:properties"].map(str::to_owned);
    cache.purge(&tags.into(), at(2), Some("00-trace"));
    let is_part = |key| cache.purge_trace(key).map(|trace| trace.is_part);
    assert_eq!(is_part("/a"), Some(true));
    assert_eq!(is_part("/b"), Some(false), "it only shares the location");
    assert_eq!(is_part("/list"), Some(false));
    assert_eq!(is_part("/other"), None);
    assert_eq!(cache.purge_trace("/a").map(|trace| trace.traceparent), Some("00-trace".into()));
}

#[test]
fn the_most_specific_change_comes_first_and_then_the_most_visited() {
    let cache = followed(1_000_000);
    put(&cache, "/list", "list:properties", 1);
    put(&cache, "/busy-list", "list:properties", 1);
    put(&cache, "/one", "property:A", 1);
    for _ in 0..3 {
        cache.fresh("/busy-list");
    }
    assert_eq!(
        purge(&cache, &["list:properties", "property:A"], 2),
        ["/one", "/busy-list", "/list"]
    );
}

#[test]
fn a_page_overtaken_by_a_purge_is_rejected() {
    let cache = followed(1_000_000);
    let began = cache.position();
    purge(&cache, &["team"], 5);
    assert_eq!(cache.store(&"/t".into(), &page("team", 4, 10), began).0, Stored::OutOfDate);
    assert!(cache.fresh("/t").is_none());
    assert_eq!(cache.store(&"/t".into(), &page("team", 5, 10), began).0, Stored::Cached);
    assert!(purge(&cache, &["team"], 5).is_empty(), "a repeated event; the page includes it");
    assert!(cache.fresh("/t").is_some());
}

#[test]
fn no_page_from_before_a_restart_is_stored_after_it() {
    let cache = followed(1_000_000);
    put(&cache, "/a", "site", 9);
    let began = cache.position();
    cache.restart(at(3));
    assert!(cache.fresh("/a").is_none());
    assert_eq!(cache.store(&"/a".into(), &page("site", 9, 10), began).0, Stored::OutOfDate);
    assert_eq!(put(&cache, "/a", "site", 3), Stored::Cached);
}

#[test]
fn without_the_change_stream_a_page_is_not_trusted_for_long() {
    let cache = PageCache::new(1_000_000, LIMITS);
    assert_eq!(put(&cache, "/a", "site", 1), Stored::Cached);
    assert!(cache.fresh("/a").is_some(), "a moment is allowed");
    let deadline = Instant::now() + Duration::from_secs(10);
    while cache.fresh("/a").is_some() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(cache.stale("/a").is_some());
    cache.set_verified(true);
    assert!(cache.fresh("/a").is_some());
}

#[test]
fn a_purged_page_may_be_shown_for_a_limited_time() {
    let limits = StaleLimits { purged: Duration::ZERO, unverified: Duration::from_mins(1) };
    let cache = PageCache::new(1_000_000, limits);
    cache.restart(at(1));
    put(&cache, "/a", "site", 1);
    purge(&cache, &["site"], 2);
    assert!(cache.stale("/a").is_none());
}

#[test]
fn memory_is_bounded_and_visited_pages_stay() {
    let cache = followed(200_000);
    put(&cache, "/popular", "site", 1);
    for number in 0..500 {
        for _ in 0..4 {
            cache.fresh("/popular");
        }
        put(&cache, &format!("/{number}"), "site", 1);
        assert!(cache.size().bytes <= 200_000);
    }
    assert!(cache.fresh("/popular").is_some());
    let contents = cache.read();
    assert_eq!(
        contents.tagged["site"].len(),
        contents.slots.len(),
        "the index forgets what was evicted"
    );
}

#[test]
fn a_page_that_was_just_stored_is_not_evicted_next() {
    let cache = followed(200_000);
    for number in 0..500 {
        for key in [format!("/{number}"), format!("/again-{}", number % 7)] {
            put(&cache, &key, "site", 1);
            assert!(cache.is_fresh(&key), "{key}");
        }
    }
    let large = page("site", 1, 20_000);
    assert_eq!(cache.store(&"/large".into(), &large, cache.position()).0, Stored::Cached);
    assert!(cache.is_fresh("/large"));
    put(&cache, "/later", "site", 1);
    assert!(cache.is_fresh("/large") && cache.is_fresh("/later"));
}

#[test]
fn a_page_that_was_just_stored_stays_when_all_others_are_visited() {
    let cache = followed(200_000);
    for number in 0..500 {
        let key = format!("/{number}");
        put(&cache, &key, "site", 1);
        assert!(cache.is_fresh(&key), "{key}");
        for visited in 0..=number {
            drop(cache.fresh(&format!("/{visited}")));
        }
    }
}

#[test]
fn purged_pages_are_evicted_before_current_ones() {
    let cache = followed(200_000);
    for number in 1_000..1_500 {
        put(&cache, &format!("/{number}"), "site", 1);
    }
    let fits = cache.size().pages;
    assert_eq!(purge(&cache, &["site"], 2).len(), fits);
    let new: Vec<_> = (2_000..2_000 + fits / 2).map(|number| format!("/{number}")).collect();
    for key in &new {
        put(&cache, key, "site", 2);
    }
    assert!(new.iter().all(|key| cache.is_fresh(key)));
}

#[test]
fn a_packed_page_replaces_its_source_and_counts_less() {
    let cache = followed(1_000_000);
    let page = page("site", 1, 100_000);
    cache.store(&"/a".into(), &page, cache.position());
    let before = cache.size().bytes;
    assert!(before > 100_000);
    let packed = Arc::new(page.packed().expect("a smaller form"));
    cache.replace("/a", &page, packed.clone());
    assert!(cache.size().bytes < 10_000, "{}", cache.size().bytes);
    assert!(Arc::ptr_eq(&cache.fresh("/a").expect("the page"), &packed));

    purge(&cache, &["site"], 2);
    put(&cache, "/a", "site", 2);
    let newer = cache.fresh("/a").expect("a newer page");
    cache.replace("/a", &page, packed);
    assert!(
        Arc::ptr_eq(&cache.fresh("/a").expect("the page"), &newer),
        "a late replacement is dropped"
    );
}

#[test]
fn the_same_memory_holds_ten_times_as_many_pages_packed() {
    let fits = |pack: bool| {
        let cache = followed(2_000_000);
        for number in 0..1_000 {
            // About as much of the body differs from page to page as in a real list of homes.
            let words: Vec<_> = (0..1_500).map(|word| (word * number % 977).to_string()).collect();
            let markup = "<li class=\"card\"><a href=\"/property-for-sale/nerja/AH-1\"></a></li>";
            let body = words.join(" ") + &markup.repeat(1_000);
            let page = page_of("site", 1, Bytes::from(body));
            let key: Arc<str> = format!("/{number}").into();
            if cache.store(&key, &page, cache.position()).0 == Stored::Cached
                && pack
                && let Some(packed) = page.packed()
            {
                cache.replace(&key, &page, Arc::new(packed));
            }
        }
        cache.size().pages
    };
    let (plain, packed) = (fits(false), fits(true));
    assert!(packed >= plain * 10, "{plain} as they are, {packed} packed");
}

proptest! {
    /// Whatever is stored, purged and evicted: a page returned as current was made from a position that
    /// includes every purge of its tags, and the accounting of bytes, current pages and tags is right.
    #[test]
    fn no_history_leaves_an_outdated_page_fresh(
        steps in proptest::collection::vec((0..3u8, 0..6usize, 0..4usize, 0..4usize, 0..3u64), 1..60)
    ) {
        let tags = ["site", "team", "property:A", "list:properties"];
        let cache = followed(30_000);
        let mut now = 1;
        let mut purged: HashMap<&str, u64> = HashMap::new();
        for (step, key, tag, other, lag) in steps {
            let key = format!("/{key}");
            match step {
                0 => {
                    now += 1;
                    purged.insert(tags[tag], now);
                    purge(&cache, &[tags[tag]], now);
                }
                1 => { put(&cache, &key, &format!("{} {}", tags[tag], tags[other]), now.saturating_sub(lag)); }
                _ => { cache.fresh(&key); }
            }
            for number in 0..6 {
                if let Some(page) = cache.fresh(&format!("/{number}")) {
                    for tag in &page.tags {
                        let last = purged.get(tag.as_ref()).copied().unwrap_or(0);
                        prop_assert!(page.sequence.get() >= last);
                    }
                }
            }
            let contents = cache.read();
            prop_assert_eq!(contents.bytes, contents.slots.values().map(|slot| slot.weight).sum::<usize>());
            prop_assert_eq!(contents.current, contents.slots.values().filter(|slot| slot.purged.is_none()).count());
            for (tag, keys) in &contents.tagged {
                for key in keys {
                    prop_assert!(contents.slots[key].page.tags.contains(tag));
                }
            }
        }
    }
}

#[test]
fn an_operators_purge_ignores_the_position_of_pages() {
    let cache = followed(1 << 20);
    for (key, tags) in [("/a", "site team"), ("/b", "site page:b"), ("/c", "site page:c")] {
        assert_eq!(put(&cache, key, tags, 5), Stored::Cached);
    }
    let began = cache.position();
    let keys = |removed: Vec<PurgedPage>| -> BTreeSet<String> {
        removed.into_iter().map(|page| page.key.to_string()).collect()
    };
    let tags = BTreeSet::from(["team".to_owned(), "page:b".to_owned(), "page:none".to_owned()]);
    assert_eq!(keys(cache.drop_tagged(&tags)), BTreeSet::from(["/a".to_owned(), "/b".to_owned()]));
    assert!(cache.fresh("/a").is_none() && cache.fresh("/c").is_some());
    let counts = || (cache.size().pages, cache.size().current);
    assert_eq!(counts(), (3, 1), "purged pages stay, and are counted apart");
    // A render that began before the purge is rejected. A later one is cached, although nothing was
    // published.
    let late = cache.store(&"/a".into(), &page("site team", 5, 10), began).0;
    assert_eq!(late, Stored::OutOfDate);
    assert_eq!(put(&cache, "/a", "site team", 5), Stored::Cached);
    assert!(cache.fresh("/a").is_some());
    assert_eq!(counts(), (3, 2));
    assert_eq!(keys(cache.drop_all()), BTreeSet::from(["/a".to_owned(), "/c".to_owned()]));
    assert!(cache.fresh("/c").is_none());
    assert_eq!(counts(), (3, 0));
    assert_eq!(put(&cache, "/a", "site team", 5), Stored::Cached);
    cache.restart(at(6));
    assert_eq!(counts(), (3, 0), "after a restart no page is current");
}
