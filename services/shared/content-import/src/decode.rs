//! Decodes the bytes of a file as text.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::Error;

/// How many bytes of an XML document are searched for its declaration.
const MAX_DECLARATION_LENGTH: usize = 200;

/// Decodes `bytes` in the encoding called `label`, or in UTF-8 without one. A byte order mark takes
/// precedence over both. Errors call the bytes `what`.
pub fn decode(bytes: &[u8], label: Option<&str>, what: &str) -> Result<String, Error> {
    let unreadable = |why: String| Error::Unreadable { what: what.to_owned(), source: why.into() };
    let named = label.map(|label| {
        Encoding::for_label(label.as_bytes())
            .ok_or_else(|| unreadable(format!("unknown encoding `{label}`")))
    });
    let encoding = named.transpose()?.unwrap_or(UTF_8);
    let (text, used, is_broken) = encoding.decode(bytes);
    if is_broken {
        return Err(unreadable(format!("it is not in {}", used.name())));
    }
    Ok(text.into_owned())
}

/// Returns the encoding that an XML declaration names. Ignores UTF-16: a declaration that can be read as
/// bytes is not in it, whatever it says, and a text in UTF-16 starts with a byte order mark.
pub fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let start = &bytes[..bytes.len().min(MAX_DECLARATION_LENGTH)];
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
    fn a_declared_encoding_is_used() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>M\xe1laga</a>";
        assert_eq!(declared_encoding(latin).as_deref(), Some("ISO-8859-1"));
        let text =
            decode(latin, declared_encoding(latin).as_deref(), "a feed").expect("it can be read");
        assert!(text.contains("Málaga"), "{text}");
        let refused = decode(latin, None, "a feed").expect_err("it is not in UTF-8");
        let refused = runtime::error_text(&refused);
        assert!(refused.contains("not in UTF-8"), "{refused}");
        assert_eq!(declared_encoding(b"<root encoding='x'>"), None);
    }

    #[test]
    fn utf_16_is_decoded_only_after_a_byte_order_mark() {
        let document = "<?xml version=\"1.0\" encoding=\"utf-16\"?><a>Málaga</a>";
        let units: Vec<u8> = document.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [document.as_bytes().to_vec(), [b"\xff\xfe".to_vec(), units].concat()] {
            let text = decode(&bytes, declared_encoding(&bytes).as_deref(), "a feed");
            assert_eq!(text.expect("it can be read"), document);
        }
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        let text = decode(b"\xef\xbb\xbfRef;Price", None, "a table").expect("it can be read");
        assert_eq!(text, "Ref;Price");
    }
}
