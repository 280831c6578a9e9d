//! The parameters by which an address requests a preview.

use http::Uri;
use url::form_urlencoded;

/// The parameter that requests a preview, or ends it.
pub const PREVIEW: &str = "preview";
/// The parameter with the ticket from the Studio.
const HANDOVER: &str = "preview-ticket";
/// The parameter that marks that the cookie was just set. If the cookie is missing now, the browser does
/// not store it.
const COOKIE_SET: &str = "preview-given";
/// The parameters for the version of an item that is shown, and for the development API that is used.
/// Both are forwarded to the renderer.
const VERSION: &str = "version";
const STAGING: &str = "staging";
/// The maximum length of such a name.
const MAX_NAME_LENGTH: usize = 64;

/// The query parameters of a page, those of previews apart.
#[derive(Debug, Default)]
pub struct PreviewQuery {
    /// The value that requests a preview; empty to end it.
    pub preview: Option<String>,
    pub handover: Option<String>,
    pub cookie_was_set: bool,
    pub version: Option<String>,
    pub staging: Option<String>,
    /// All other parameters.
    rest: Vec<(String, String)>,
}

impl PreviewQuery {
    /// Parses the query of `uri`.
    pub fn of(uri: &Uri) -> Self {
        let mut parameters = Self::default();
        for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
            let value = value.into_owned();
            match name.as_ref() {
                PREVIEW => parameters.preview = Some(value),
                HANDOVER => parameters.handover = Some(value),
                COOKIE_SET => parameters.cookie_was_set = true,
                VERSION => parameters.version = Some(value).filter(|name| is_name(name)),
                STAGING => parameters.staging = Some(value),
                _ => parameters.rest.push((name.into_owned(), value)),
            }
        }
        parameters
    }

    /// Returns `path` with these parameters, except tickets, and without those of previews if `ended`.
    pub fn address(&self, path: &str, ended: bool, cookie_set: bool) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.rest);
        if !ended {
            for (name, value) in
                [(PREVIEW, &self.preview), (VERSION, &self.version), (STAGING, &self.staging)]
            {
                if let Some(value) = value {
                    query.append_pair(name, value);
                }
            }
            if cookie_set {
                query.append_pair(COOKIE_SET, "1");
            }
        }
        let query = query.finish();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }
}

/// Returns whether `text` is a name that is safe in a header and in a request to the content service.
pub fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_NAME_LENGTH
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(uri: &str) -> PreviewQuery {
        PreviewQuery::of(&uri.parse().expect("a URI"))
    }

    #[test]
    fn an_address_keeps_other_parameters_but_no_ticket() {
        let uri = "/a?page=2&preview=draft&preview-ticket=t&version=draft&staging=dev";
        let kept = parameters(uri);
        assert_eq!(
            kept.address("/a", false, true),
            "/a?page=2&preview=draft&version=draft&staging=dev&preview-given=1"
        );
        assert_eq!(kept.address("/a", true, false), "/a?page=2");
        assert_eq!(parameters("/a?preview=").address("/a", true, false), "/a");
    }

    #[test]
    fn only_a_valid_name_is_a_version() {
        assert_eq!(parameters("/a?version=draft").version.as_deref(), Some("draft"));
        for odd in ["/a?version=", "/a?version=a%20b", "/a?version=%0d%0aset-cookie"] {
            assert_eq!(parameters(odd).version, None, "{odd}");
        }
    }
}
