//! Bytes of a file as text: in UTF-8, or in what the file says that it is in.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

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

/// The encoding that an XML declaration names. One that can be read here is not in UTF-16, whatever it says:
/// a text that is begins with its mark.
pub fn declared(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(DECLARATION)];
    let start = String::from_utf8_lossy(start);
    let declaration = start.split_once("?>")?.0;
    let rest = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    let label = rest[1..].split_once(quote)?.0;
    let encoding = Encoding::for_label(label.as_bytes());
    let is_wide = encoding.is_some_and(|it| it == UTF_16LE || it == UTF_16BE);
    (!is_wide).then(|| label.to_owned())
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
    fn what_calls_itself_utf_16_is_in_it_where_it_begins_with_its_mark_alone() {
        let said = "<?xml version=\"1.0\" encoding=\"utf-16\"?><a>Málaga</a>";
        let units: Vec<u8> = said.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [said.as_bytes().to_vec(), [b"\xff\xfe".to_vec(), units].concat()] {
            let text = decode(&bytes, declared(&bytes).as_deref(), "a feed");
            assert_eq!(text.expect("it can be read"), said);
        }
    }

    #[test]
    fn a_mark_at_the_start_is_no_text() {
        let text = decode(b"\xef\xbb\xbfRef;Price", None, "a table").expect("it can be read");
        assert_eq!(text, "Ref;Price");
    }
}
