//! The events of the log.

use std::{fmt, str::FromStr};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::{
    collection::AggregateId,
    content::{ListingStatus, PropertyType, Snapshot},
};

/// The version of the message body that this build writes. Readers accept this and all earlier versions. They
/// can't apply an event of a later version until they are upgraded.
pub const SCHEMA_VERSION: u16 = 1;

/// Subtracted from the day of an offer from before the ledger, so that its version is negative: about 2,700
/// years.
const PRE_LEDGER_OFFSET_DAYS: i64 = 1_000_000;
/// Subtracted from the position of a recovered offer, so that its version is negative, and after those of
/// offers from before the ledger up to the year 3338.
const RECOVERED_OFFSET: i64 = 500_000;

/// The version of one aggregate: 1 for its first snapshot, and one more for each change. Versions below 1
/// are for facts that the ledger did not record itself: from before it existed, or recovered from the log.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Version(pub i64);

impl Version {
    /// Returns the version for a fact that was true from `day` on, before the ledger recorded it.
    pub fn before_the_ledger(day: NaiveDate) -> Self {
        Self(i64::from(day.to_epoch_days()) - PRE_LEDGER_OFFSET_DAYS)
    }

    /// Returns the version for the fact at `position` of those that were recovered from the log of a newer
    /// ledger.
    pub fn recovered(position: usize) -> Self {
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        Self(position.saturating_sub(RECOVERED_OFFSET).min(0))
    }

    /// Returns the version after this one.
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

/// An event: a change of one aggregate, with its complete state. `C` is the change, either parsed
/// ([`Change`]) or as it was recorded ([`RecordedChange`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event<C = Change> {
    /// The message's own id, the `ce-id` of its headers.
    pub id: Uuid,
    /// The version of the message body.
    pub schema_version: u16,
    /// The aggregate that changed.
    pub aggregate: AggregateId,
    /// The aggregate's version after the change.
    pub version: Version,
    /// When the change was captured, by the ledger's clock.
    pub captured_at: DateTime<Utc>,
    /// The change.
    pub change: C,
    /// The price history of a property up to now, the oldest first. Each event includes all of it, because
    /// the log retains only the latest message of an aggregate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
}

/// The terms that a property was offered on from one of its versions on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The version.
    pub version: Version,
    /// When it was captured, by the ledger's clock.
    pub at: DateTime<Utc>,
    /// The property's reference at that time.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The slug of the place that it was listed under.
    pub location: String,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// The price in euros; `None` for a price on request.
    pub price: Option<i64>,
    /// The status of the sale.
    pub status: ListingStatus,
}

/// A price reduction of a property. It is computed from the price history, and from nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The previous price in euros.
    pub from: i64,
    /// Since when the lower price is asked.
    pub at: DateTime<Utc>,
}

impl Reduction {
    /// Returns the reduction of a property whose current or last price is `price`, with its price history
    /// `offers`, the oldest first. Returns `None` if the price last rose or never changed.
    ///
    /// Offers with a price on request are ignored, and so are [mistaken prices](advertised_prices). Offers under
    /// another reference are ignored because they may belong to another home that had the same key before.
    pub fn of(price: Option<i64>, offers: &[Offer]) -> Option<Self> {
        let reference = &offers.last()?.reference;
        let own_offers = offers.iter().filter(|offer| offer.reference == *reference);
        Self::of_prices(price, own_offers.filter_map(|offer| Some((offer.price?, offer.at))))
    }

    /// Returns the reduction of a property whose current or last price is `price`, from its `recorded` prices,
    /// the oldest first, each with its start.
    pub fn of_prices(
        price: Option<i64>,
        recorded: impl IntoIterator<Item = (i64, DateTime<Utc>)>,
    ) -> Option<Self> {
        let prices = advertised_prices(recorded);
        let current = prices.iter().rposition(|(asked, _)| Some(*asked) == price)?;
        let (price, at) = prices[current];
        let (from, _) = *prices.get(current.checked_sub(1)?)?;
        (from > price).then_some(Self { from, at })
    }
}

/// The minimum time for which a raised price must be asked to count as intended.
const MIN_RAISED_TIME: TimeDelta = TimeDelta::days(1);

/// Returns the successive asking prices, each with its start, from `recorded` prices, the oldest first.
/// Skips a price that was above the prices before and after it for less than a day: that is a mistake, such
/// as a digit too many, that was corrected.
pub fn advertised_prices(
    recorded: impl IntoIterator<Item = (i64, DateTime<Utc>)>,
) -> Vec<(i64, DateTime<Utc>)> {
    let mut asked: Vec<(i64, DateTime<Utc>)> = Vec::new();
    for (price, at) in recorded {
        while let [.., (before, _), (last, since)] = asked[..]
            && last > before.max(price)
            && at - since < MIN_RAISED_TIME
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
    /// Converts the event to the form that is recorded.
    ///
    /// # Errors
    /// Only if the change can't be serialised as JSON, which does not happen for any snapshot.
    pub fn recorded(self) -> Result<Event<RecordedChange>, serde_json::Error> {
        let change = serde_json::to_string(&self.change)?.parse()?;
        let Self { id, schema_version, aggregate, version, captured_at, offers, .. } = self;
        Ok(Event { id, schema_version, aggregate, version, captured_at, change, offers })
    }
}

impl Event<RecordedChange> {
    /// Returns the `ce-type` of the event: `content.<collection>.upserted` or `….removed`.
    pub fn kind(&self) -> String {
        format!("content.{}.{}", self.aggregate.collection, self.change.kind)
    }
}

/// A change as it was recorded, to be forwarded unchanged: a later build may have written fields that this
/// build does not know, and none of them may be lost.
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

/// A change of an aggregate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Change {
    /// It is published with this content.
    Upserted {
        /// Its complete content.
        snapshot: Box<Snapshot>,
    },
    /// It is no longer published: deleted, unpublished or archived.
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
    fn what_the_ledger_did_not_record_comes_before_its_own_versions() {
        let day = NaiveDate::from_ymd_opt(2999, 12, 31).expect("a date");
        let versions = [
            Version::before_the_ledger(NaiveDate::default()),
            Version::before_the_ledger(day),
            Version::recovered(0),
            Version::recovered(1),
            Version(1),
        ];
        assert!(versions.is_sorted_by(|one, next| one < next), "{versions:?}");
    }

    #[test]
    fn a_home_was_first_offered_at_the_earliest_known_date() {
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
        let mut other_reference = offered_at(&[Some(300), Some(280)]);
        other_reference[0].reference = "AH-0".to_owned();
        assert_eq!(since(7, &other_reference), day(2));
        // Events of earlier builds have no price history.
        assert_eq!(since(7, &[]), day(7));
    }

    /// Offers with these prices on successive days.
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
    fn a_price_is_reduced_if_its_last_change_was_a_decrease() {
        let (high, low, lowest) = (Some(300), Some(280), Some(250));
        for (prices, expected) in [
            (&[][..], None),
            (&[high], None),
            (&[high, low], Some((300, 2))),
            (&[high, low, lowest], Some((280, 3))),
            (&[high, lowest, low], None),
            // Other changes of the property do not count as a new reduction.
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
        // The price differs from the last offer's.
        assert_eq!(Reduction::of(high, &offered_at(&[high, low])), None);
        assert_eq!(Reduction::of(Some(1), &offered_at(&[high, low])), None);
    }

    #[test]
    fn a_price_that_was_raised_for_less_than_a_day_is_ignored() {
        let reduced = |recorded: &[(i64, i64)]| {
            let prices: Vec<_> = recorded.iter().map(|(price, _)| Some(*price)).collect();
            let mut offers = offered_at(&prices);
            for (offer, (_, hour)) in offers.iter_mut().zip(recorded) {
                offer.at = day(1) + TimeDelta::hours(*hour);
            }
            let reduction = Reduction::of(prices.last().copied().flatten(), &offers);
            reduction.map(|Reduction { from, at }| (from, (at - day(1)).num_hours()))
        };
        assert_eq!(reduced(&[(345, 0), (3_450, 90), (345, 91)]), None);
        assert_eq!(reduced(&[(345, 0), (3_450, 90), (3_400, 91), (345, 92)]), None);
        assert_eq!(reduced(&[(400, 0), (3_450, 90), (345, 91)]), Some((400, 91)));
        assert_eq!(reduced(&[(400, 0), (345, 9), (3_450, 90), (345, 91)]), Some((400, 9)));
        // After a day it was intended; a first price or a decrease is never a mistake.
        assert_eq!(reduced(&[(345, 0), (389, 90), (345, 114)]), Some((389, 114)));
        assert_eq!(reduced(&[(389, 0), (345, 1)]), Some((389, 1)));
        assert_eq!(reduced(&[(389, 0), (380, 1), (345, 2)]), Some((380, 2)));
    }

    #[test]
    fn offers_under_another_reference_are_ignored() {
        let mut offers = offered_at(&[Some(300), Some(280), Some(250), Some(240)]);
        offers[0].reference = "AH-2".to_owned();
        offers[2].reference = "AH-2".to_owned();
        assert_eq!(Reduction::of(Some(280), &offers[..2]), None);
        // Its own offers count, also with others in between.
        let reduction = Reduction { from: 280, at: day(4) };
        assert_eq!(Reduction::of(Some(240), &offers), Some(reduction));
    }
}
