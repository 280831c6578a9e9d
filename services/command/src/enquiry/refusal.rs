//! Validation errors, in the sender's language.

use std::{collections::HashMap, fmt::Display};

use contracts::Locale;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Error, embedded::Embedded};

/// The texts of the codes. The forms of the pages are generated from the same file.
static TEXTS: Embedded<HashMap<Code, HashMap<Locale, String>>> =
    Embedded::new("refusals.json", include_str!("../../refusals.json"));

/// Fails if the texts can't be read.
pub fn check_texts() -> Result<(), Error> {
    TEXTS.get().map(drop)
}

/// The rule that a field breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// It is needed.
    Required,
    /// It has too few characters.
    TooShort,
    /// It has too many.
    TooLong,
    /// It can't be read.
    Invalid,
    /// It is too small or too large.
    OutOfRange,
    /// It is no e-mail address.
    InvalidEmail,
    /// It is no telephone number.
    InvalidPhone,
    /// There is nowhere to answer to.
    ContactNeeded,
    /// There is no number to call.
    PhoneNeeded,
    /// No home has this reference.
    UnknownHome,
    /// Nobody is there then.
    InvalidTime,
    /// They are too many.
    TooMany,
    /// The file is no picture.
    NotAPicture,
    /// The picture is too large.
    PictureTooLarge,
    /// The picture is not kept any more.
    UnknownPicture,
}

/// An invalid field of an enquiry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Refusal {
    /// The field's name, as in the request.
    pub field: &'static str,
    /// The rule that the field breaks.
    pub code: Code,
    /// What a valid value looks like, in the sender's language.
    pub detail: String,
}

impl Refusal {
    /// Creates the error that `field` breaks the rule `code`.
    pub fn new(field: &'static str, code: Code, locale: Locale) -> Self {
        // The role does not start without the texts.
        let text = TEXTS.get().ok().and_then(|texts| texts.get(&code)?.get(&locale));
        Self { field, code, detail: text.cloned().unwrap_or_default() }
    }

    /// Replaces the placeholder `name` in the text by `value`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.detail = self.detail.replace(&format!("{{{name}}}"), &value.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_text_in_both_languages() {
        let codes = TEXTS.get().expect("the file is read");
        assert_eq!(codes.len(), 15);
        for (code, texts) in codes {
            assert!(Locale::ALL.iter().all(|locale| texts.contains_key(locale)), "{code:?}");
        }
        let short = Refusal::new("message", Code::TooShort, Locale::Es).with("min", 10);
        assert_eq!(short.detail, "Escriba al menos 10 caracteres.");
    }
}
