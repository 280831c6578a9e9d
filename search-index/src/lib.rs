//! search-index
