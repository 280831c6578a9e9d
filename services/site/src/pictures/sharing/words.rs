//! The texts of a sharing picture, in the same words as the home's page.

use contracts::{
    Locale,
    content::{ListingStatus, PropertyKind},
    vocabulary::{self, Mark},
};

use pictures::share::Badge;

/// Formats a price: `€385,000`, `385.000 €`.
pub fn price(locale: Locale, price: Option<i64>) -> String {
    let Some(price) = price else {
        let on_request = match locale {
            Locale::En => "Price on request",
            Locale::Es => "Precio a consultar",
        };
        return on_request.to_owned();
    };
    locale.euros(price)
}

/// Describes a home: `Villa in Nerja · 3 bedrooms`.
pub fn description(
    locale: Locale,
    kind: PropertyKind,
    place: &str,
    bedrooms: Option<i64>,
) -> String {
    let within = match locale {
        Locale::En => "in",
        Locale::Es => "en",
    };
    let text = format!("{} {within} {place}", vocabulary::kind(kind, locale).name);
    let bedrooms = bedrooms.filter(|count| *count > 0).map(|count| match (locale, count) {
        (Locale::En, 1) => "1 bedroom".to_owned(),
        (Locale::En, count) => format!("{count} bedrooms"),
        (Locale::Es, 1) => "1 dormitorio".to_owned(),
        (Locale::Es, count) => format!("{count} dormitorios"),
    });
    bedrooms.map_or(text.clone(), |bedrooms| format!("{text} · {bedrooms}"))
}

/// Returns the badge with the status of the sale, or that the price was reduced; none for a home that is
/// simply for sale.
pub fn badge(locale: Locale, status: ListingStatus, reduced: bool) -> Option<Badge> {
    let warm = status == ListingStatus::ForSale;
    if warm && !reduced {
        return None;
    }
    let entry = if warm {
        vocabulary::mark(Mark::Reduced, locale)
    } else {
        vocabulary::status(status, locale)
    };
    Some(Badge { text: &entry.name, warm })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_written_as_on_the_page() {
        assert_eq!(price(Locale::En, Some(1_385_000)), "€1,385,000");
        assert_eq!(price(Locale::Es, Some(385_000)), "385.000\u{a0}€");
        assert_eq!(price(Locale::Es, Some(950)), "950\u{a0}€");
        assert_eq!(price(Locale::En, None), "Price on request");
    }

    #[test]
    fn a_home_is_named_in_both_languages() {
        let named = |locale, bedrooms| {
            description(locale, PropertyKind::VillageHouse, "Frigiliana", bedrooms)
        };
        assert_eq!(named(Locale::En, Some(1)), "Village house in Frigiliana · 1 bedroom");
        assert_eq!(named(Locale::Es, Some(3)), "Casa de pueblo en Frigiliana · 3 dormitorios");
        assert_eq!(named(Locale::Es, Some(0)), "Casa de pueblo en Frigiliana");
    }

    #[test]
    fn only_a_home_simply_for_sale_has_no_badge() {
        let badge = |status, reduced| badge(Locale::Es, status, reduced);
        assert_eq!(badge(ListingStatus::ForSale, false), None);
        let reduced = Badge { text: "Rebajado", warm: true };
        assert_eq!(badge(ListingStatus::ForSale, true), Some(reduced));
        let reserved = Badge { text: "Reservado", warm: false };
        assert_eq!(badge(ListingStatus::UnderOffer, true), Some(reserved));
    }
}
