//! Parses the addresses of services and sites from configuration.

use url::Url;

/// Parses the address of a service: `http://` or `https://`, a host, and optionally a path. A clap value
/// parser.
///
/// # Errors
/// Returns a message that says what is wrong with `text`.
pub fn service_url(text: &str) -> Result<Url, String> {
    let url: Url = text.parse().map_err(|error| format!("{error}; expected http://host:port"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it has to begin with http:// or https://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it may hold no user and no password".to_owned());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it may hold no ? and no #".to_owned());
    }
    Ok(url)
}

/// Parses the address of a site: like [`service_url`], but without a path. A clap value parser.
///
/// # Errors
/// Returns a message that says what is wrong with `text`.
pub fn site_url(text: &str) -> Result<Url, String> {
    let url = service_url(text)?;
    if url.path() != "/" {
        return Err("it may hold no path: https://host".to_owned());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_http_url_with_a_host_and_without_credentials_is_a_service_url() {
        for good in ["http://127.0.0.1:8081", "https://cms.example.com/directus/"] {
            assert!(service_url(good).is_ok(), "{good}");
        }
        for (wrong, message) in [
            ("", "expected http://host:port"),
            ("query", "expected http://host:port"),
            ("localhost:8081", "has to begin with http://"),
            ("postgres://db/almijara", "has to begin with http://"),
            ("http://:8081", "expected http://host:port"),
            ("https://user:word@cms.example.com", "no user and no password"),
            ("https://cms.example.com/?token=word", "no ? and no #"),
        ] {
            let refusal = service_url(wrong).expect_err(wrong);
            assert!(refusal.contains(message), "{wrong}: {refusal}");
            assert!(!refusal.contains("word@"), "{refusal}");
        }
    }

    #[test]
    fn a_site_url_has_no_path() {
        assert!(site_url("https://www.example.com").is_ok());
        let refusal = site_url("https://www.example.com/homes").expect_err("it has a path");
        assert!(refusal.contains("no path"), "{refusal}");
    }
}
