//! What Directus's environment lacks. Its API tells nothing of it, so the extension `almijara-preview` does.

use std::collections::BTreeMap;

use reqwest::StatusCode;
use serde::Deserialize;

use crate::{Directus, Error, client::malformed};

const PATH: &str = "/almijara/doctor";
const PREVIEW_SECRET: &str = "PREVIEW_SECRET";

#[derive(Debug, Deserialize)]
struct Environment {
    variables: BTreeMap<String, State>,
    /// The origin of the site.
    site: Option<String>,
    /// Whether the Studio may show the site in a frame.
    shows_site: bool,
}

/// Whether a variable is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Set,
    Missing,
    /// Flows can't read it.
    Hidden,
    /// Flows may not call this address.
    Denied,
    Short,
}

/// Returns what the environment lacks for the flows, which read the variables `of_flows`, and for previews on
/// `site`, each with what follows. Returns nothing for an extension that can't tell; that is reported already.
pub async fn missing(
    directus: &Directus,
    of_flows: &[String],
    site: Option<&str>,
) -> Result<Vec<String>, Error> {
    let environment: Environment = match directus.get(PATH, &[]).await {
        Ok(answer) => serde_json::from_value(answer)
            .map_err(|error| malformed(&reqwest::Method::GET, PATH, error))?,
        Err(Error::Refused { status: StatusCode::NOT_FOUND, .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    Ok(environment.lacks(of_flows, site))
}

impl Environment {
    fn lacks(&self, of_flows: &[String], site: Option<&str>) -> Vec<String> {
        let flows = of_flows.iter().map(|name| (name.as_str(), "changes are not posted"));
        let previews = site.map(|_| (PREVIEW_SECRET, "there are no previews"));
        let variables = flows.chain(previews);
        let mut lacks: Vec<String> =
            variables.filter_map(|(name, effect)| self.lack(name, effect)).collect();
        let Some(site) = site else { return lacks };
        match &self.site {
            None => lacks.push("SITE_ORIGIN is missing: there are no previews".to_owned()),
            Some(other) if other != site => lacks.push(format!(
                "SITE_ORIGIN is {other}, and here it is {site}: there are no previews there"
            )),
            Some(_) if !self.shows_site => lacks.push(format!(
                "frame-src does not allow {site}: the Studio shows no previews; \
                 CONTENT_SECURITY_POLICY_DIRECTIVES__FRAME_SRC has to be 'self',{site}"
            )),
            Some(_) => {}
        }
        lacks
    }

    /// Returns why the variable `name` is of no use, and that `effect` follows.
    fn lack(&self, name: &str, effect: &str) -> Option<String> {
        let why = match self.variables.get(name).unwrap_or(&State::Missing) {
            State::Set => return None,
            State::Missing => format!("{name} is missing"),
            State::Hidden => format!("FLOWS_ENV_ALLOW_LIST does not contain {name}"),
            State::Denied => format!("IMPORT_IP_DENY_LIST denies the address in {name}"),
            State::Short => format!("{name} has fewer than 32 characters"),
        };
        Some(format!("{why}: {effect}"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SITE: &str = "https://www.example.com";

    /// Returns what is reported of an environment in which the variable `name` has `state`.
    fn lacks(name: &str, state: &str, site: Option<&str>, shows_site: bool) -> Vec<String> {
        let environment: Environment = serde_json::from_value(json!({
            "variables": { "WEBHOOK_URL": "set", "WEBHOOK_SECRET": "set", "PREVIEW_SECRET": "set",
                           "ENQUIRIES_URL": "missing", name: state },
            "site": site, "shows_site": shows_site,
        }))
        .expect("an answer");
        let of_flows = ["WEBHOOK_URL", "WEBHOOK_SECRET"].map(str::to_owned);
        environment.lacks(&of_flows, Some(SITE))
    }

    #[test]
    fn a_whole_environment_lacks_nothing() {
        assert_eq!(lacks("WEBHOOK_URL", "set", Some(SITE), true), Vec::<String>::new());
    }

    #[test]
    fn what_is_lacking_is_named_with_what_follows() {
        for (name, state, words) in [
            ("WEBHOOK_URL", "missing", "WEBHOOK_URL is missing: changes are not posted"),
            ("WEBHOOK_SECRET", "hidden", "FLOWS_ENV_ALLOW_LIST does not contain WEBHOOK_SECRET: "),
            ("WEBHOOK_URL", "denied", "IMPORT_IP_DENY_LIST denies the address in WEBHOOK_URL: "),
            ("PREVIEW_SECRET", "short", "PREVIEW_SECRET has fewer than 32 characters: there are"),
        ] {
            let lacks = lacks(name, state, Some(SITE), true);
            assert!(matches!(&lacks[..], [one] if one.starts_with(words)), "{lacks:?}");
        }
        for (site, shows_site, words) in [
            (None, false, "SITE_ORIGIN is missing"),
            (Some("https://example.com"), true, "SITE_ORIGIN is https://example.com, and here"),
            (Some(SITE), false, "frame-src does not allow https://www.example.com"),
        ] {
            let lacks = lacks("WEBHOOK_URL", "set", site, shows_site);
            assert!(matches!(&lacks[..], [one] if one.starts_with(words)), "{lacks:?}");
        }
    }
}
