//! Extracts the words of an HTML text.

use quick_xml::escape::resolve_html5_entity;

/// Returns the text of `html` without its tags, with HTML entities resolved.
///
/// It preserves words, not layout: every tag becomes a space.
pub fn plain_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find(['<', '&']) {
        text.push_str(&rest[..start]);
        let special = &rest[start..];
        if special.starts_with('<') {
            text.push(' ');
            rest = special.find('>').map_or("", |end| &special[end + 1..]);
        } else {
            rest = &special[push_entity(&mut text, special)..];
        }
    }
    text.push_str(rest);
    text
}

/// Resolves the entity at the start of `html` and appends it to `text`; appends `&` if the entity is
/// unknown. Returns the number of bytes of `html` that were consumed.
fn push_entity(text: &mut String, html: &str) -> usize {
    const MAX_LENGTH: usize = "&CounterClockwiseContourIntegral;".len();
    if let Some(end) = html.bytes().take(MAX_LENGTH).position(|byte| byte == b';') {
        let name = &html[1..end];
        if let Some(character) = numeric_entity(name) {
            text.push(character);
            return end + 1;
        }
        if let Some(characters) = resolve_html5_entity(name) {
            text.push_str(characters);
            return end + 1;
        }
    }
    text.push('&');
    1
}

fn numeric_entity(name: &str) -> Option<char> {
    let number = name.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn tags_are_removed_and_entities_are_resolved() {
        assert_eq!(plain_text("<p>Sea &amp; sun</p><p>M&#225;laga</p>"), " Sea & sun  Málaga ");
        assert_eq!(plain_text("caf&eacute; & bar <b"), "café & bar  ");
        assert_eq!(plain_text("Pe&ntilde;oncillo&nosuch; &amp"), "Peñoncillo&nosuch; &amp");
        assert_eq!(plain_text("a &#xD800; b &#x41;"), "a &#xD800; b A");
    }
}
