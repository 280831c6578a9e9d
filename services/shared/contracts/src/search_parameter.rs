//! The URL parameters of a search.

use crate::closed_set;

closed_set!(
    /// A URL parameter that sets a filter of a search. The API and the pages of the site share these names.
    SearchParameter, "search parameter", serialized {
        /// Words.
        Words = "q",
        /// Types.
        PropertyType = "propertyType",
        /// Kinds.
        Kind = "kind",
        /// Slugs of places.
        Location = "location",
        /// Slugs of excluded places.
        NotLocation = "notLocation",
        /// Statuses.
        Status = "status",
        /// Euros at least.
        MinPrice = "minPrice",
        /// Euros at most.
        MaxPrice = "maxPrice",
        /// Bedrooms at least.
        MinBedrooms = "minBedrooms",
        /// Bedrooms at most.
        MaxBedrooms = "maxBedrooms",
        /// Bathrooms at least.
        MinBathrooms = "minBathrooms",
        /// Built size at least, m².
        MinBuilt = "minBuilt",
        /// Built size at most, m².
        MaxBuilt = "maxBuilt",
        /// Plot at least, m².
        MinPlot = "minPlot",
        /// Plot at most, m².
        MaxPlot = "maxPlot",
        /// Features.
        Features = "features",
        /// Excluded features.
        WithoutFeatures = "withoutFeatures",
        /// Energy ratings.
        Energy = "energy",
        /// The maximum number of days since it was first offered.
        ListedWithin = "newWithin",
        /// Whether it is reduced.
        Reduced = "reduced",
        /// Whether it is featured.
        Featured = "featured",
        /// Whether it is a new build.
        NewBuild = "newBuild",
        /// A rectangle on the map.
        Bounds = "bbox",
        /// A drawn area.
        Area = "area",
    }
);
