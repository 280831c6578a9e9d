//! Bytes of a file as text: in UTF-8, or in what the file says that it is in.

use encoding_rs::{Encoding, UTF_8};

use crate::Error;

/// How far into an XML document its declaration is looked for.
const DECLARATION: usize = 200;

/// The text of `bytes`, which are in the encoding called `label` where they don't say themselves.
pub fn decode(bytes: &[u8], label: Option<&str>, what: &str) -> Result<String, Error> {
    let unreadable = |reason: String| Error::Unreadable { what: what.to_owned(), reason };
    let given = label.map(|label| {
        Encoding::for_label(label.as_bytes())
            .ok_or_else(|| unreadable(format!("no encoding is called `{label}`")))
    });
    let encoding = given.transpose()?.unwrap_or(UTF_8);
    let (text, used, is_broken) = encoding.decode(bytes);
    if is_broken {
        return Err(unreadable(format!("it is not in {}", used.name())));
    }
    Ok(text.into_owned())
}

/// The encoding that an XML declaration names.
pub fn declared(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(DECLARATION)];
    let start = String::from_utf8_lossy(start);
    let declaration = start.split_once("?>")?.0;
    let rest = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    Some(rest[1..].split_once(quote)?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_say_what_they_are_in() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>M\xe1laga</a>";
        assert_eq!(declared(latin).as_deref(), Some("ISO-8859-1"));
        let text = decode(latin, declared(latin).as_deref(), "a feed").expect("it can be read");
        assert!(text.contains("Málaga"), "{text}");
        let refused = decode(latin, None, "a feed").expect_err("it is not in UTF-8");
        assert!(refused.to_string().contains("not in UTF-8"), "{refused}");
        assert_eq!(declared(b"<root encoding='x'>"), None);
    }

    #[test]
    fn a_mark_at_the_start_is_no_text() {
        let text = decode(b"\xef\xbb\xbfRef;Price", None, "a table").expect("it can be read");
        assert_eq!(text, "Ref;Price");
    }
}
