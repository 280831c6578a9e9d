//! Pages: their cache, how they are rendered, and how they are served, to everybody or to one visitor.

pub mod cache;
pub mod flights;
pub mod language;
pub mod page;
pub mod page_key;
pub mod private_page;
pub mod public_page;
pub mod purges;
pub mod renderer;
pub mod renderer_health;
pub mod rerender;
pub mod unavailable;
