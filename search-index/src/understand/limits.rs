//! Filters of which a question has one: limits, and how new a home is.

use super::UnderstoodFilter;

/// What lies between a least and a most.
const RANGES: [[&str; 2]; 4] = [
    ["minPrice", "maxPrice"],
    ["minBedrooms", "maxBedrooms"],
    ["minBuilt", "maxBuilt"],
    ["minPlot", "maxPlot"],
];

/// Keeps of each limit the widest: `2 bed or 3 bed` are two at least. Those that stand the wrong way
/// round are meant the right way round.
pub(super) fn one_of_each(filters: Vec<UnderstoodFilter>) -> Vec<UnderstoodFilter> {
    let mut all: Vec<UnderstoodFilter> = Vec::new();
    for filter in filters {
        let place = all.iter().position(|other| other.parameter == filter.parameter);
        match place.filter(|_| is_limit(filter.parameter)) {
            None => all.push(filter),
            Some(place) if is_wider(&filter, &all[place]) => all[place] = filter,
            Some(_) => {}
        }
    }
    for [least, most] in RANGES {
        let place = |name: &str| all.iter().position(|filter| filter.parameter == name);
        if let (Some(low), Some(high)) = (place(least), place(most))
            && limit(&all[low]) > limit(&all[high])
        {
            all[low].parameter = most;
            all[high].parameter = least;
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
    fn of_several_limits_the_widest_counts() {
        check(&[
            ("2 bed or 3 bed flat", "minBedrooms=2&propertyType=Apartment"),
            ("2 dormitorios o 3 dormitorios", "minBedrooms=2"),
            ("under 200k or under 250k", "maxPrice=250000"),
            ("new this week or this month", "newWithin=30"),
            ("from 300k, under 200k", "maxPrice=300000&minPrice=200000"),
        ]);
    }
}
