//! The calls under `/api`: those that are forwarded, and those that the door answers itself.

pub mod api_description;
pub mod change_feed;
pub mod proxy_api;
pub mod visits;
pub mod write_proxy;
