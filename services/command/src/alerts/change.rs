//! What happened to a home: the difference between what was last told of it and what it is now.

use contracts::content::{ListingStatus, Property};

/// Something that is worth a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// It was not among what a search finds, and is now.
    New,
    /// It costs less.
    Reduced,
    /// It costs more.
    Raised,
    /// It is for sale again.
    Back,
    /// Its sale stands elsewhere: under offer, sold.
    Status,
    /// It is gone from the site.
    Withdrawn,
}

impl Happened {
    const ALL: [Self; 6] =
        [Self::New, Self::Reduced, Self::Raised, Self::Back, Self::Status, Self::Withdrawn];

    /// As the table and the templates name it.
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

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|happened| happened.name() == name)
    }
}

/// A home that was known, and what it is now.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// As it was last told of.
    pub before: &'a Property,
    /// Whether it was on the site then.
    pub was_listed: bool,
    /// As it is.
    pub now: &'a Property,
}

impl Difference<'_> {
    /// Whether nothing differs. The content service's date of the last save says nothing of the home.
    pub fn is_none(self) -> bool {
        let before = Property { updated_at: self.now.updated_at, ..self.before.clone() };
        self.was_listed && before == *self.now
    }

    /// What to tell a search that finds it now, and found it before or did not. A home that comes back
    /// to the site as it was is no news.
    pub fn for_search(self, found_before: bool) -> Option<Happened> {
        if self.costs_less() {
            Some(Happened::Reduced)
        } else if self.is_back_on_sale() {
            Some(Happened::Back)
        } else {
            (!found_before).then_some(Happened::New)
        }
    }

    /// What to tell whoever has it among their favourites.
    pub fn for_favourite(self) -> Vec<Happened> {
        let mut happened = Vec::new();
        if self.costs_less() {
            happened.push(Happened::Reduced);
        } else if self.prices().is_some_and(|(was, is)| is > was) {
            happened.push(Happened::Raised);
        }
        let is_for_sale = self.now.status == ListingStatus::ForSale;
        let is_changed = self.before.status != self.now.status;
        // Of what was gone too: whoever does not hear that it was hears of this alone (`summed`).
        if is_changed && !(is_for_sale && self.was_listed) {
            happened.push(Happened::Status);
        }
        if is_for_sale && (is_changed || !self.was_listed) {
            happened.push(Happened::Back);
        }
        happened
    }

    fn costs_less(self) -> bool {
        self.prices().is_some_and(|(was, is)| is < was)
    }

    /// What it cost. Under another reference it may be another home, as on its page.
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

/// What several changes of one home come to, the oldest first; none where they undo one another.
/// `price_before` is what it cost before the first of them, `price` what it costs now.
pub fn summed(
    happened: &[Happened],
    price_before: Option<i64>,
    price: Option<i64>,
) -> Option<Happened> {
    let has = |one| happened.contains(&one);
    let prices = price_before.zip(price);
    if let Some(Happened::Withdrawn) = happened.last() {
        return Some(Happened::Withdrawn);
    }
    if has(Happened::New) {
        return Some(Happened::New);
    }
    if is_back(happened) {
        return Some(Happened::Back);
    }
    if has(Happened::Status) {
        return Some(Happened::Status);
    }
    match prices {
        Some((was, is)) if is < was => Some(Happened::Reduced),
        Some((was, is)) if is > was && has(Happened::Raised) => Some(Happened::Raised),
        _ => None,
    }
}

/// Whether a home is back to whom it was gone, or not for sale. One that went and came back between two mails
/// was missed by nobody.
fn is_back(happened: &[Happened]) -> bool {
    let mut is_gone = false;
    happened.iter().any(|one| match one {
        Happened::Withdrawn => {
            is_gone = true;
            false
        }
        Happened::Back => !std::mem::take(&mut is_gone),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use contracts::content::{PropertyKind, PropertyType};
    use serde_json::json;

    use super::*;
    use Happened::{Back, New, Raised, Reduced, Status, Withdrawn};

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
        for (before, was_listed, now, told) in [
            (UnderOffer, true, ForSale, vec![Back]),
            (ForSale, true, UnderOffer, vec![Status]),
            (ForSale, false, ForSale, vec![Back]),
            (UnderOffer, false, ForSale, vec![Status, Back]),
            (ForSale, false, Sold, vec![Status]),
            (Sold, false, Sold, vec![]),
        ] {
            let (before, now) = (villa(300, before), villa(300, now));
            let difference = Difference { before: &before, was_listed, now: &now };
            assert_eq!(difference.for_favourite(), told, "{difference:?}");
        }
        let (before, now) = (villa(300, Sold), villa(290, Sold));
        let difference = Difference { before: &before, was_listed: false, now: &now };
        assert_eq!(difference.for_favourite(), [Reduced]);
    }

    #[test]
    fn the_price_of_another_reference_is_no_price_before() {
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
    fn what_undoes_itself_is_no_news() {
        assert_eq!(summed(&[Reduced, Raised], Some(300), Some(300)), None);
        assert_eq!(summed(&[Reduced, Raised], Some(300), Some(290)), Some(Reduced));
        assert_eq!(summed(&[Reduced], Some(300), Some(310)), None);
        assert_eq!(summed(&[Raised], Some(300), Some(310)), Some(Raised));
        assert_eq!(summed(&[Withdrawn, Back], Some(300), Some(300)), None);
    }

    #[test]
    fn what_changed_while_a_home_was_gone_is_told_of_one_that_is_there_again() {
        assert_eq!(summed(&[Withdrawn, Reduced, Back], Some(300), Some(290)), Some(Reduced));
        assert_eq!(summed(&[Withdrawn, Status, Back], Some(300), Some(300)), Some(Status));
        assert_eq!(summed(&[Back, Withdrawn, Back], Some(300), Some(300)), Some(Back));
        assert_eq!(summed(&[Withdrawn, Back, Back], Some(300), Some(300)), Some(Back));
        assert_eq!(summed(&[Back], Some(300), Some(300)), Some(Back), "that it was gone was told");
    }

    #[test]
    fn what_matters_most_is_told() {
        assert_eq!(summed(&[New, Reduced], Some(300), Some(290)), Some(New));
        assert_eq!(summed(&[Reduced, Back], Some(300), Some(290)), Some(Back));
        assert_eq!(summed(&[Reduced, Status], Some(300), Some(290)), Some(Status));
        assert_eq!(summed(&[Status, Withdrawn], None, None), Some(Withdrawn));
        for happened in Happened::ALL {
            assert_eq!(Happened::named(happened.name()), Some(happened));
        }
    }
}
