//! The public door as visitors see it: a real one, with a fake renderer, query service and content
//! service that each test can hold, stop and restart.
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
mod port_forward;
mod preview;
mod searches;
mod share;
mod visits;
mod world;
