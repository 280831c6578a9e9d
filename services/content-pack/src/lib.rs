//! content-pack
