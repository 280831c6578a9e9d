//! Converts a feed's text into a title and HTML.

use std::collections::HashSet;

/// The length of the longest first paragraph that counts as a title, in characters.
const MAX_TITLE_LENGTH: usize = 120;

/// Splits `text` into a title, if it starts with one, and the other paragraphs as HTML. Kyero has no
/// titles, so a short first paragraph counts as one.
pub fn title_and_body(text: &str) -> (Option<String>, String) {
    let mut paragraphs = paragraphs(text);
    let is_title =
        paragraphs.first().is_some_and(|first| first.chars().count() <= MAX_TITLE_LENGTH);
    let title = is_title.then(|| paragraphs.remove(0));
    (title, html(&paragraphs))
}

/// Returns `text` as paragraphs of HTML.
pub fn body(text: &str) -> String {
    html(&paragraphs(text))
}

/// Returns the paragraphs of `text`, without markup.
pub fn paragraphs(text: &str) -> Vec<String> {
    let text = if is_html(text) { without_tags(text) } else { text.to_owned() };
    // A lone \r ends a line too: `&#13;` is what some programs write.
    let lines = text.split(['\n', '\r']);
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}

fn html(paragraphs: &[String]) -> String {
    let lines = paragraphs.iter().map(|text| escaped(text));
    lines.flat_map(|text| ["<p>".to_owned(), text, "</p>".to_owned()]).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns whether `text` has tags (`<p>`, `</b>`, `<br/>`, but not a price `< 100`) or character
/// references (`&amp;`, `&#13;`).
fn is_html(text: &str) -> bool {
    let has_tags = text.match_indices('<').any(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('/');
        rest.starts_with(|char: char| char.is_ascii_alphabetic()) && rest.contains('>')
    });
    let is_reference = |rest: &str| {
        let name = rest.split_once(';').map_or("", |(name, _)| name);
        let letters = name.strip_prefix('#').unwrap_or(name);
        !letters.is_empty() && letters.chars().all(|char| char.is_ascii_alphanumeric())
    };
    has_tags || text.split('&').skip(1).any(is_reference)
}

fn without_tags(text: &str) -> String {
    // Line breaks of the text itself count only if no tag makes one.
    let has_lines = text.split('<').skip(1).any(|rest| separator(rest) == "\n");
    let flat = if has_lines { text.replace(['\n', '\r'], " ") } else { text.to_owned() };
    let mut parts = flat.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    let lines = parts.fold(first, |text, rest| text + separator(rest) + "<" + rest);
    let clean = ammonia::Builder::empty()
        .tags(HashSet::new())
        .clean_content_tags(HashSet::from(["script", "style"]))
        .clean(&lines)
        .to_string();
    // The remaining references are ammonia's own escapes.
    let plain = clean.replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    plain.replace("&quot;", "\"").replace("&amp;", "&")
}

/// Returns what separates the words before and after a tag: a line break, a space between cells, or nothing.
/// `rest` is the text after the tag's `<`.
fn separator(rest: &str) -> &'static str {
    let name = rest.strip_prefix('/').unwrap_or(rest);
    let name = name.split(|char: char| !char.is_ascii_alphanumeric()).next().unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "p" | "br" | "li" | "div" | "tr" | "hr" | "ul" | "ol" | "blockquote" | "h1" | "h2"
        | "h3" | "h4" | "h5" | "h6" => "\n",
        "td" | "th" => " ",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_first_paragraph_is_the_title() {
        let (title, body) = title_and_body("Villa by the sea\n\nSun & sea.\r\nArea < 100 m².");
        assert_eq!(title.as_deref(), Some("Villa by the sea"));
        assert_eq!(body, "<p>Sun &amp; sea.</p><p>Area &lt; 100 m².</p>");
        let long = "A sentence. ".repeat(20);
        assert_eq!(title_and_body(&long).0, None);
        assert_eq!(title_and_body(" \n"), (None, String::new()));
    }

    #[test]
    fn a_feed_s_html_is_read_as_text() {
        let text =
            "<P>Sea &amp; sun</P><script>alert(1)</script>Two<BR/>lines&nbsp;here <b>now</b>";
        assert_eq!(paragraphs(text), ["Sea & sun", "Two", "lines here now"]);
    }

    #[test]
    fn tags_separate_lines_or_words() {
        for (text, expected) in [
            ("One.<p>Two.<p class=\"x\">Three.", &["One.", "Two.", "Three."][..]),
            ("One.<br clear=\"all\">Two.<BR  />Three.", &["One.", "Two.", "Three."]),
            ("<ul><li>Pool<li>Lift</ul>Near <b>the</b> sea", &["Pool", "Lift", "Near the sea"]),
            (
                "<h5>Villa</h5>By the\nsea<blockquote>Quiet</blockquote>",
                &["Villa", "By the sea", "Quiet"],
            ),
            (
                "<table><tr><td>Beds</td><td>3</td></tr><tr><th>Baths</th></table>",
                &["Beds 3", "Baths"],
            ),
            ("<td>Beds</td><td>3</td>", &["Beds 3"]),
            ("<i>Area</i> << 100", &["Area << 100"]),
        ] {
            assert_eq!(paragraphs(text), expected, "{text}");
        }
    }

    #[test]
    fn character_references_are_resolved_without_tags_too() {
        let text = "Ba&ntilde;o y jard&iacute;n < 100 m&sup2;.&#13;&#13;Mar &amp; sol";
        assert_eq!(paragraphs(text), ["Baño y jardín < 100 m².", "Mar & sol"]);
        assert_eq!(paragraphs("R&D & more; so on"), ["R&D & more; so on"]);
    }

    #[test]
    fn all_kinds_of_line_breaks_are_recognized() {
        let text = "One.\r\rTwo.\r\nThree.\nFour.";
        assert_eq!(paragraphs(text), ["One.", "Two.", "Three.", "Four."]);
    }
}
