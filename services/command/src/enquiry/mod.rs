//! What a visitor asks of the agency.

mod check;
mod opening_hours;
pub mod picture;
mod refusal;
mod request;
mod store;

pub use check::{Enquiry, check, email_address, line};
pub use refusal::{Code, Refusal};
pub use request::{AREA, EnquiryRequest, Kind, LENGTHS, MOST_PICTURES, MOST_TIMES, REQUIRED};
pub use store::{Receipt, Received, store};
