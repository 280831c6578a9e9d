//! The address of the mail server, which has to be reached by TLS: sign-in links, enquiries and the password
//! are sent there.

use std::net::IpAddr;

use url::Url;

use crate::Error;

/// Returns `url` as the client takes it. Refuses an unencrypted connection to another machine, unless
/// `?tls=none` allows it.
pub fn server_url(url: &str) -> Result<String, Error> {
    // The client refuses what is no address.
    let Ok(mut address) = Url::parse(url) else { return Ok(url.to_owned()) };
    let tls = address.query_pairs().find(|(name, _)| name == "tls");
    let tls = tls.map(|(_, value)| value.into_owned());
    let is_encrypted = address.scheme() != "smtp" || tls.as_deref() == Some("required");
    if tls.as_deref() == Some("none") {
        // The client does not know this word.
        address.set_query(None);
    } else if !is_encrypted && !is_this_machine(&address) {
        return Err(Error::SmtpUnencrypted);
    }
    Ok(address.into())
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_leave_the_machine_encrypted() {
        for url in [
            "smtps://office:secret@mail.example",
            "smtp://office:secret@mail.example:587?tls=required",
            "smtp://127.0.0.1:1025",
            "smtp://[::1]:1025",
            "smtp://localhost:587?tls=opportunistic",
        ] {
            assert_eq!(server_url(url).expect("it is encrypted, or stays here"), url);
        }
        for url in [
            "smtp://office:secret@mail.example:587",
            "smtp://mail.example?tls=opportunistic",
            "smtp://192.0.2.25",
            "smtp://127.0.0.1.example",
        ] {
            let error = server_url(url).expect_err("it would be unencrypted").to_string();
            assert!(error.contains("SMTP_URL") && !error.contains("secret"), "{error}");
        }
        let allowed = server_url("smtp://postfix:25?tls=none").expect("it is allowed");
        assert_eq!(allowed, "smtp://postfix:25");
    }
}
