//! Builds a query as one statement of Postgres, as a careful engineer would write it.
//!
//! A narrow, indexed table has the columns that are filtered, sorted and counted; another has the cards,
//! built in advance in each language. The statement selects once the rows that fail at most one of the
//! filters with a facet. Those that fail none give the items, the total and, by grouping sets, the
//! facets of filters that are not set. Each filter that is set needs another count, without itself.

use std::collections::BTreeMap;

use contracts::{Locale, content::LocationRef};
use search_index::{BUILT_AREA_EDGES, PLOT_AREA_EDGES, PRICE_EDGES, PropertyQuery, Sort};

/// The tables and their indexes.
pub const SCHEMA: &str = "
    create table listing (
        id int primary key, ref text not null, status text not null, property_type text not null,
        kind text not null, location text not null, price bigint, bedrooms int, bathrooms int,
        built int, plot int, energy text, features bigint not null, reduced boolean not null, featured boolean not null,
        listed_at timestamptz not null, lat double precision, lng double precision,
        words_en tsvector not null, words_es tsvector not null
    );
    create table card (id int primary key, en jsonb not null, es jsonb not null);
    create index on listing (location, price);
    create index on listing (price, ref);
    create index on listing ((property_type = 'Commercial'), listed_at desc, ref);
    create index on listing (property_type, price);
    create index on listing (kind, price);
    create index on listing (energy);
    create index on listing (bedrooms, price);
    create index on listing (lat, lng);
    create index on listing (ref) where reduced;
    create index on listing (ref) where featured;
    create index on listing using gin (words_en);
    create index on listing using gin (words_es);";

/// The columns that are counted by value. Features are the bits of one column, and are counted bit by bit.
const FACETS: [&str; 13] = [
    "property_type",
    "kind",
    "location",
    "status",
    "bedrooms",
    "bathrooms",
    "energy",
    "new_within",
    "reduced",
    "featured",
    "price_bar",
    "built_bar",
    "plot_bar",
];
const FEATURES: &str = "features";

/// The names that statements use.
#[derive(Debug, Default)]
pub struct Names {
    /// The features; the index of each is its bit.
    features: Vec<String>,
    /// Places, by slug.
    places: BTreeMap<String, LocationRef>,
}

impl Names {
    /// Adds `place`, unless it is known.
    pub fn add_place(&mut self, place: &LocationRef) {
        self.places.entry(place.slug.clone()).or_insert_with(|| place.clone());
    }

    /// Returns the bits of `features`, and adds those that are not known yet.
    pub fn bits(&mut self, features: &[String]) -> i64 {
        features.iter().fold(0, |bits, feature| bits | 1 << position(&mut self.features, feature))
    }

    /// Returns the statement that answers `query`.
    pub fn statement(&self, query: &PropertyQuery) -> String {
        let soft = self.facet_filters(query);
        let fails = |name: &str| format!("(not coalesce({name}_fits, false))::int");
        let fits: Vec<String> =
            soft.iter().map(|(name, condition)| format!("{condition} as {name}_fits")).collect();
        let failed: Vec<String> = soft.iter().map(|(name, _)| fails(name)).collect();
        let failed = if failed.is_empty() { "0".to_owned() } else { failed.join(" + ") };
        let extra = if fits.is_empty() { String::new() } else { format!(", {}", fits.join(", ")) };
        let (words, hard) = hard_filters(query);
        let rank = words.map_or("0".to_owned(), |words| {
            format!("ts_rank(words_{}, {words})", query.locale.code())
        });
        let is_set = |facet: &str| soft.iter().any(|(name, _)| *name == facet);
        let plain: Vec<&str> = FACETS.into_iter().filter(|name| !is_set(name)).collect();
        let sets: Vec<String> = plain.iter().map(|name| format!("({name})")).collect();
        let sets = [sets, vec!["()".to_owned()]].concat().join(", ");
        // Distinguishes the grouping sets; that of the total has the greatest value.
        let plain = if plain.is_empty() {
            "0 as grouped_by".to_owned()
        } else {
            let names = plain.join(", ");
            format!("{names}, grouping({names}) as grouped_by")
        };
        let own = |name: &str| if is_set(name) { fails(name) } else { "0".to_owned() };
        let set = FACETS.into_iter().filter(|name| is_set(name)).map(|name| {
            format!(
                ", '{name}', (select json_agg(f) from (
                    select {name}, count(*) as count from near where failed = {} group by 1) as f)",
                own(name)
            )
        });
        let set: Vec<String> = set.collect();
        let features = self.feature_counts();
        let order = order(query.sort);
        format!(
            "with fitting as (
                 select id, ref, property_type, kind, location, status, bedrooms, bathrooms, energy,
                     reduced, featured, features, price, listed_at, {rank} as rank,
                     width_bucket(price, array{PRICE_EDGES:?}) as price_bar,
                     width_bucket(built, array{BUILT_AREA_EDGES:?}) as built_bar,
                     width_bucket(plot, array{PLOT_AREA_EDGES:?}) as plot_bar,
                     case when listed_at >= {today} - interval '7 days' then 7
                          when listed_at >= {today} - interval '30 days' then 30
                          when listed_at >= {today} - interval '90 days' then 90
                     end as new_within {extra}
                 from listing where {hard}
             ), near as materialized (
                 select * from (select *, {failed} as failed from fitting) as f where failed <= 1
             )
             select json_build_object(
                 'items', (select json_agg(c.{locale} order by {order}) from (
                     select * from near where failed = 0 order by {order} limit {limit} offset {offset}
                 ) as p join card c using (id)),
                 'plain', (select json_agg(f) from (
                     select {plain}, count(*) as count from near where failed = 0
                     group by grouping sets ({sets})) as f),
                 '{FEATURES}', {features} {set})::text",
            locale = query.locale.code(),
            limit = query.limit,
            offset = query.offset,
            set = set.concat(),
            today = today(query),
        )
    }

    /// Each feature is counted among the rows that fail no filter: how many are left with this one too.
    fn feature_counts(&self) -> String {
        let counts: Vec<String> = self
            .features
            .iter()
            .enumerate()
            .map(|(bit, name)| {
                let mask = 1_i64 << bit;
                format!("count(*) filter (where features & {mask} <> 0) as \"{name}\"")
            })
            .collect();
        format!(
            "(select row_to_json(f) from (select {} from near where failed = 0) as f)",
            counts.join(", ")
        )
    }

    /// Returns the conditions of filters that have a facet.
    fn facet_filters(&self, query: &PropertyQuery) -> Vec<(&'static str, String)> {
        let mut filters = Vec::new();
        if !query.property_types.is_empty() {
            filters.push(("property_type", one_of("property_type", &query.property_types)));
        }
        if !query.locations.is_empty() {
            let is_wanted = |slug: &str| query.locations.iter().any(|wanted| wanted == slug);
            let places = self.places.iter();
            let places: Vec<&String> = places
                .filter(|(_, place)| place.self_and_ancestors().any(is_wanted))
                .map(|(slug, _)| slug)
                .collect();
            filters.push(("location", one_of("location", &places)));
        }
        let status = if query.statuses.is_empty() {
            "status <> 'sold'".to_owned()
        } else {
            one_of("status", &query.statuses)
        };
        filters.push(("status", status));
        let limits = [
            ("bedrooms", "bedrooms", query.min_bedrooms, None),
            ("bathrooms", "bathrooms", query.min_bathrooms, None),
            ("price_bar", "price", query.min_price, query.max_price),
            ("built_bar", "built", query.min_built, query.max_built),
            ("plot_bar", "plot", query.min_plot, query.max_plot),
        ];
        for (name, column, min, max) in limits {
            let min = min.map(|min| format!("{column} >= {min}"));
            let max = max.map(|max| format!("{column} <= {max}"));
            let both: Vec<String> = min.into_iter().chain(max).collect();
            if !both.is_empty() {
                filters.push((name, format!("({})", both.join(" and "))));
            }
        }
        if !query.kinds.is_empty() {
            filters.push(("kind", one_of("kind", &query.kinds)));
        }
        if !query.energy.is_empty() {
            filters.push(("energy", one_of("energy", &query.energy)));
        }
        filters.extend(query.listed_within.map(|days| {
            ("new_within", format!("listed_at >= {} - interval '{days} days'", today(query)))
        }));
        for (name, value) in [("reduced", query.reduced), ("featured", query.featured)] {
            filters.extend(value.map(|value| (name, format!("{name} = {value}"))));
        }
        if !query.features.is_empty() {
            let bits = query.features.iter().map(|feature| {
                self.features
                    .iter()
                    .position(|known| known == feature)
                    .map_or(1 << 62, |bit| 1_i64 << bit)
            });
            let mask = bits.fold(0, |mask, bit| mask | bit);
            filters.push(("features", format!("features & {mask} = {mask}")));
        }
        filters
    }
}

/// Returns the full-text query, if there are words, and the conditions that every row must meet.
fn hard_filters(query: &PropertyQuery) -> (Option<String>, String) {
    let mut conditions = vec!["true".to_owned()];
    let mut add = |condition: Option<String>| conditions.extend(condition);
    add(query.bounds.map(|area| {
        format!(
            "lat between {} and {} and lng between {} and {}",
            area.south, area.north, area.west, area.east
        )
    }));
    let language = if query.locale == Locale::En { "english" } else { "spanish" };
    // The words are constants of this bench, so they need no escaping.
    let words = query.text.as_ref().map(|text| format!("plainto_tsquery('{language}', '{text}')"));
    add(words.as_ref().map(|words| format!("words_{} @@ {words}", query.locale.code())));
    (words, conditions.join(" and "))
}

/// Returns today's date in `query`, as a Postgres expression.
fn today(query: &PropertyQuery) -> String {
    format!("to_timestamp({})", query.today * 86_400)
}

/// Returns the order. As in the index, commercial properties come last, except by relevance.
const fn order(sort: Sort) -> &'static str {
    match sort {
        Sort::Newest => "property_type = 'Commercial', listed_at desc, ref",
        Sort::Oldest => "property_type = 'Commercial', listed_at, ref",
        Sort::PriceAscending => "property_type = 'Commercial', price nulls last, ref",
        Sort::PriceDescending => "property_type = 'Commercial', price desc nulls last, ref",
        Sort::PricePerMetre => {
            "property_type = 'Commercial', price * 100 / nullif(built_area, 0) nulls last, ref"
        }
        // In this catalogue, what is reduced has been so since it was listed.
        Sort::ReducedLately => {
            "property_type = 'Commercial', case when reduced then listed_at end desc nulls last, ref"
        }
        Sort::Relevance => "rank desc, listed_at desc, ref",
    }
}

fn one_of<T: std::fmt::Display>(column: &str, values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("'{value}'")).collect();
    if values.is_empty() {
        return "false".to_owned();
    }
    format!("{column} in ({})", values.join(", "))
}

fn position(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
