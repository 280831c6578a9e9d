//! Parameters that a query has only once: limits, and how new a home is.

use super::{FilterValue, Quantity, UnderstoodFilter};

/// Keeps the widest of several filters for the same limit: `2 bed or 3 bed` is two at least. Swaps a minimum
/// and a maximum that are reversed.
pub(super) fn one_per_parameter(filters: Vec<UnderstoodFilter>) -> Vec<UnderstoodFilter> {
    let mut all: Vec<UnderstoodFilter> = Vec::new();
    for one in filters {
        let same = all.iter_mut().find_map(|other| {
            let is_wider = is_wider(&one.filter, &other.filter)?;
            Some((other, is_wider))
        });
        match same {
            None => all.push(one),
            Some((other, true)) => *other = one,
            Some((_, false)) => {}
        }
    }
    for quantity in Quantity::ALL {
        let min = all.iter().enumerate().find_map(|(place, one)| match one.filter {
            FilterValue::Min(of, amount) if of == quantity => Some((place, amount)),
            _ => None,
        });
        let max = all.iter().enumerate().find_map(|(place, one)| match one.filter {
            FilterValue::Max(of, amount) if of == quantity => Some((place, amount)),
            _ => None,
        });
        if let (Some((low, least)), Some((high, most))) = (min, max)
            && least > most
        {
            all[low].filter = FilterValue::Max(quantity, least);
            all[high].filter = FilterValue::Min(quantity, most);
        }
    }
    all
}

/// Returns whether `one` is wider than `other`; `None` if they are not the same limit.
fn is_wider(one: &FilterValue, other: &FilterValue) -> Option<bool> {
    match (one, other) {
        (FilterValue::Min(of, one), FilterValue::Min(other_of, other)) if of == other_of => {
            Some(one < other)
        }
        (FilterValue::Max(of, one), FilterValue::Max(other_of, other)) if of == other_of => {
            Some(one > other)
        }
        (FilterValue::MinBathrooms(one), FilterValue::MinBathrooms(other)) => Some(one < other),
        (FilterValue::ListedWithin(one), FilterValue::ListedWithin(other)) => Some(one > other),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::understand::tests::check;

    #[test]
    fn the_widest_of_several_limits_is_used() {
        check(&[
            ("2 bed or 3 bed flat", "minBedrooms=2&propertyType=Apartment"),
            ("2 dormitorios o 3 dormitorios", "minBedrooms=2"),
            ("under 200k or under 250k", "maxPrice=250000"),
            ("new this week or this month", "newWithin=30"),
            ("from 300k, under 200k", "maxPrice=300000&minPrice=200000"),
        ]);
    }
}
