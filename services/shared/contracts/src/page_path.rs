//! The paths of homes and of their lists, in English. [`Locale::path_of`](crate::Locale::path_of) adds the
//! prefix of another language.

/// The list of all homes. The lists of places, and the pages of homes, are below it.
pub const PROPERTY_LIST: &str = "/property-for-sale";

/// Returns the path of the list of the homes in the place `location`.
pub fn location_path(location: &str) -> String {
    format!("{PROPERTY_LIST}/{location}")
}

/// Returns the path of the page of the property `reference`, which is listed under the place `location`.
pub fn property_path(location: &str, reference: &str) -> String {
    format!("{}/{reference}", location_path(location))
}
