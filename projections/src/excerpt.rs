//! What stands for a summary that nobody wrote: how the text begins.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::html::pattern;

/// What search engines show of a description, in characters.
const MOST: usize = 160;
/// Elements that end no word, let alone a line.
const WITHIN_A_LINE: [&str; 25] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark",
    "q", "s", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
];

/// The summary `written`; where there is none, the first paragraph of `html`, which is clean, up to a
/// whole word.
pub fn summary(written: &str, html: &str) -> String {
    if !written.is_empty() {
        return written.to_owned();
    }
    let mut paragraphs = PARAGRAPH.captures_iter(html).map(|found| plain(&found[1]));
    let first = paragraphs.find(|words| !words.is_empty());
    shortened(first.unwrap_or_else(|| plain(html)))
}

/// The words of `html`, on one line.
fn plain(html: &str) -> String {
    let between = |tag: &Captures<'_>| if WITHIN_A_LINE.contains(&&tag[1]) { "" } else { " " };
    let text = TAG.replace_all(html, between);
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `line` up to a whole word, where it is longer than anyone is shown.
fn shortened(line: String) -> String {
    if line.chars().count() <= MOST {
        return line;
    }
    let end = line.char_indices().nth(MOST - 1).map_or(line.len(), |(at, _)| at);
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
    use crate::html::part;

    fn excerpt(html: &str) -> String {
        summary("", &part(html, Locale::En))
    }

    #[test]
    fn what_is_written_stays_as_it_is() {
        assert_eq!(summary("Quiet & sunny", "<p>With a garden</p>"), "Quiet & sunny");
    }

    #[test]
    fn the_first_paragraph_that_says_something_is_taken_as_words() {
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
    fn what_is_longer_than_is_shown_ends_after_a_whole_word() {
        let short = excerpt(&format!("<p>{}</p>", "peñón, ".repeat(40)));
        assert!(short.ends_with("peñón…"), "{short}");
        assert!((150..=MOST).contains(&short.chars().count()), "{short}");
        let all = "a".repeat(MOST);
        assert_eq!(excerpt(&format!("<p>{all}</p>")), all);
        assert_eq!(excerpt(&format!("<p>{all}a</p>")).chars().count(), MOST);
    }
}
