//! Homes like one.

use contracts::{
    Locale,
    content::{ListingStatus, PropertyKind, PropertyType},
};

use crate::{
    answers::Hit,
    coded::Among,
    collect::First,
    columns::{Columns, UNKNOWN},
    document::ordinal,
    query::PropertyQuery,
    search::window,
    view::View,
};

/// What others are like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// Its reference, as far as the index has it: it is not like itself.
    pub reference: Option<String>,
    /// The slug of its place.
    pub location: String,
    /// Its kind, and those that are shown with it.
    pub kinds: Vec<PropertyKind>,
    /// Its type.
    pub property_type: PropertyType,
    /// Whether it is a new build.
    pub new_build: bool,
    /// Euros.
    pub price: Option<i64>,
}

/// Of two homes that are alike neither costs more than so many times the other.
const BAND: i64 = 2;

impl View {
    /// The first `limit` homes like `one`: of its kinds, in its place and the parts of this, not sold, and
    /// for half its price to twice as much. Of a new build new builds come first, then those of its type,
    /// then what is for sale, then the nearest in price; what has no price comes last, and what is equal
    /// by reference.
    ///
    /// Where `one` or the other has no price, the price rules nothing out. Nor does it where it would rule
    /// out all: whoever looks at the only palace of a village is better shown a villa than nothing.
    pub fn similar(&self, one: &Likeness, limit: usize) -> Vec<Hit> {
        if one.kinds.is_empty() {
            return Vec::new();
        }
        let alike = self.first_like(one, limit, |price| one.is_priced_alike(price));
        if alike.is_empty() { self.first_like(one, limit, |_| true) } else { alike }
    }

    /// The first of them whose price satisfies `is_wanted`.
    fn first_like(
        &self,
        one: &Likeness,
        limit: usize,
        is_wanted: impl Fn(i64) -> bool,
    ) -> Vec<Hit> {
        let query = PropertyQuery {
            locations: vec![one.location.clone()],
            kinds: one.kinds.clone(),
            ..PropertyQuery::newest(Locale::En, limit)
        };
        let mut hits = Vec::new();
        for segment in &self.catalogue.segments {
            let columns = &segment.columns;
            let fits = Among::new(segment.sift(&query, None).fits);
            let mut first = First::new(limit, &fits);
            for doc in fits.documents() {
                let is_another = one.reference.as_deref() != Some(columns.reference(*doc));
                if is_another && is_wanted(columns.prices.order.values[*doc]) {
                    first.offer(one.rank(columns, *doc), columns.reference_ordinals[*doc]);
                }
            }
            hits.extend(first.into_ranked(columns, false));
        }
        window(hits, 0, limit)
    }
}

impl Likeness {
    /// Whether `price` is within the band around its own, as far as both are known.
    fn is_priced_alike(&self, price: i64) -> bool {
        self.price.is_none_or(|asked| {
            price == UNKNOWN
                || price <= asked.saturating_mul(BAND) && asked <= price.saturating_mul(BAND)
        })
    }

    /// How far `doc` is from it: a bit for each step, the first one highest, then euros.
    fn rank(&self, columns: &Columns, doc: usize) -> i64 {
        const LAST: u64 = (1 << 60) - 1;
        let is_code = |code: u8, member: u64| u64::from(code) == member;
        let type_code = ordinal(PropertyType::ALL, &self.property_type);
        let for_sale = ordinal(ListingStatus::ALL, &ListingStatus::ForSale);
        let steps = [
            self.new_build && !columns.new_build.contains(doc),
            !is_code(columns.property_types.code(doc), type_code),
            !is_code(columns.statuses.code(doc), for_sale),
        ];
        let apart = match (self.price, columns.prices.order.values[doc]) {
            (Some(asked), price) if price != UNKNOWN => price.abs_diff(asked).min(LAST - 1),
            _ => LAST,
        };
        let rank = steps.iter().fold(0, |rank, step| rank << 1 | u64::from(*step)) << 60 | apart;
        rank.cast_signed()
    }
}
