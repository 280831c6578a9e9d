//! Detects how a home changed, by comparing its current state with the state that was last reported.

use contracts::content::{ListingStatus, Property};

/// A change that is reported in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A search did not match it before, and matches it now.
    New,
    /// Its price was reduced.
    Reduced,
    /// Its price was raised.
    Raised,
    /// It is for sale again.
    Back,
    /// Its listing status changed, such as to under offer or sold.
    Status,
    /// It was removed from the site.
    Withdrawn,
}

impl ChangeKind {
    const ALL: [Self; 6] =
        [Self::New, Self::Reduced, Self::Raised, Self::Back, Self::Status, Self::Withdrawn];

    /// Returns the name that the table and the templates use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Reduced => "reduced",
            Self::Raised => "raised",
            Self::Back => "back",
            Self::Status => "status",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Returns the kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|happened| happened.name() == name)
    }
}

/// The last reported state of a home, and its current one.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// The last reported state.
    pub before: &'a Property,
    /// Whether it was on the site then.
    pub was_listed: bool,
    /// The current state.
    pub now: &'a Property,
}

impl Difference<'_> {
    /// Whether the home is unchanged. The content service's date of the last save is ignored.
    pub fn is_unchanged(self) -> bool {
        let before = Property { updated_at: self.now.updated_at, ..self.before.clone() };
        self.was_listed && before == *self.now
    }

    /// Returns the change to report to a search that matches the home now, and matched it before or not.
    /// A home that comes back to the site unchanged is not reported.
    pub fn for_search(self, found_before: bool) -> Option<ChangeKind> {
        if self.is_reduced() {
            Some(ChangeKind::Reduced)
        } else if self.is_back_on_sale() {
            Some(ChangeKind::Back)
        } else {
            (!found_before).then_some(ChangeKind::New)
        }
    }

    /// Returns the changes to report to visitors who have the home among their favourites.
    pub fn for_favourite(self) -> Vec<ChangeKind> {
        let mut happened = Vec::new();
        if self.is_reduced() {
            happened.push(ChangeKind::Reduced);
        } else if self.prices().is_some_and(|(was, is)| is > was) {
            happened.push(ChangeKind::Raised);
        }
        let is_for_sale = self.now.status == ListingStatus::ForSale;
        let is_changed = self.before.status != self.now.status;
        // This applies to a relisted home too: a visitor who does not get the report of its return gets
        // only this one (see `net_change`).
        if is_changed && !(is_for_sale && self.was_listed) {
            happened.push(ChangeKind::Status);
        }
        if is_for_sale && (is_changed || !self.was_listed) {
            happened.push(ChangeKind::Back);
        }
        happened
    }

    fn is_reduced(self) -> bool {
        self.prices().is_some_and(|(was, is)| is < was)
    }

    /// Returns the price before. Under another reference it may be another home, as its page assumes
    /// too.
    pub fn price_before(self) -> Option<i64> {
        self.before.price.filter(|_| self.before.reference == self.now.reference)
    }

    fn prices(self) -> Option<(i64, i64)> {
        self.price_before().zip(self.now.price)
    }

    fn is_back_on_sale(self) -> bool {
        self.before.status != ListingStatus::ForSale && self.now.status == ListingStatus::ForSale
    }
}

/// Reduces several changes of one home, oldest first, to a net change, or to `None` if they cancel out.
/// `price_before` is the price before the first of them, and `price` the current one.
pub fn net_change(
    happened: &[ChangeKind],
    price_before: Option<i64>,
    price: Option<i64>,
) -> Option<ChangeKind> {
    let has = |one| happened.contains(&one);
    let prices = price_before.zip(price);
    if let Some(ChangeKind::Withdrawn) = happened.last() {
        return Some(ChangeKind::Withdrawn);
    }
    if has(ChangeKind::New) {
        return Some(ChangeKind::New);
    }
    if is_back(happened) {
        return Some(ChangeKind::Back);
    }
    if has(ChangeKind::Status) {
        return Some(ChangeKind::Status);
    }
    match prices {
        Some((was, is)) if is < was => Some(ChangeKind::Reduced),
        Some((was, is)) if is > was && has(ChangeKind::Raised) => Some(ChangeKind::Raised),
        _ => None,
    }
}

/// Whether the recipient was told that the home was gone or not for sale, and it is back. A home that
/// was removed and relisted between two mails was never reported as gone.
fn is_back(happened: &[ChangeKind]) -> bool {
    let mut is_gone = false;
    happened.iter().any(|one| match one {
        ChangeKind::Withdrawn => {
            is_gone = true;
            false
        }
        ChangeKind::Back => !std::mem::take(&mut is_gone),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use contracts::content::{PropertyKind, PropertyType};
    use serde_json::json;

    use super::*;
    use ChangeKind::{Back, New, Raised, Reduced, Status, Withdrawn};

    fn villa(price: i64, status: ListingStatus) -> Property {
        let villa = json!({
            "ref": "AH-1", "status": status, "propertyType": PropertyType::House,
            "kind": PropertyKind::Villa, "price": price, "reduced": false, "featured": false,
            "newBuild": false, "listedAt": "2026-11-23T12:00:00Z",
            "updatedAt": "2026-11-23T12:00:00Z", "features": [], "annualCosts": {},
            "location": { "key": "1", "slug": "nerja", "name": {} }, "images": [], "text": {},
        });
        serde_json::from_value(villa).expect("a property")
    }

    #[test]
    fn a_favourite_is_back_only_where_it_is_for_sale() {
        use ListingStatus::{ForSale, Sold, UnderOffer};
        for (before, was_listed, now, expected) in [
            (UnderOffer, true, ForSale, vec![Back]),
            (ForSale, true, UnderOffer, vec![Status]),
            (ForSale, false, ForSale, vec![Back]),
            (UnderOffer, false, ForSale, vec![Status, Back]),
            (ForSale, false, Sold, vec![Status]),
            (Sold, false, Sold, vec![]),
        ] {
            let (before, now) = (villa(300, before), villa(300, now));
            let difference = Difference { before: &before, was_listed, now: &now };
            assert_eq!(difference.for_favourite(), expected, "{difference:?}");
        }
        let (before, now) = (villa(300, Sold), villa(290, Sold));
        let difference = Difference { before: &before, was_listed: false, now: &now };
        assert_eq!(difference.for_favourite(), [Reduced]);
    }

    #[test]
    fn the_price_under_another_reference_is_ignored() {
        let before = villa(300, ListingStatus::ForSale);
        for price in [290, 310] {
            let mut now = villa(price, ListingStatus::ForSale);
            now.reference = "AH-2".to_owned();
            let difference = Difference { before: &before, was_listed: true, now: &now };
            assert_eq!(difference.for_favourite(), []);
            assert_eq!(difference.for_search(true), None);
            assert_eq!(difference.for_search(false), Some(New));
            assert_eq!(difference.price_before(), None);
        }
    }

    #[test]
    fn changes_that_cancel_out_are_not_reported() {
        assert_eq!(net_change(&[Reduced, Raised], Some(300), Some(300)), None);
        assert_eq!(net_change(&[Reduced, Raised], Some(300), Some(290)), Some(Reduced));
        assert_eq!(net_change(&[Reduced], Some(300), Some(310)), None);
        assert_eq!(net_change(&[Raised], Some(300), Some(310)), Some(Raised));
        assert_eq!(net_change(&[Withdrawn, Back], Some(300), Some(300)), None);
    }

    #[test]
    fn changes_while_a_home_was_gone_are_reported_when_it_is_back() {
        assert_eq!(net_change(&[Withdrawn, Reduced, Back], Some(300), Some(290)), Some(Reduced));
        assert_eq!(net_change(&[Withdrawn, Status, Back], Some(300), Some(300)), Some(Status));
        assert_eq!(net_change(&[Back, Withdrawn, Back], Some(300), Some(300)), Some(Back));
        assert_eq!(net_change(&[Withdrawn, Back, Back], Some(300), Some(300)), Some(Back));
        assert_eq!(
            net_change(&[Back], Some(300), Some(300)),
            Some(Back),
            "that it was gone was told"
        );
    }

    #[test]
    fn the_most_important_change_is_reported() {
        assert_eq!(net_change(&[New, Reduced], Some(300), Some(290)), Some(New));
        assert_eq!(net_change(&[Reduced, Back], Some(300), Some(290)), Some(Back));
        assert_eq!(net_change(&[Reduced, Status], Some(300), Some(290)), Some(Status));
        assert_eq!(net_change(&[Status, Withdrawn], None, None), Some(Withdrawn));
        for happened in ChangeKind::ALL {
            assert_eq!(ChangeKind::named(happened.name()), Some(happened));
        }
    }
}
