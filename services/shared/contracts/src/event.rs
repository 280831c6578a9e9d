//! What one message of the log says.

use std::{fmt, str::FromStr};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::{
    collection::AggregateId,
    content::{ListingStatus, PropertyType, Snapshot},
};

/// The version of the message body that this build writes. Readers take it and every earlier one;
/// a later one is parked until the reader is newer.
pub const SCHEMA_VERSION: u16 = 1;

/// How far below the days of our time the versions of before the ledger are: some 2,700 years.
const DAYS_BELOW: i64 = 1_000_000;

/// The version of one aggregate: 1 for its first snapshot, and one more for each change. What is known
/// of a time before there was a ledger stands below 1.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Version(pub i64);

impl Version {
    /// What was so from `day` on, before the ledger knew of it.
    pub fn before_the_ledger(day: NaiveDate) -> Self {
        Self(i64::from(day.to_epoch_days()) - DAYS_BELOW)
    }

    /// The version after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One message of the log: a change of one aggregate, whole. `C` is the change: as this build reads it, or
/// as it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event<C = Change> {
    /// The message's own id, the `ce-id` of its headers.
    pub id: Uuid,
    /// Which form of body this is.
    pub schema_version: u16,
    /// Whose change it is.
    pub aggregate: AggregateId,
    /// The aggregate's version after the change.
    pub version: Version,
    /// When the change was captured, by the ledger's clock.
    pub captured_at: DateTime<Utc>,
    /// What the aggregate became.
    pub change: C,
    /// What a property was offered at before and now, the oldest first. It travels with each
    /// version, since the log keeps only the latest message of an aggregate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
}

/// What a property was offered at from one of its versions on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The version.
    pub version: Version,
    /// When it was captured, by the ledger's clock.
    pub at: DateTime<Utc>,
    /// The reference that it had.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The slug of the place that it was listed under.
    pub location: String,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// Euros; none where it was told on request.
    pub price: Option<i64>,
    /// Where the sale stood.
    pub status: ListingStatus,
}

/// That less is asked for a property than was asked before: known from what it was offered at, and
/// from nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Euros before.
    pub from: i64,
    /// Since when less is asked.
    pub at: DateTime<Utc>,
}

impl Reduction {
    /// That of a property which is offered at `price`, or was last, by its past, the oldest first: none
    /// where its price rose last or never changed. A time when it was told on request says nothing, a
    /// [slip](asked_prices) is no price before, and what was offered under another reference may be another home,
    /// to which its key was given before.
    pub fn of(price: Option<i64>, offers: &[Offer]) -> Option<Self> {
        let reference = &offers.last()?.reference;
        let its = offers.iter().filter(|offer| offer.reference == *reference);
        let asked = asked_prices(its.filter_map(|offer| Some((offer.price?, offer.at))));
        let now = asked.iter().rposition(|(asked, _)| Some(*asked) == price)?;
        let (price, at) = asked[now];
        let (from, _) = *asked.get(now.checked_sub(1)?)?;
        (from > price).then_some(Self { from, at })
    }
}

/// The least time that a price that was raised stands until it was meant.
const MEANT: TimeDelta = TimeDelta::days(1);

/// What was asked one price after the other, and since when, of `told`, the oldest first. A price above those
/// before and after it that stood for less than a day is left out as a slip: a digit too many, put right.
pub fn asked_prices(
    told: impl IntoIterator<Item = (i64, DateTime<Utc>)>,
) -> Vec<(i64, DateTime<Utc>)> {
    let mut asked: Vec<(i64, DateTime<Utc>)> = Vec::new();
    for (price, at) in told {
        while let [.., (before, _), (last, since)] = asked[..]
            && last > before.max(price)
            && at - since < MEANT
        {
            asked.pop();
        }
        if asked.last().is_none_or(|(last, _)| *last != price) {
            asked.push((price, at));
        }
    }
    asked
}

impl Event {
    /// The same, as it is recorded.
    ///
    /// # Errors
    /// None for what can be written as JSON, which every snapshot can.
    pub fn recorded(self) -> Result<Event<RecordedChange>, serde_json::Error> {
        let change = serde_json::to_string(&self.change)?.parse()?;
        let Self { id, schema_version, aggregate, version, captured_at, offers, .. } = self;
        Ok(Event { id, schema_version, aggregate, version, captured_at, change, offers })
    }
}

impl Event<RecordedChange> {
    /// The `ce-type` of the event: `content.<collection>.upserted` or `….removed`.
    pub fn kind(&self) -> String {
        format!("content.{}.{}", self.aggregate.collection, self.change.kind)
    }
}

/// A change as it was recorded, for whoever passes it on: a later build may have put more into it than
/// this one reads, and nothing of that may be lost.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct RecordedChange {
    #[serde(skip)]
    kind: String,
    json: Box<RawValue>,
}

impl FromStr for RecordedChange {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        #[derive(Deserialize)]
        struct Tagged {
            kind: String,
        }
        let Tagged { kind } = serde_json::from_str(text)?;
        Ok(Self { kind, json: RawValue::from_string(text.to_owned())? })
    }
}

/// What became of an aggregate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Change {
    /// It is published and looks like this.
    Upserted {
        /// All of it.
        snapshot: Box<Snapshot>,
    },
    /// It is gone from the public: deleted, unpublished or archived.
    Removed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Property;

    fn day(number: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(number * 86_400, 0).expect("a date")
    }

    #[test]
    fn a_home_is_as_old_as_the_first_that_is_known_of_it() {
        let home = |listed: i64| {
            serde_json::from_value::<Property>(serde_json::json!({
                "ref": "AH-1", "status": "for_sale", "propertyType": "House", "kind": "villa",
                "reduced": false, "featured": false, "newBuild": false, "listedAt": day(listed),
                "updatedAt": day(listed), "features": [], "annualCosts": {}, "images": [], "text": {},
                "location": { "key": "4", "slug": "nerja", "name": {} },
            }))
        };
        let since = |listed, offers: &[Offer]| home(listed).expect("a home").first_offered(offers);
        let offers = offered_at(&[Some(300), Some(280)]);
        assert_eq!(since(7, &offers), day(1));
        assert_eq!(since(0, &offers), day(0));
        let mut anothers = offered_at(&[Some(300), Some(280)]);
        anothers[0].reference = "AH-0".to_owned();
        assert_eq!(since(7, &anothers), day(2));
        // The log of an earlier build says nothing of it.
        assert_eq!(since(7, &[]), day(7));
    }

    /// Offers of one day after the other.
    fn offered_at(prices: &[Option<i64>]) -> Vec<Offer> {
        let offer = |(number, price): (i64, &Option<i64>)| Offer {
            version: Version(number),
            at: day(number),
            reference: "AH-1".to_owned(),
            location: "nerja".to_owned(),
            property_type: PropertyType::House,
            price: *price,
            status: ListingStatus::ForSale,
        };
        (1..).zip(prices).map(offer).collect()
    }

    #[test]
    fn a_price_is_reduced_where_it_fell_last() {
        let (high, low, lowest) = (Some(300), Some(280), Some(250));
        for (prices, expected) in [
            (&[][..], None),
            (&[high], None),
            (&[high, low], Some((300, 2))),
            (&[high, low, lowest], Some((280, 3))),
            (&[high, lowest, low], None),
            // What else changed meanwhile does not make it reduced again.
            (&[high, low, low, low], Some((300, 2))),
            (&[high, None, low], Some((300, 3))),
            (&[high, low, None, low], Some((300, 2))),
            (&[None, low], None),
            (&[high, None], None),
        ] {
            let price = prices.last().copied().flatten();
            let found = Reduction::of(price, &offered_at(prices));
            let expected = expected.map(|(from, at)| Reduction { from, at: day(at) });
            assert_eq!(found, expected, "{prices:?}");
        }
        // As it was before its last change.
        assert_eq!(Reduction::of(high, &offered_at(&[high, low])), None);
        assert_eq!(Reduction::of(Some(1), &offered_at(&[high, low])), None);
    }

    #[test]
    fn a_price_that_was_raised_for_less_than_a_day_is_a_slip() {
        let reduced = |told: &[(i64, i64)]| {
            let prices: Vec<_> = told.iter().map(|(price, _)| Some(*price)).collect();
            let mut offers = offered_at(&prices);
            for (offer, (_, hour)) in offers.iter_mut().zip(told) {
                offer.at = day(1) + TimeDelta::hours(*hour);
            }
            let reduction = Reduction::of(prices.last().copied().flatten(), &offers);
            reduction.map(|Reduction { from, at }| (from, (at - day(1)).num_hours()))
        };
        assert_eq!(reduced(&[(345, 0), (3_450, 90), (345, 91)]), None);
        assert_eq!(reduced(&[(345, 0), (3_450, 90), (3_400, 91), (345, 92)]), None);
        assert_eq!(reduced(&[(400, 0), (3_450, 90), (345, 91)]), Some((400, 91)));
        assert_eq!(reduced(&[(400, 0), (345, 9), (3_450, 90), (345, 91)]), Some((400, 9)));
        // So long it was meant; and what is first, or fell, is no slip.
        assert_eq!(reduced(&[(345, 0), (389, 90), (345, 114)]), Some((389, 114)));
        assert_eq!(reduced(&[(389, 0), (345, 1)]), Some((389, 1)));
        assert_eq!(reduced(&[(389, 0), (380, 1), (345, 2)]), Some((380, 2)));
    }

    #[test]
    fn a_home_inherits_no_price_of_another_that_had_its_key() {
        let mut offers = offered_at(&[Some(300), Some(280), Some(250), Some(240)]);
        offers[0].reference = "AH-2".to_owned();
        offers[2].reference = "AH-2".to_owned();
        assert_eq!(Reduction::of(Some(280), &offers[..2]), None);
        // What it was offered at itself counts, whatever was in between.
        let reduction = Reduction { from: 280, at: day(4) };
        assert_eq!(Reduction::of(Some(240), &offers), Some(reduction));
    }
}
