//! The words of an HTML text.

/// The text of `html` without its tags, with the few entities that editors' HTML uses resolved.
///
/// It serves words, not layout: every tag becomes a space.
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
            let (character, length) = entity(special);
            text.push(character);
            rest = &special[length..];
        }
    }
    text.push_str(rest);
    text
}

/// The character that `text`, which begins with `&`, stands for, and how much of it that takes.
fn entity(text: &str) -> (char, usize) {
    const LONGEST: usize = 10;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';');
    let Some(end) = end else { return ('&', 1) };
    let character = match &text[1..end] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        name => match numeric_entity(name) {
            Some(character) => character,
            None => return ('&', 1),
        },
    };
    (character, end + 1)
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
    fn tags_go_and_entities_become_letters() {
        assert_eq!(plain_text("<p>Sea &amp; sun</p><p>M&#225;laga</p>"), " Sea & sun  Málaga ");
        assert_eq!(plain_text("caf&eacute; & bar <b"), "caf&eacute; & bar  ");
        assert_eq!(plain_text("a &#xD800; b &#x41;"), "a &#xD800; b A");
    }
}
