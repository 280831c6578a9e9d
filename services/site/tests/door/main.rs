//! The public door as visitors find it: a real one, between a small renderer, query service and
//! content service that each test can hold, stop and start again.
#![expect(clippy::expect_used, reason = "a test that can't go on fails")]

mod api;
mod basemap;
mod changes;
mod enquiries;
mod feed;
mod files;
mod language;
mod media;
mod operators;
mod pages;
mod preview;
mod searches;
mod share;
mod visits;
mod way;
mod world;
