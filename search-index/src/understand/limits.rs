//! Parameters that a query has only once: limits, and how new a home is.

use super::UnderstoodFilter;

/// Parameters with a minimum and a maximum.
const RANGES: [[&str; 2]; 4] = [
    ["minPrice", "maxPrice"],
    ["minBedrooms", "maxBedrooms"],
    ["minBuilt", "maxBuilt"],
    ["minPlot", "maxPlot"],
];

/// Keeps the widest of several filters for the same limit: `2 bed or 3 bed` is two at least. Swaps a minimum
/// and a maximum that are reversed.
pub(super) fn one_per_parameter(filters: Vec<UnderstoodFilter>) -> Vec<UnderstoodFilter> {
    let mut all: Vec<UnderstoodFilter> = Vec::new();
    for filter in filters {
        let place = all.iter().position(|other| other.parameter == filter.parameter);
        match place.filter(|_| is_limit(filter.parameter)) {
            None => all.push(filter),
            Some(place) if is_wider(&filter, &all[place]) => all[place] = filter,
            Some(_) => {}
        }
    }
    for [min, max] in RANGES {
        let place = |name: &str| all.iter().position(|filter| filter.parameter == name);
        if let (Some(low), Some(high)) = (place(min), place(max))
            && limit(&all[low]) > limit(&all[high])
        {
            all[low].parameter = max;
            all[high].parameter = min;
        }
    }
    all
}

fn is_limit(parameter: &str) -> bool {
    parameter.starts_with("min") || parameter.starts_with("max") || parameter == "newWithin"
}

fn is_wider(filter: &UnderstoodFilter, other: &UnderstoodFilter) -> bool {
    if filter.parameter.starts_with("min") {
        limit(filter) < limit(other)
    } else {
        limit(filter) > limit(other)
    }
}

fn limit(filter: &UnderstoodFilter) -> Option<i64> {
    filter.value.parse().ok()
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
