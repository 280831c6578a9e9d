//! What a home, a place or a page is called in addresses and in tags: checked once, so that what is
//! listed under a name answers under it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// Declares a checked text that stands in addresses.
macro_rules! address {
    ($(#[$doc:meta])* $name:ident, $words:literal, $words_es:literal, $pattern:literal, $longest:literal, $is:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// What it is made of, in words.
            pub const WORDS: &'static str = $words;
            /// The same in Spanish.
            pub const WORDS_ES: &'static str = $words_es;
            /// The same as a regular expression, but for the length.
            pub const PATTERN: &'static str = $pattern;
            /// The longest, in characters.
            pub const LONGEST: usize = $longest;

            /// Whether `text` is one.
            pub fn is(text: &str) -> bool {
                let is: fn(&str) -> bool = $is;
                text.len() <= Self::LONGEST && is(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some(Self::WORDS))
                    .pattern(Some(Self::PATTERN))
                    .max_length(Some(Self::LONGEST))
                    .into()
            }
        }

        impl ToSchema for $name {}

        impl From<$name> for String {
            fn from(checked: $name) -> Self {
                checked.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidAddress;

            fn try_from(text: String) -> Result<Self, InvalidAddress> {
                text.parse()
            }
        }

        impl FromStr for $name {
            type Err = InvalidAddress;

            fn from_str(text: &str) -> Result<Self, InvalidAddress> {
                if Self::is(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(InvalidAddress { found: text.to_owned(), words: Self::WORDS })
                }
            }
        }
    };
}

address!(
    /// The agency's reference of a property: the last part of its address.
    Reference,
    "letters from a to z, digits, `-`, `_` and `.`, at most 40 of them and not dots alone",
    "letras de la a a la z, cifras, `-`, `_` y `.`, 40 como máximo y no solo puntos",
    r"^\.*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
    40,
    is_segment
);

address!(
    /// One part of an address: of a place, an article, a page.
    Slug,
    "letters from a to z, digits, `-`, `_` and `.`, at most 255 of them and not dots alone",
    "letras de la a a la z, cifras, `-`, `_` y `.`, 255 como máximo y no solo puntos",
    r"^\.*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
    255,
    is_segment
);

address!(
    /// Parts of an address with slashes between them: of a page of the documentation. The index of
    /// the documentation has the empty one.
    SlugPath,
    "letters from a to z, digits, `-`, `_` and `.`, with `/` between its parts, at most 255 in all",
    "letras de la a a la z, cifras, `-`, `_` y `.`, con `/` entre sus partes, 255 como máximo en total",
    r"^(\.*[A-Za-z0-9_-][A-Za-z0-9._-]*(/\.*[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$",
    255,
    |text| text.is_empty() || text.split('/').all(is_segment)
);

/// A text that can't stand in an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not made of {words}")]
pub struct InvalidAddress {
    found: String,
    words: &'static str,
}

/// Whether `text` is one part of an address that neither an address nor a tag reads otherwise.
fn is_segment(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    text.bytes().all(plain) && text.bytes().any(|byte| byte != b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_address_and_a_tag_can_hold_is_a_reference_or_a_slug() {
        for right in ["AH-1042", "AH_1042x", "AH.1042", "nerja", ".well-known", "a"] {
            assert_eq!(right.parse::<Reference>().map(String::from).as_deref(), Ok(right));
            assert_eq!(right.parse::<Slug>().map(String::from).as_deref(), Ok(right));
            assert!(SlugPath::is(right));
        }
        for wrong in ["", ".", "..", "AH 1042", "AH/1042", "AH,1042", "ÁH-1", "a\0", "a%2e", "a?b"]
        {
            assert!(wrong.parse::<Reference>().is_err(), "{wrong}");
            assert!(wrong.parse::<Slug>().is_err(), "{wrong}");
        }
        assert!(!Reference::is(&"A".repeat(Reference::LONGEST + 1)));
        assert!(!Slug::is(&"a".repeat(Slug::LONGEST + 1)));
    }

    #[test]
    fn only_a_path_has_parts() {
        for right in ["", "buying", "buying/nie-number", "a/b/c"] {
            assert!(SlugPath::is(right), "{right}");
        }
        for wrong in ["/", "/a", "a/", "a//b", "a/../b", "a b"] {
            assert!(!SlugPath::is(wrong), "{wrong}");
        }
        assert!(!Slug::is("buying/nie-number"));
    }
}
