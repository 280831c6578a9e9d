//! content-client
