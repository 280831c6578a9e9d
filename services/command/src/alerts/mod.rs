//! Saved searches, and mails about homes that they find.

mod adoption;
mod alert_mail;
mod calls;
mod change;
mod double_opt_in;
mod home_state;
mod matcher;
mod place_names;
mod queue_alerts;
mod renewal;
mod saved_search;
mod schedule;
mod subscriber;
mod watched_searches;

pub use adoption::adopt;
#[cfg(test)]
pub use alert_mail::KnownSearch;
pub use alert_mail::{AlertMail, ConfirmMail, MailedHome, MailedSearch};
pub use calls::{Alerts, Document, check_name, check_request, router};
#[cfg(test)]
pub use change::ChangeKind;
pub use matcher::run;
pub use renewal::{RenewalMail, renew_searches};
pub use saved_search::{
    LENGTHS, Owner, SavedSearch, SearchChange, SearchRequest, change, delete, favourites_name,
    list, save,
};
pub use schedule::{Frequency, MORNING_SPREAD, next_daytime};
