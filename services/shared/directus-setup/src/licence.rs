//! The limits of Directus's licence, and their usage.

use serde_json::Value;

use crate::{Directus, Error};

/// A limit of a licence and its usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What is counted: collections, flows or seats.
    pub what: &'static str,
    /// The number in use.
    pub used: u64,
    /// The maximum number; `None` for no limit.
    pub limit: Option<u64>,
}

/// The parts of a licence that matter for the set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Licence {
    /// Directus's name for it: `Core` is the free one.
    pub name: String,
    /// Its limits.
    pub allowances: Vec<Allowance>,
}

/// What is counted: tables, including those of translations and junctions; active flows; and accounts that may
/// use the Studio.
const COUNTED: [&str; 3] = ["collections", "flows", "seats"];

impl Licence {
    /// Reads the licence of `directus`, which has `tables` tables. Directus's own count is not used: it is not
    /// updated until the next start if tables were created from a snapshot.
    pub(crate) async fn read(directus: &Directus, tables: u64) -> Result<Self, Error> {
        let answer = directus.get("/license", &[]).await?;
        let allowances = COUNTED.map(|what| Allowance {
            what,
            used: match what {
                "collections" => tables,
                _ => answer["usage"][what].as_u64().unwrap_or_default(),
            },
            // Anything other than a number above 0 means no limit.
            limit: answer["entitlements"][what]["limit"].as_u64().filter(|limit| *limit > 0),
        });
        let name = answer["name"].as_str().unwrap_or("unknown").to_owned();
        Ok(Self { name, allowances: allowances.to_vec() })
    }

    /// Rejects additions that would exceed it, before anything is done.
    pub(crate) fn check(&self, added: &[(&'static str, u64)]) -> Result<(), Error> {
        for (what, added) in added {
            let allowance = self.allowances.iter().find(|it| it.what == *what);
            let Some(Allowance { used, limit: Some(limit), .. }) = allowance else { continue };
            if *added > 0 && used + added > *limit {
                return Err(Error::LicenceLimit {
                    what,
                    limit: *limit,
                    used: *used,
                    added: *added,
                });
            }
        }
        Ok(())
    }

    /// Returns whether the usage exceeds a limit.
    pub fn is_exceeded(&self) -> bool {
        self.allowances.iter().any(|it| it.limit.is_some_and(|limit| it.used > limit))
    }
}

impl std::fmt::Display for Allowance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.limit {
            Some(limit) => write!(f, "{} of {limit} {}", self.used, self.what),
            None => write!(f, "{} {} without a limit", self.used, self.what),
        }
    }
}

/// Returns the version of Directus, if this set-up supports it.
pub fn check_version(info: &Value) -> Result<String, Error> {
    let found = info["version"].as_str().unwrap_or("of an unknown version").to_owned();
    let mut numbers = found.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    match (numbers.next(), numbers.next()) {
        (Some(12), Some(minor)) if minor >= 2 => Ok(found),
        _ => Err(Error::WrongVersion { found }),
    }
}

/// Rejects a Directus that truncates lists. It does so without an error, so omitted rows would be taken for
/// missing ones and added again at each run.
pub fn check_lists(info: &Value) -> Result<(), Error> {
    match info["queryLimit"]["max"].as_u64() {
        Some(limit) => Err(Error::ShortLists { limit }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_supported_versions_are_accepted() {
        for good in ["12.2.0", "12.3.1", "12.10.0"] {
            assert_eq!(check_version(&json!({ "version": good })).expect("it can be"), good);
        }
        for bad in [json!("12.1.9"), json!("11.9.0"), json!("13.0.0"), json!("12"), json!(null)] {
            check_version(&json!({ "version": bad })).expect_err("it can't be");
        }
    }

    #[test]
    fn a_directus_that_truncates_lists_is_rejected() {
        let with = |max: Value| json!({ "queryLimit": { "default": 100, "max": max } });
        check_lists(&with(json!(-1))).expect("its lists are whole");
        let refused = check_lists(&with(json!(100))).expect_err("its lists end");
        assert!(refused.to_string().contains("QUERY_LIMIT_MAX is 100"), "{refused}");
    }

    #[test]
    fn additions_beyond_the_licence_are_rejected() {
        let allowance = |what, used, limit| Allowance { what, used, limit };
        let licence = Licence {
            name: "Core".to_owned(),
            allowances: vec![allowance("collections", 6, Some(25)), allowance("flows", 9, None)],
        };
        licence.check(&[("collections", 19), ("flows", 100), ("seats", 4)]).expect("there is room");
        let refused = licence.check(&[("collections", 20)]).expect_err("there is none");
        assert!(refused.to_string().contains("allows 25 collections"), "{refused}");
    }
}
