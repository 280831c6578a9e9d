//! Makes a summary from the beginning of a text, for content without a summary of its own.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::html::pattern;

/// How much of a description search engines show, in characters.
const MAX_CHARS: usize = 160;
/// Inline elements, which separate neither words nor lines.
const INLINE_ELEMENTS: [&str; 25] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark",
    "q", "s", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
];

/// Returns the summary `written`. If that is empty, returns the first paragraph of `html`, which must be
/// sanitized, truncated after a complete word.
pub fn summary(written: &str, html: &str) -> String {
    if !written.is_empty() {
        return written.to_owned();
    }
    let mut paragraphs = PARAGRAPH.captures_iter(html).map(|found| plain_text(&found[1]));
    let first = paragraphs.find(|words| !words.is_empty());
    truncated(first.unwrap_or_else(|| plain_text(html)))
}

/// Returns the text of `html` on one line.
fn plain_text(html: &str) -> String {
    let separator = |tag: &Captures<'_>| if INLINE_ELEMENTS.contains(&&tag[1]) { "" } else { " " };
    let text = TAG.replace_all(html, separator);
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Truncates `line` after a complete word if it is longer than [`MAX_CHARS`].
fn truncated(line: String) -> String {
    if line.chars().count() <= MAX_CHARS {
        return line;
    }
    let end = line.char_indices().nth(MAX_CHARS - 1).map_or(line.len(), |(at, _)| at);
    let words = line[..end].rsplit_once(' ').map_or(&line[..end], |(words, _)| words);
    format!("{}…", words.trim_end_matches([' ', ',', ';', ':', '.', '·', '–', '-']))
}

static PARAGRAPH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?s)<p(?: (?:"[^"]*"|[^">])*)?>(.*?)</p>"#));
static TAG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"</?([a-z][a-z0-9]*)(?:"[^"]*"|[^">])*>"#));

#[cfg(test)]
mod tests {
    use contracts::Locale;

    use super::*;
    use crate::html::fragment;

    fn excerpt(html: &str) -> String {
        summary("", &fragment(html, Locale::En))
    }

    #[test]
    fn a_written_summary_is_unchanged() {
        assert_eq!(summary("Quiet & sunny", "<p>With a garden</p>"), "Quiet & sunny");
    }

    #[test]
    fn the_summary_is_the_text_of_the_first_paragraph_with_any() {
        for (html, expected) in [
            (
                "<h2>Villa</h2><p> </p><p title=\"a>b\">A <b>s</b>ea\nview.</p><p>More.</p>",
                "A sea view.",
            ),
            ("<p>Sun &amp; sea,<br>150.000 € &lt; H-1000</p>", "Sun & sea, 150.000 € < H-1000"),
            ("<ul><li>Pool</li><li>Garden</li></ul>", "Pool Garden"),
            ("A villa", "A villa"),
            ("<p><img src=\"/a\"></p>", ""),
            ("", ""),
        ] {
            assert_eq!(excerpt(html), expected, "{html}");
        }
    }

    #[test]
    fn a_long_summary_ends_after_a_complete_word() {
        let short = excerpt(&format!("<p>{}</p>", "peñón, ".repeat(40)));
        assert!(short.ends_with("peñón…"), "{short}");
        assert!((150..=MAX_CHARS).contains(&short.chars().count()), "{short}");
        let all = "a".repeat(MAX_CHARS);
        assert_eq!(excerpt(&format!("<p>{all}</p>")), all);
        assert_eq!(excerpt(&format!("<p>{all}a</p>")).chars().count(), MAX_CHARS);
    }
}
