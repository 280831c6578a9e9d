//! Validated parts of URL paths and tags: property references, slugs and slug paths. Everything uses these
//! types, so that a page that is listed under a name can also be requested under it.

use std::{fmt, str::FromStr};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// The characters that are escaped in a path: all but the unreserved ones and the delimiters that a path
/// may contain (RFC 3986, 3.3). The door requests paths in this form, and redirects are stored in it.
pub const ESCAPED_IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// Declares a validated text that is part of URL paths.
macro_rules! address {
    ($(#[$doc:meta])* $name:ident, $words:literal, $words_es:literal, $pattern:literal, $longest:literal, $is_valid:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The allowed characters, in words.
            pub const DESCRIPTION: &'static str = $words;
            /// The same in Spanish.
            pub const DESCRIPTION_ES: &'static str = $words_es;
            /// The same as a regular expression, without the maximum length.
            pub const PATTERN: &'static str = $pattern;
            /// The maximum length, in characters.
            pub const MAX_LENGTH: usize = $longest;

            /// Returns whether `text` is valid.
            pub fn is_valid(text: &str) -> bool {
                let is_valid: fn(&str) -> bool = $is_valid;
                text.len() <= Self::MAX_LENGTH && is_valid(text)
            }

            /// Returns the text.
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
                    .description(Some(Self::DESCRIPTION))
                    .pattern(Some(Self::PATTERN))
                    .max_length(Some(Self::MAX_LENGTH))
                    .into()
            }
        }

        impl ToSchema for $name {}

        impl From<$name> for String {
            fn from(valid: $name) -> Self {
                valid.0
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
                if Self::is_valid(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(InvalidAddress { found: text.to_owned(), words: Self::DESCRIPTION })
                }
            }
        }
    };
}

address!(
    /// The agency's reference of a property: the last segment of its path.
    Reference,
    "letters from a to z, digits, `-`, `_` and `.`, at most 40 of them and not dots alone",
    "letras de la a a la z, cifras, `-`, `_` y `.`, 40 como máximo y no solo puntos",
    r"^\.*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
    40,
    is_segment
);

address!(
    /// A path segment that identifies a place, an article or a page.
    Slug,
    "letters from a to z, digits, `-`, `_` and `.`, at most 255 of them and not dots alone",
    "letras de la a a la z, cifras, `-`, `_` y `.`, 255 como máximo y no solo puntos",
    r"^\.*[A-Za-z0-9_-][A-Za-z0-9._-]*$",
    255,
    is_segment
);

address!(
    /// Path segments separated by slashes, which identify a page of the documentation. The index of the
    /// documentation has the empty path.
    SlugPath,
    "letters from a to z, digits, `-`, `_` and `.`, with `/` between its parts, at most 255 in all",
    "letras de la a a la z, cifras, `-`, `_` y `.`, con `/` entre sus partes, 255 como máximo en total",
    r"^(\.*[A-Za-z0-9_-][A-Za-z0-9._-]*(/\.*[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?$",
    255,
    |text| text.is_empty() || text.split('/').all(is_segment)
);

/// The error for a text that is not a valid part of a URL path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not made of {words}")]
pub struct InvalidAddress {
    found: String,
    words: &'static str,
}

impl InvalidAddress {
    /// Returns the allowed characters, in words.
    pub const fn expected(&self) -> &'static str {
        self.words
    }
}

/// Returns whether `text` is a path segment that means the same, unescaped, in a URL and in a tag.
fn is_segment(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    text.bytes().all(is_allowed) && text.bytes().any(|byte| byte != b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_and_slugs_contain_only_what_urls_and_tags_allow() {
        for right in ["AH-1042", "AH_1042x", "AH.1042", "nerja", ".well-known", "a"] {
            assert_eq!(right.parse::<Reference>().map(String::from).as_deref(), Ok(right));
            assert_eq!(right.parse::<Slug>().map(String::from).as_deref(), Ok(right));
            assert!(SlugPath::is_valid(right));
        }
        for wrong in ["", ".", "..", "AH 1042", "AH/1042", "AH,1042", "ÁH-1", "a\0", "a%2e", "a?b"]
        {
            assert!(wrong.parse::<Reference>().is_err(), "{wrong}");
            assert!(wrong.parse::<Slug>().is_err(), "{wrong}");
        }
        assert!(!Reference::is_valid(&"A".repeat(Reference::MAX_LENGTH + 1)));
        assert!(!Slug::is_valid(&"a".repeat(Slug::MAX_LENGTH + 1)));
    }

    #[test]
    fn only_a_slug_path_may_contain_slashes() {
        for right in ["", "buying", "buying/nie-number", "a/b/c"] {
            assert!(SlugPath::is_valid(right), "{right}");
        }
        for wrong in ["/", "/a", "a/", "a//b", "a/../b", "a b"] {
            assert!(!SlugPath::is_valid(wrong), "{wrong}");
        }
        assert!(!Slug::is_valid("buying/nie-number"));
    }
}
