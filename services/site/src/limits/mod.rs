//! What one visitor may request and hold.

pub mod admission;
pub mod rate;
pub mod shares;
