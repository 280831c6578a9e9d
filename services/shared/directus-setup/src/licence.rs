//! What Directus's licence allows, and how much of it is used.

use serde_json::Value;

use crate::{Directus, Error};

/// Something that a licence counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What is counted: collections, flows or seats.
    pub what: &'static str,
    /// How many there are.
    pub used: u64,
    /// How many there may be; none where there is no limit.
    pub limit: Option<u64>,
}

/// A licence, as far as the set-up is bound by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Licence {
    /// What Directus calls it: `Core` is the free one.
    pub name: String,
    /// What it counts.
    pub allowances: Vec<Allowance>,
}

/// What is counted: tables with those of translations and junctions, flows that are active, and
/// accounts that may use the Studio.
const COUNTED: [&str; 3] = ["collections", "flows", "seats"];

impl Licence {
    /// The licence of `directus`, which has `tables`: its own count of them is as old as its last
    /// start, where it was made by a snapshot.
    pub(crate) async fn read(directus: &Directus, tables: u64) -> Result<Self, Error> {
        let answer = directus.get("/license", &[]).await?;
        let allowances = COUNTED.map(|what| Allowance {
            what,
            used: match what {
                "collections" => tables,
                _ => answer["usage"][what].as_u64().unwrap_or_default(),
            },
            // Anything but a number above 0 is no limit.
            limit: answer["entitlements"][what]["limit"].as_u64().filter(|limit| *limit > 0),
        });
        let name = answer["name"].as_str().unwrap_or("unknown").to_owned();
        Ok(Self { name, allowances: allowances.to_vec() })
    }

    /// Refuses what would exceed it, before anything is done.
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

    /// Whether more is used than is allowed.
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

/// The version of Directus, as far as this set-up can be made on it.
pub fn check_version(info: &Value) -> Result<String, Error> {
    let found = info["version"].as_str().unwrap_or("of an unknown version").to_owned();
    let mut numbers = found.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    match (numbers.next(), numbers.next()) {
        (Some(12), Some(minor)) if minor >= 2 => Ok(found),
        _ => Err(Error::WrongVersion { found }),
    }
}

/// Refuses a Directus that shortens lists, which it does without a word: what it leaves out would be
/// taken for missing, and added once more at each run.
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
    fn only_what_it_was_made_for_is_set_up() {
        for good in ["12.2.0", "12.3.1", "12.10.0"] {
            assert_eq!(check_version(&json!({ "version": good })).expect("it can be"), good);
        }
        for bad in [json!("12.1.9"), json!("11.9.0"), json!("13.0.0"), json!("12"), json!(null)] {
            check_version(&json!({ "version": bad })).expect_err("it can't be");
        }
    }

    #[test]
    fn a_directus_that_shortens_lists_is_refused_by_name() {
        let with = |max: Value| json!({ "queryLimit": { "default": 100, "max": max } });
        check_lists(&with(json!(-1))).expect("its lists are whole");
        let refused = check_lists(&with(json!(100))).expect_err("its lists end");
        assert!(refused.to_string().contains("QUERY_LIMIT_MAX is 100"), "{refused}");
    }

    #[test]
    fn what_exceeds_the_licence_is_refused_before_anything_is_done() {
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
