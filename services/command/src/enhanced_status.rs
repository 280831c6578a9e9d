//! Enhanced status codes (RFC 3463) with which mail servers refuse a mail, as in `550 5.1.1 unknown`.

/// The codes which mean that a mailbox does not exist (any more): unknown, on no host, no address,
/// moved, of a domain that takes no mail, closed.
const MAILBOX_GONE: [&str; 6] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"];
/// The classes of codes about addresses and mailboxes, and the unspecific one.
const MAILBOX_CLASSES: [&str; 3] = ["5.0.", "5.1.", "5.2."];
/// The codes of these classes that are about the sender's address.
const SENDER_CODES: [&str; 2] = ["5.1.7", "5.1.8"];

/// Returns the codes which mean that a mailbox does not exist, as statements take them.
pub fn mailbox_gone() -> Vec<String> {
    MAILBOX_GONE.map(str::to_owned).into()
}

/// Parses the status code at the start of an SMTP reply's text, if there is one.
pub fn parse(answer: &str) -> Option<&str> {
    let first = answer.split_whitespace().next()?;
    let status = first.trim_matches(|c: char| !c.is_ascii_digit());
    let mut parts = status.split('.');
    let is_number =
        |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let is_status = matches!(parts.next(), Some("4" | "5"))
        && parts.next().is_some_and(is_number)
        && parts.next().is_some_and(is_number)
        && parts.next().is_none();
    is_status.then_some(status)
}

/// Whether a refusal with this `status` is about the recipient's mailbox. All others have to be fixed on
/// our side: an unauthorized relay, its limits, SPF, DKIM. A refusal without a status counts as the
/// mailbox's.
pub fn concerns_mailbox(status: Option<&str>) -> bool {
    status.is_none_or(|status| {
        MAILBOX_CLASSES.iter().any(|begin| status.starts_with(begin))
            && !SENDER_CODES.contains(&status)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_parsed_only_at_the_start_of_a_reply() {
        for (answer, status) in [
            ("5.7.1 <ann@x.example>: Relay access denied", Some("5.7.1")),
            ("5.1.10", Some("5.1.10")),
            ("#5.1.0 Address rejected", Some("5.1.0")),
            ("4.2.2: full", Some("4.2.2")),
            ("no such user 5.1.1", None),
            ("5.1.1.2 is listed", None),
            ("2.1.5 taken", None),
            ("5.1 unknown", None),
            ("5..1 unknown", None),
            ("", None),
        ] {
            assert_eq!(parse(answer), status, "{answer}");
        }
    }

    #[test]
    fn only_statuses_about_the_recipient_concern_the_mailbox() {
        for status in MAILBOX_GONE.into_iter().chain(["5.0.0", "5.1.0", "5.2.2", "5.2.3"]) {
            assert!(concerns_mailbox(Some(status)), "{status}");
        }
        assert!(concerns_mailbox(None));
        for status in ["5.1.7", "5.1.8", "5.3.4", "5.4.5", "5.5.1", "5.6.0", "5.7.1", "5.7.26"] {
            assert!(!concerns_mailbox(Some(status)), "{status}");
        }
    }
}
