//! Saved searches, and mails about homes that they find.

mod adoption;
mod agreement;
mod alert_mail;
mod calls;
mod change;
mod home_state;
mod known_searches;
mod matcher;
mod place_names;
mod renewal;
mod saved_search;
mod schedule;
mod subscriber;
mod tell;

pub use adoption::adopt;
#[cfg(test)]
pub use alert_mail::KnownSearch;
pub use alert_mail::{AlertMail, ConfirmMail, ToldHome, ToldSearch};
pub use calls::{Alerts, Document, checked, checked_name, router};
#[cfg(test)]
pub use change::Happened;
pub use matcher::run;
pub use renewal::{RenewalMail, renew};
pub use saved_search::{
    Owner, SavedSearch, SearchChange, SearchRequest, change, delete, favourites, list, save,
};
pub use schedule::{Frequency, MORNING_SPREAD, by_day};
