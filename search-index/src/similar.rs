//! Finds homes that are similar to a given one.

use contracts::{
    Locale,
    content::{ListingStatus, PropertyKind, PropertyType},
};

use crate::{
    answers::Hit,
    code_column::DocumentSet,
    collect::TopDocuments,
    columns::{Columns, UNKNOWN},
    document::ordinal,
    query::PropertyQuery,
    search::window,
    view::View,
};

/// The properties of the home to which similar ones are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimilarityCriteria {
    /// Its reference, if it is in the index, to exclude it from the result.
    pub reference: Option<String>,
    /// The slug of its place.
    pub location: String,
    /// Its kind, and the kinds that are shown together with it.
    pub kinds: Vec<PropertyKind>,
    /// Its type.
    pub property_type: PropertyType,
    /// Whether it is a new build.
    pub new_build: bool,
    /// Euros.
    pub price: Option<i64>,
}

/// Neither of two similar homes costs more than this factor times the other.
const MAX_PRICE_RATIO: i64 = 2;

impl View {
    /// Returns the first `limit` homes similar to `one`: of its kinds, in its place and the parts of this,
    /// not sold, and for half to twice its price. If `one` is a new build, new builds come first. Then come
    /// those of its type, those for sale, and those nearest in price; those without a price come last. Ties
    /// are broken by reference.
    ///
    /// The price excludes nothing if either home has no price, or if it would exclude every home: a visitor
    /// of the only palace in a village should see a villa rather than nothing.
    pub fn similar(&self, one: &SimilarityCriteria, limit: usize) -> Vec<Hit> {
        if one.kinds.is_empty() {
            return Vec::new();
        }
        let alike = self.first_like(one, limit, |price| one.is_priced_alike(price));
        if alike.is_empty() { self.first_like(one, limit, |_| true) } else { alike }
    }

    /// Returns the first of them whose price satisfies `is_wanted`.
    fn first_like(
        &self,
        one: &SimilarityCriteria,
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
            let fits = DocumentSet::new(segment.apply_filters(&query, None).fits);
            let mut top = TopDocuments::new(limit, &fits);
            for doc in fits.documents() {
                let is_another = one.reference.as_deref() != Some(columns.reference(*doc));
                if is_another && is_wanted(columns.prices.order.values[*doc]) {
                    top.offer(one.rank(columns, *doc), columns.reference_ordinals[*doc]);
                }
            }
            hits.extend(top.into_ranked(columns, false));
        }
        window(hits, 0, limit)
    }
}

impl SimilarityCriteria {
    /// Returns whether `price` is within the accepted ratio of its own price, or either is unknown.
    fn is_priced_alike(&self, price: i64) -> bool {
        self.price.is_none_or(|asked| {
            price == UNKNOWN
                || price <= asked.saturating_mul(MAX_PRICE_RATIO)
                    && asked <= price.saturating_mul(MAX_PRICE_RATIO)
        })
    }

    /// Returns the distance of `doc` from it. The highest bits are the criteria that `doc` fails, the most
    /// important one first; the other bits are the difference in euros.
    fn rank(&self, columns: &Columns, doc: usize) -> i64 {
        const LAST: u64 = (1 << 60) - 1;
        let is_code = |code: u8, member: u64| u64::from(code) == member;
        let type_code = ordinal(PropertyType::ALL, &self.property_type);
        let for_sale = ordinal(ListingStatus::ALL, &ListingStatus::ForSale);
        let failed = [
            self.new_build && !columns.new_build.contains(doc),
            !is_code(columns.property_types.code(doc), type_code),
            !is_code(columns.statuses.code(doc), for_sale),
        ];
        let apart = match (self.price, columns.prices.order.values[doc]) {
            (Some(asked), price) if price != UNKNOWN => price.abs_diff(asked).min(LAST - 1),
            _ => LAST,
        };
        let rank =
            failed.iter().fold(0, |rank, failed| rank << 1 | u64::from(*failed)) << 60 | apart;
        rank.cast_signed()
    }
}
