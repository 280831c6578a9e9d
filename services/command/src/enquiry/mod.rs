//! Enquiries that visitors send to the agency.

mod check;
pub mod picture;
mod refusal;
mod request;
mod store;
mod viewing_time;

pub use check::{Enquiry, check, check_at_any_time, email_address, single_line};
pub use refusal::{Code, Refusal, check_texts};
pub use request::{AREA, EnquiryRequest, Kind, LENGTHS, MAX_PICTURES, MAX_TIMES, REQUIRED};
pub use store::{Receipt, Received, find_stored, store};
pub use viewing_time::MAX_DAYS;

#[cfg(test)]
mod tests {
    use contracts::OpeningPeriod;

    /// The opening hours of the sample data's office outside July and August.
    pub fn office_hours() -> Vec<OpeningPeriod> {
        [("09:30", "14:00"), ("16:30", "19:00")]
            .map(|(opens, closes)| OpeningPeriod {
                months: Vec::new(),
                weekdays: vec![1, 2, 3, 4, 5],
                opens: opens.parse().expect("a time of the day"),
                closes: closes.parse().expect("a time of the day"),
            })
            .into()
    }
}
