//! Closed sets of words.

/// The error for a word that is not in its closed set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a {what}")]
pub struct UnknownName {
    pub(crate) what: &'static str,
    pub(crate) found: String,
}

/// Declares an enum for a closed set of words, with the name of each in content, log and index.
macro_rules! closed_set {
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$variant_doc:meta])* $variant:ident = $text:tt),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every member, in display order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The name of every member, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            /// Returns the name in content, log, index and API.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::content::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|member| member.name() == text)
                    .ok_or_else(|| $crate::content::UnknownName { what: $what, found: text.to_owned() })
            }
        }
    };
}
