//! Validation errors, in the sender's language.

use std::{collections::HashMap, fmt::Display};

use contracts::Locale;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Error, embedded::Embedded};

type Texts = HashMap<Code, HashMap<Locale, String>>;

/// The texts of the codes. The forms of the pages are generated from the same file.
static TEXTS: Embedded<Texts> = Embedded::new("refusals.json", include_str!("../../refusals.json"));

/// Fails if the texts can't be read, or a code has none.
pub fn check_texts() -> Result<(), Error> {
    match code_without_text(TEXTS.get()?) {
        Some((code, locale)) => {
            Err(TEXTS.error(format!("{code:?} has no text in {}", locale.code())))
        }
        None => Ok(()),
    }
}

fn code_without_text(texts: &Texts) -> Option<(Code, Locale)> {
    let has = |code, locale| texts.get(&code).is_some_and(|texts| texts.contains_key(&locale));
    let mut all = Code::ALL.into_iter().flat_map(|code| Locale::ALL.map(|locale| (code, locale)));
    all.find(|(code, locale)| !has(*code, *locale))
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

impl Code {
    const ALL: [Self; 15] = [
        Self::Required,
        Self::TooShort,
        Self::TooLong,
        Self::Invalid,
        Self::OutOfRange,
        Self::InvalidEmail,
        Self::InvalidPhone,
        Self::ContactNeeded,
        Self::PhoneNeeded,
        Self::UnknownHome,
        Self::InvalidTime,
        Self::TooMany,
        Self::NotAPicture,
        Self::PictureTooLarge,
        Self::UnknownPicture,
    ];
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
        check_texts().expect("those of this build are complete");
        let without = |code, locale| {
            let mut texts = TEXTS.get().expect("the file is read").clone();
            texts.get_mut(&code).expect("its texts").remove(&locale);
            code_without_text(&texts)
        };
        let missing = (Code::UnknownPicture, Locale::Es);
        assert_eq!(without(missing.0, missing.1), Some(missing));
        assert_eq!(code_without_text(&Texts::new()), Some((Code::Required, Locale::En)));
        let short = Refusal::new("message", Code::TooShort, Locale::Es).with("min", 10);
        assert_eq!(short.detail, "Escriba al menos 10 caracteres.");
    }
}
