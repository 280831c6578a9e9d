//! Closed sets of words.

/// The error for a word that is not in its closed set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a {what}")]
pub struct UnknownName {
    what: &'static str,
    found: String,
}

impl UnknownName {
    /// Returns the error for `found`, which is not a `what`.
    pub fn new(what: &'static str, found: &str) -> Self {
        Self { what, found: found.to_owned() }
    }
}

/// Declares an enum for a closed set of words, with the name of each. A set that is `serialized` is also
/// described by OpenAPI; the crate that declares one depends on `serde` and `utoipa`.
#[macro_export]
macro_rules! closed_set {
    ($(#[$doc:meta])* $name:ident, $what:literal, serialized { $($(#[$variant_doc:meta])* $variant:ident = $text:tt),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)+
        }

        $crate::closed_set!(@names $name, $what, { $($variant = $text),+ });
    };
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$variant_doc:meta])* $variant:ident = $text:tt),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        $crate::closed_set!(@names $name, $what, { $($variant = $text),+ });
    };
    (@names $name:ident, $what:literal, { $($variant:ident = $text:tt),+ }) => {
        impl $name {
            /// Every member, in display order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The name of every member, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            /// Returns its name, as it is stored and sent.
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
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|member| member.name() == text)
                    .ok_or_else(|| $crate::UnknownName::new($what, text))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    closed_set!(
        /// Where the sun is.
        Sky, "side of the sky", {
            /// In the morning.
            East = "east",
            /// In the evening.
            West = "west",
        }
    );

    #[test]
    fn names_round_trip_and_others_are_refused() {
        assert_eq!(Sky::NAMES, ["east", "west"]);
        for side in Sky::ALL {
            assert_eq!(side.to_string().parse(), Ok(*side));
        }
        let error = "up".parse::<Sky>().expect_err("it is no side").to_string();
        assert_eq!(error, "`up` is not a side of the sky");
    }
}
