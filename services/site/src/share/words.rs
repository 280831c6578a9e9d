//! What a sharing picture says of a home, in the words that its page has for it.

use contracts::{
    Locale,
    content::{ListingStatus, PropertyKind},
};

use super::card::Badge;

/// `€385,000`, `385.000 €`.
pub fn price(locale: Locale, price: Option<i64>) -> String {
    let Some(price) = price else {
        let on_request = match locale {
            Locale::En => "Price on request",
            Locale::Es => "Precio a consultar",
        };
        return on_request.to_owned();
    };
    match locale {
        Locale::En => format!("€{}", grouped(price, ',')),
        Locale::Es => format!("{}\u{a0}€", grouped(price, '.')),
    }
}

fn grouped(number: i64, separator: char) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

/// `Villa in Nerja · 3 bedrooms`.
pub fn what_and_where(
    locale: Locale,
    kind: PropertyKind,
    place: &str,
    bedrooms: Option<i64>,
) -> String {
    let within = match locale {
        Locale::En => "in",
        Locale::Es => "en",
    };
    let text = format!("{} {within} {place}", kind_name(locale, kind));
    let bedrooms = bedrooms.filter(|count| *count > 0).map(|count| match (locale, count) {
        (Locale::En, 1) => "1 bedroom".to_owned(),
        (Locale::En, count) => format!("{count} bedrooms"),
        (Locale::Es, 1) => "1 dormitorio".to_owned(),
        (Locale::Es, count) => format!("{count} dormitorios"),
    });
    bedrooms.map_or(text.clone(), |bedrooms| format!("{text} · {bedrooms}"))
}

/// Where the sale stands, or that the price was reduced; none of a home that is simply for sale.
pub fn badge(locale: Locale, status: ListingStatus, reduced: bool) -> Option<Badge> {
    let (en, es) = match status {
        ListingStatus::ForSale if reduced => ("Reduced", "Rebajada"),
        ListingStatus::ForSale => return None,
        ListingStatus::UnderOffer => ("Reserved", "Reservada"),
        ListingStatus::SaleAgreed => ("Sale Agreed", "Venta acordada"),
        ListingStatus::Pending => ("Pending", "Pendiente de firma"),
        ListingStatus::Sold => ("Sold", "Vendida"),
    };
    let text = match locale {
        Locale::En => en,
        Locale::Es => es,
    };
    Some(Badge { text, warm: status == ListingStatus::ForSale })
}

const fn kind_name(locale: Locale, kind: PropertyKind) -> &'static str {
    let (en, es) = match kind {
        PropertyKind::Villa => ("Villa", "Villa"),
        PropertyKind::Townhouse => ("Townhouse", "Adosado"),
        PropertyKind::VillageHouse => ("Village house", "Casa de pueblo"),
        PropertyKind::CountryHouse => ("Country house", "Casa de campo"),
        PropertyKind::Apartment => ("Apartment", "Piso"),
        PropertyKind::Penthouse => ("Penthouse", "Ático"),
        PropertyKind::Studio => ("Studio", "Estudio"),
        PropertyKind::Duplex => ("Duplex", "Dúplex"),
        PropertyKind::GroundFloor => ("Ground-floor apartment", "Planta baja"),
        PropertyKind::Premises => ("Premises", "Local comercial"),
        PropertyKind::Bar => ("Bar or restaurant", "Bar o restaurante"),
        PropertyKind::Office => ("Office", "Oficina"),
        PropertyKind::Land => ("Land", "Terreno"),
        PropertyKind::Garage => ("Garage", "Garaje"),
    };
    match locale {
        Locale::En => en,
        Locale::Es => es,
    }
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
            what_and_where(locale, PropertyKind::VillageHouse, "Frigiliana", bedrooms)
        };
        assert_eq!(named(Locale::En, Some(1)), "Village house in Frigiliana · 1 bedroom");
        assert_eq!(named(Locale::Es, Some(3)), "Casa de pueblo en Frigiliana · 3 dormitorios");
        assert_eq!(named(Locale::Es, Some(0)), "Casa de pueblo en Frigiliana");
    }

    #[test]
    fn kinds_and_statuses_are_named_as_on_the_pages() {
        let pages = include_str!("../../../../frontend/app/lib/vocabulary/names.ts");
        let entries = |key: &str| -> Vec<&str> {
            pages
                .lines()
                .filter_map(|line| line.trim().split_once(": "))
                .filter(|(name, _)| name.trim_matches('"') == key)
                .map(|(_, text)| text.trim_end_matches(',').trim_matches('"'))
                .collect()
        };
        for kind in PropertyKind::ALL {
            let names = Locale::ALL.map(|locale| kind_name(locale, *kind));
            assert_eq!(entries(kind.name()), names, "{kind:?}");
        }
        for status in ListingStatus::ALL {
            let Some(names) = Locale::ALL
                .map(|locale| badge(locale, *status, false).map(|badge| badge.text))
                .into_iter()
                .collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            assert_eq!(entries(status.name()), names, "{status:?}");
        }
    }
}
