//! `GET /api/suggest`: completions of the text being typed.

use std::{cmp::Reverse, sync::Arc};

use axum::extract::{RawQuery, State};
use contracts::{
    Locale, PROPERTY_LIST, SearchParameter, Tag, content::PropertyType, location_path,
};
use read_models::Picture;
use search_index::{
    FacetCount, Facets, FilterValue, Hit, Place, PrefixMatch, PropertyQuery, SearchAnswer, View,
    choices, prefix_match, typed_reference, understand, without_links,
};
use url::form_urlencoded;

use search_parameters::{Parameters, today};

use super::card_cache::CardCache;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    query_context::{QueryContext, QueryContextCache},
    schema::{Card, PropertyItem, Suggestion, Suggestions},
    search_counts::SearchCounts,
};

const MAX_TEXT_LENGTH: usize = 100;
const MAX_PROPERTIES: usize = 6;
const MAX_PLACES: usize = 5;
const MAX_CHOICES: usize = 4;

/// Returns searches, places, kinds, features, references and titles that complete `q`.
#[utoipa::path(
    get,
    path = "/api/suggest",
    tag = "properties",
    params(
        ("q" = String, Query, max_length = 100, example = "villa ner", description = "The text typed so far"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses((status = 200, body = Suggestions))
)]
pub(crate) async fn suggest(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Suggestions>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    let text = given.required_text("q", MAX_TEXT_LENGTH);
    given.finish()?;
    let (context, context_at) = QueryContextCache::get(&node, locale).await?;
    let search_counts = SearchCounts::current(&node).await;
    let view = node.view()?;
    let indexed_at = view.sequence();
    let found = node
        .compute("suggest", move || Candidates::of(&view, locale, &text, &context, &search_counts))
        .await??;
    let references: Vec<String> = found.hits.iter().map(|hit| hit.reference.clone()).collect();
    let (cards, sequence) = CardCache::get(&node, locale, &references).await?;
    let sequence = sequence.min(indexed_at).min(context_at);
    let body = Suggestions { items: found.into_items(&cards), sequence };
    Ok(Answer {
        body,
        sequence,
        tags: vec![Tag::PropertyList, Tag::LocationList, Tag::Site, Tag::Day],
    })
}

/// The suggestions from the index and the vocabulary, before the cards are read.
struct Candidates {
    /// Properties by reference or title.
    hits: Vec<Hit>,
    /// Whether the text is the reference of the only hit.
    is_reference: bool,
    /// Searches, places, kinds and features, the best first.
    items: Vec<Suggestion>,
}

impl Candidates {
    fn of(
        view: &View,
        locale: Locale,
        text: &str,
        context: &QueryContext,
        search_counts: &SearchCounts,
    ) -> Result<Self, search_index::Error> {
        let (text, _) = &without_links(text);
        // An exact reference comes alone: it may be the prefix of many others, or belong to a sold home.
        if let Some(reference) = view.reference(text)? {
            let hits = vec![Hit { reference }];
            return Ok(Self { hits, is_reference: true, items: Vec::new() });
        }
        let hits = view.suggest(locale, typed_reference(text), MAX_PROPERTIES)?;
        let offers = Offers::of(view, locale)?;
        let mut items = searches(view, locale, text, context, search_counts)?;
        items.extend(matching_places(locale, text, &context.places, &offers, search_counts));
        items.extend(filters(locale, text, &offers));
        Ok(Self { hits, is_reference: false, items })
    }

    fn into_items(self, cards: &[Arc<Card>]) -> Vec<Suggestion> {
        let kind = if self.is_reference { "reference" } else { "property" };
        let properties = cards.iter().map(|card| property(kind, &card.item));
        self.items.into_iter().chain(properties).collect()
    }
}

/// The facet counts of all properties on offer, and of those that are homes.
struct Offers {
    all: Arc<SearchAnswer>,
    homes: Arc<SearchAnswer>,
}

impl Offers {
    fn of(view: &View, locale: Locale) -> Result<Self, search_index::Error> {
        let all = PropertyQuery::newest(locale, 0);
        let property_types = vec![PropertyType::House, PropertyType::Apartment];
        let homes = view.search(&PropertyQuery { property_types, ..all.clone() })?;
        Ok(Self { all: view.search(&all)?, homes })
    }

    /// Returns how many have `value` in the facet that `facet` selects, and whether all of them are homes.
    fn count(&self, facet: fn(&Facets) -> &[FacetCount], value: &str) -> (u64, bool) {
        let all = count(facet(&self.all.facets), value);
        (all, all == count(facet(&self.homes.facets), value))
    }
}

fn property(kind: &str, item: &PropertyItem) -> Suggestion {
    // Without its placeholder: the picture is small and loads at once.
    let cover = item.images.first().cloned();
    Suggestion {
        kind: kind.to_owned(),
        label: format!("{} · {}", item.reference, item.title),
        url: item.url.clone(),
        count: None,
        homes: item.property_type.is_home(),
        price: item.price,
        image: cover.map(|cover| Picture { placeholder: None, ..cover }),
    }
}

/// Returns a suggestion that leads to a list of `count` properties; `homes` tells whether all are homes.
fn list(kind: &str, label: String, url: String, (count, homes): (u64, bool)) -> Suggestion {
    Suggestion {
        kind: kind.to_owned(),
        label,
        url,
        count: Some(count),
        homes,
        price: None,
        image: None,
    }
}

/// Returns the whole text as it is understood, if it has more than one part, and its completions with the
/// places whose names start with its last word, the most searched for first.
fn searches(
    view: &View,
    locale: Locale,
    text: &str,
    QueryContext { places, rate }: &QueryContext,
    search_counts: &SearchCounts,
) -> Result<Vec<Suggestion>, search_index::Error> {
    let mut texts = vec![text.trim().to_owned()];
    if let Some((before, last)) = text.trim().rsplit_once(' ') {
        let begins = |place: &&Place| prefix_match(&place.name, last) == Some(PrefixMatch::Begins);
        let mut near: Vec<_> = places.iter().filter(begins).collect();
        near.sort_by_key(|place| Reverse(search_counts.times(&place.slug)));
        texts.extend(near.into_iter().take(2).map(|place| format!("{before} {}", place.name)));
    }
    let mut items: Vec<Suggestion> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let mut understood = understand(locale, text, places, rate.map(|rate| rate.per_euro));
        let parts = understood.filters.len() + usize::from(!understood.words.is_empty());
        // A completed text, which nobody typed, must be understood completely.
        if understood.filters.is_empty() || parts < 2 || (index > 0 && !understood.words.is_empty())
        {
            continue;
        }
        let mut query = PropertyQuery { today: today(), ..PropertyQuery::newest(locale, 0) };
        understood.apply_to(&mut query);
        let label = understood.describe(locale, places);
        let found = view.search(&query)?;
        if found.total > 0 && items.iter().all(|item| item.label != label) {
            // This facet counts every type, whichever the query selects.
            let homes = match &query.property_types[..] {
                [] => count(&found.facets.property_type, PropertyType::Commercial.name()) == 0,
                asked => asked.iter().all(|each| each.is_home()),
            };
            let url = list_url(locale, SearchParameter::Words.name(), text);
            items.push(list("search", label, url, (found.total, homes)));
        }
    }
    Ok(items)
}

/// Returns the places whose names `text` may begin: best match first, then most searched for, then in the
/// order of `places`, which has a town before its parts.
fn matching_places(
    locale: Locale,
    text: &str,
    places: &[Place],
    offers: &Offers,
    search_counts: &SearchCounts,
) -> Vec<Suggestion> {
    let mut near: Vec<_> =
        places.iter().filter_map(|place| Some((prefix_match(&place.name, text)?, place))).collect();
    near.sort_by_key(|(prefix_match, place)| {
        (*prefix_match, Reverse(search_counts.times(&place.slug)))
    });
    near.into_iter()
        .take(MAX_PLACES)
        .map(|(_, place)| {
            let url = locale.path_of(&location_path(&place.slug));
            let counted = offers.count(|facets| &facets.location, &place.slug);
            list("location", capitalized(&place.name), url, counted)
        })
        .collect()
}

/// Returns `name` with a capital first letter. Within a sentence some names begin with an article: "the
/// Axarquía".
fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the kinds, types and features that are on offer.
fn filters(locale: Locale, text: &str, offers: &Offers) -> Vec<Suggestion> {
    choices(locale, text)
        .into_iter()
        .filter_map(|choice| {
            let value = choice.filter.value();
            let (kind, counted) = match choice.filter {
                FilterValue::Kind(_) => ("type", offers.count(|facets| &facets.kind, &value)),
                // This facet counts every type, in the search for homes too.
                FilterValue::PropertyType(property_type) => {
                    let (count, _) = offers.count(|facets| &facets.property_type, &value);
                    ("type", (count, property_type.is_home()))
                }
                _ => ("feature", offers.count(|facets| &facets.features, &value)),
            };
            let url = list_url(locale, choice.filter.parameter(), &value);
            (counted.0 > 0).then(|| list(kind, choice.label, url, counted))
        })
        .take(MAX_CHOICES)
        .collect()
}

fn count(counts: &[FacetCount], value: &str) -> u64 {
    counts.iter().find(|facet| facet.value == value).map_or(0, |facet| facet.count)
}

fn list_url(locale: Locale, parameter: &str, value: &str) -> String {
    let query =
        form_urlencoded::Serializer::new(String::new()).append_pair(parameter, value).finish();
    locale.path_of(&format!("{PROPERTY_LIST}?{query}"))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use contracts::{
        AggregateId, Change, Checkpoint, Collection, Event, Localized, SCHEMA_VERSION, Sequence,
        Version,
        content::{
            AnnualCosts, ListingStatus, LocationRef, Particulars, Property, PropertyKind,
            PropertyText, PropertyType, Snapshot,
        },
    };
    use search_index::SearchIndex;
    use uuid::Uuid;

    use super::*;

    fn place(slug: &str) -> Place {
        let name = match slug {
            "nerja" => "Nerja",
            "competa" => "Cómpeta",
            "maro" => "Maro",
            _ => "El Morche",
        };
        Place::new(slug, name)
    }

    fn home(reference: &str, kind: PropertyKind, slug: &str, title: &str) -> Property {
        let text = PropertyText {
            title: title.to_owned(),
            summary: String::new(),
            description: String::new(),
        };
        let name = Some(place(slug).name);
        let is_home = kind != PropertyKind::Garage;
        Property {
            reference: reference.to_owned(),
            status: ListingStatus::ForSale,
            property_type: if is_home { PropertyType::House } else { PropertyType::Commercial },
            kind,
            price: Some(350_000),
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
            features: if is_home { vec!["pool".to_owned()] } else { Vec::new() },
            energy: None,
            annual_costs: AnnualCosts::default(),
            coordinates: None,
            location: LocationRef {
                key: slug.to_owned(),
                slug: slug.to_owned(),
                name: Localized { en: name.clone(), es: name },
                ancestors: Vec::new(),
            },
            particulars: Particulars::default(),
            floor_plan: None,
            images: Vec::new(),
            text: Localized { en: Some(text.clone()), es: Some(text) },
        }
    }

    fn suggested(locale: Locale, text: &str) -> Vec<String> {
        let homes = [
            home("AH-1", PropertyKind::Villa, "nerja", "Sunny corner"),
            home("AH-1002", PropertyKind::Villa, "nerja", "Above Burriana"),
            home("AH-1003", PropertyKind::Townhouse, "competa", "By the square"),
            home("AH-1004", PropertyKind::Garage, "maro", "Under the houses"),
        ];
        suggested_among(&homes, locale, text)
    }

    /// Returns the suggestions as text (kind, label, URL, count and what is counted), then the references.
    fn suggested_among(homes: &[Property], locale: Locale, text: &str) -> Vec<String> {
        let directory = tempfile::tempdir().expect("a directory");
        let index = SearchIndex::in_folder(directory.path());
        let mut writer = index.open_writer().expect("a writer");
        for (number, home) in (1_u64..).zip(homes) {
            let event = Event {
                offers: Vec::new(),
                id: Uuid::nil(),
                schema_version: SCHEMA_VERSION,
                aggregate: AggregateId::new(Collection::Properties, number.to_string()),
                version: Version(1),
                captured_at: DateTime::UNIX_EPOCH,
                change: Change::Upserted { snapshot: Box::new(Snapshot::Properties(home.clone())) },
            };
            let at = Checkpoint { sequence: Sequence::from(number), ledger: None };
            writer.apply(at, &event).expect("the event is taken");
        }
        writer.commit().expect("a commit");
        let view = index.view().expect("a view");
        let places = ["nerja", "competa", "el-morche", "maro"].map(place).into();
        let context = QueryContext { places, rate: None };
        let search_counts = SearchCounts::default();
        let found =
            Candidates::of(&view, locale, text, &context, &search_counts).expect("an answer");
        let items = found.items.iter().map(|item| {
            let of = if item.homes { "homes" } else { "properties" };
            let count = item.count.unwrap_or_default();
            format!("{} {} {} {count} {of}", item.kind, item.label, item.url)
        });
        items.chain(found.hits.iter().map(|hit| hit.reference.clone())).collect()
    }

    #[test]
    fn places_are_suggested_with_their_counts() {
        assert_eq!(
            suggested(Locale::En, "ner"),
            ["location Nerja /property-for-sale/nerja 2 homes"]
        );
        assert_eq!(
            suggested(Locale::Es, "compet"),
            ["location Cómpeta /es/property-for-sale/competa 1 homes"]
        );
        assert_eq!(
            suggested(Locale::En, "morc"),
            ["location El Morche /property-for-sale/el-morche 0 homes"]
        );
    }

    #[test]
    fn kinds_and_features_on_offer_are_suggested() {
        assert_eq!(
            suggested(Locale::En, "vill"),
            ["type Villas /property-for-sale?kind=villa 2 homes"]
        );
        assert_eq!(
            suggested(Locale::Es, "pisicn"),
            ["feature Piscina /es/property-for-sale?features=pool 3 homes"]
        );
        assert_eq!(suggested(Locale::En, "offic"), Vec::<String>::new());
    }

    #[test]
    fn a_sentence_is_suggested_as_a_search() {
        assert_eq!(
            suggested(Locale::En, "3 bed villa nerja under 400k"),
            ["search 3-bed villas in Nerja under €400,000 \
              /property-for-sale?q=3+bed+villa+nerja+under+400k 2 homes"]
        );
        assert_eq!(
            suggested(Locale::En, "villa ner"),
            ["search Villas in Nerja /property-for-sale?q=villa+Nerja 2 homes"]
        );
    }

    #[test]
    fn a_garage_is_not_counted_as_a_home() {
        assert_eq!(
            suggested(Locale::En, "maro"),
            ["location Maro /property-for-sale/maro 1 properties"]
        );
        assert_eq!(
            suggested(Locale::Es, "garaj"),
            ["type Garajes /es/property-for-sale?kind=garage 1 properties"]
        );
        assert_eq!(
            suggested(Locale::En, "garage in maro"),
            ["search Garages in Maro /property-for-sale?q=garage+in+maro 1 properties"]
        );
        assert_eq!(
            suggested(Locale::En, "commerc"),
            ["type Commercial and land /property-for-sale?propertyType=Commercial 1 properties"]
        );
    }

    #[test]
    fn a_reference_is_suggested_alone_and_a_title_matches_with_a_typing_error() {
        assert_eq!(suggested(Locale::En, "ah1002"), ["AH-1002"]);
        assert_eq!(suggested(Locale::Es, "AH 1003"), ["AH-1003"]);
        assert_eq!(suggested(Locale::En, "burrina"), ["AH-1002"]);
    }

    #[test]
    fn a_reference_is_found_if_it_is_a_prefix_of_others() {
        let listed = |reference: &str, days| Property {
            listed_at: DateTime::UNIX_EPOCH + TimeDelta::days(days),
            ..home(reference, PropertyKind::Villa, "nerja", "Sunny corner")
        };
        let mut homes = vec![listed("AH-1", 0)];
        homes.extend((101..108).map(|number| listed(&format!("AH-{number}"), number)));
        for text in ["ah-1", "AH1", "Ref. AH-1"] {
            assert_eq!(suggested_among(&homes, Locale::En, text), ["AH-1"], "{text}");
        }
        assert_eq!(suggested_among(&homes, Locale::En, "ref ah-10").len(), MAX_PROPERTIES);
    }

    #[test]
    fn the_url_of_a_home_suggests_it_and_a_url_of_another_site_nothing() {
        let page = "https://almijara.example/es/property-for-sale/nerja/AH-1002";
        assert_eq!(suggested(Locale::En, page), ["AH-1002"]);
        let other = "https://www.idealista.com/inmueble/104567890/";
        assert_eq!(suggested(Locale::En, other), Vec::<String>::new());
    }
}
