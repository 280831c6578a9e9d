//! The beginnings of the error texts that `visitor.job` stores. The rest of a text may repeat what a
//! visitor wrote, so operators see a text only if [`ALL`] allows it.

pub const MAIL_SERVER: &str = "the mail server";
pub const MAY_HAVE_ARRIVED: &str = "it may have arrived";
pub const NO_ADDRESS: &str = "there is no address";
pub const CAME_BACK: &str = "it came back";
pub const CONTENT_SERVICE: &str = "the content service";
pub const NO_ANSWER: &str = "no answer in time";
pub const NO_TOKEN: &str = "no ENQUIRIES_TOKEN";
pub const NOBODY_WAITS: &str = "nobody waits for it any more";
pub const POSTGRES: &str = "postgres";

/// All beginnings, each with whether the full text may be shown to operators if it contains no personal
/// data.
pub const ALL: [(&str, bool); 9] = [
    (MAIL_SERVER, true),
    (MAY_HAVE_ARRIVED, true),
    (NO_ADDRESS, false),
    (CAME_BACK, true),
    (CONTENT_SERVICE, true),
    (NO_ANSWER, false),
    (NO_TOKEN, false),
    (NOBODY_WAITS, false),
    (POSTGRES, false),
];
