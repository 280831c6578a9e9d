//! What a mail server says of a mail that it does not take: its enhanced status code (RFC 3463), as in
//! `550 5.1.1 unknown`.

/// Those by which a mailbox is no more: unknown, on no host, no address, moved, of a domain that takes no
/// mail, closed.
pub const GONE: [&str; 6] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"];
/// Of addresses and mailboxes, or of nothing in particular.
const OF_MAILBOX: [&str; 3] = ["5.0.", "5.1.", "5.2."];
/// Among those of addresses, the sender's.
const OF_SENDER: [&str; 2] = ["5.1.7", "5.1.8"];

/// The status that the words of an `answer` begin with, if they do.
pub fn read(answer: &str) -> Option<&str> {
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

/// Whether a refusal with this `status` is about the mailbox that the mail was for. All others are ours to
/// mend: a relay that does not know us, its limits, SPF, DKIM. Without one it is taken for the mailbox's.
pub fn is_of_mailbox(status: Option<&str>) -> bool {
    status.is_none_or(|status| {
        OF_MAILBOX.iter().any(|begin| status.starts_with(begin)) && !OF_SENDER.contains(&status)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_before_the_words() {
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
            assert_eq!(read(answer), status, "{answer}");
        }
    }

    #[test]
    fn a_mailbox_answers_for_itself_and_for_nothing_else() {
        for status in GONE.into_iter().chain(["5.0.0", "5.1.0", "5.2.2", "5.2.3"]) {
            assert!(is_of_mailbox(Some(status)), "{status}");
        }
        assert!(is_of_mailbox(None));
        for status in ["5.1.7", "5.1.8", "5.3.4", "5.4.5", "5.5.1", "5.6.0", "5.7.1", "5.7.26"] {
            assert!(!is_of_mailbox(Some(status)), "{status}");
        }
    }
}
