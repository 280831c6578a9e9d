//! The filters by name.

/// One filter of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// The words.
    Words,
    /// The types.
    PropertyType,
    /// The kinds.
    Kind,
    /// The places.
    Location,
    /// The statuses.
    Status,
    /// Both limits of the price.
    Price,
    /// The least number of bedrooms.
    Bedrooms,
    /// The least number of bathrooms.
    Bathrooms,
    /// Both limits of the built size.
    BuiltArea,
    /// Both limits of the plot.
    PlotArea,
    /// All the features together.
    Features,
    /// The energy ratings.
    Energy,
    /// How lately it was first offered.
    ListedWithin,
    /// Whether it is reduced.
    Reduced,
    /// Whether it is put forward.
    Featured,
    /// The rectangle.
    Bounds,
    /// The drawn area.
    Area,
}

/// A filter without which something would fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loosened {
    /// The filter.
    pub filter: Filter,
    /// How many fit all the others.
    pub count: u64,
}
