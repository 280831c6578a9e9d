//! Pictures: the photographs of pages in the requested size, and the pictures for sharing.

pub mod scaled;
pub mod sharing;
pub mod shown;
