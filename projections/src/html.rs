//! Prepares editors' HTML for display: sanitizes it, so that it contains no scripts, adds heading ids and
//! table classes, and localizes links. This is done once, when the rows are made.

use std::{borrow::Cow, cell::RefCell, collections::HashSet, sync::LazyLock};

use ammonia::Builder;
use contracts::Locale;
use html5ever::{
    Attribute,
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    },
};
use read_models::Heading;
use regex::Regex;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::amount_columns;

/// Ids that the page around a text uses itself.
const RESERVED_IDS: [&str; 6] = ["content", "contents", "menu", "filters", "photos", "questions"];
const WORDS_PER_MINUTE: usize = 220;
/// Headings of these levels are chapters; the first level is the page's own title.
const CHAPTER_LEVELS: std::ops::RangeInclusive<u8> = 2..=3;

/// A prepared text with its chapters and its reading time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// HTML.
    pub html: String,
    /// Its chapters.
    pub headings: Vec<Heading>,
    /// The reading time in minutes, at least 1.
    pub minutes: i32,
}

/// Prepares `html` as the main text of a page. Removes all elements and attributes that are not allowed in
/// texts, gives headings an id, points internal links to the pages of `locale`, and wraps tables in a
/// scrollable element. External links send no referrer.
pub fn text(html: &str, locale: Locale) -> Text {
    let mut written = write(html, locale, true);
    Text {
        minutes: i32::try_from((written.words + WORDS_PER_MINUTE / 2) / WORDS_PER_MINUTE)
            .unwrap_or(i32::MAX)
            .max(1),
        headings: std::mem::take(&mut written.headings),
        html: written.html,
    }
}

/// Does the same for a text that is only a part of its page. Its headings get no ids.
pub fn fragment(html: &str, locale: Locale) -> String {
    write(html, locale, false).html
}

fn write(html: &str, locale: Locale, has_chapters: bool) -> Written {
    let cleaned = CLEANER.clean(html).to_string();
    let writer = Writer { locale, has_chapters, written: RefCell::default() };
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(cleaned));
    let tokenizer = Tokenizer::new(writer, TokenizerOpts::default());
    // The tokenizer only stops early for a script, and this sink reports none.
    let _done = tokenizer.feed(&input);
    tokenizer.end();
    let mut written = tokenizer.sink.written.into_inner();
    written.write_words();
    written
}

static CLEANER: LazyLock<Builder<'_>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder.link_rel(None);
    builder
});

/// Writes the tokens of sanitized HTML, which is balanced, has quoted attributes and no comments.
struct Writer {
    locale: Locale,
    has_chapters: bool,
    written: RefCell<Written>,
}

#[derive(Default)]
struct Written {
    html: String,
    /// Text that is not yet written: the tokenizer delivers it in pieces.
    pending: String,
    headings: Vec<Heading>,
    used_ids: HashSet<String>,
    /// Headings whose end tag has not been read yet.
    open: Vec<OpenHeading>,
    words: usize,
}

struct OpenHeading {
    level: u8,
    /// The offset in the HTML where its id is to be inserted.
    at: usize,
    text: String,
}

impl TokenSink for Writer {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut written = self.written.borrow_mut();
        match token {
            Token::CharacterTokens(words) => written.pending.push_str(&words),
            Token::TagToken(tag) => {
                written.write_words();
                match tag.kind {
                    TagKind::StartTag => self.start_tag(&mut written, &tag),
                    TagKind::EndTag => self.end_tag(&mut written, &tag.name),
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl Writer {
    fn start_tag(&self, written: &mut Written, tag: &Tag) {
        let name: &str = &tag.name;
        let level = heading_level(name);
        if name == "table" {
            written.html.push_str(r#"<div class="prose-table" role="group" tabindex="0">"#);
        }
        written.html.push('<');
        written.html.push_str(match level {
            Some(level) => element_of(level),
            None => name,
        });
        if let Some(level) = level.filter(|_| self.has_chapters) {
            let at = written.html.len();
            written.open.push(OpenHeading { level, at, text: String::new() });
        }
        let is_link = name == "a";
        for Attribute { name, value } in &tag.attrs {
            let value: Cow<'_, str> = match &*name.local {
                "href" if is_link => localized(self.locale, value),
                _ => Cow::Borrowed(value),
            };
            written.attribute(&name.local, &value);
            if is_link && &*name.local == "href" && is_external(&value) {
                written.attribute("rel", "noopener noreferrer");
            }
        }
        written.html.push('>');
    }

    fn end_tag(&self, written: &mut Written, name: &str) {
        let Some(level) = heading_level(name) else {
            if name == "table" {
                written.mark_amounts();
            }
            written.close(name);
            if name == "table" {
                written.html.push_str("</div>");
            }
            return;
        };
        written.close(element_of(level));
        if self.has_chapters {
            written.end_heading();
        }
    }
}

impl Written {
    fn attribute(&mut self, name: &str, value: &str) {
        self.html.push(' ');
        self.html.push_str(name);
        self.html.push_str("=\"");
        self.html.push_str(&value.replace('&', "&amp;").replace('"', "&quot;"));
        self.html.push('"');
    }

    fn close(&mut self, name: &str) {
        self.html.push_str("</");
        self.html.push_str(name);
        self.html.push('>');
    }

    fn write_words(&mut self) {
        let words = std::mem::take(&mut self.pending);
        self.words += words.split_whitespace().count();
        for heading in &mut self.open {
            heading.text.push_str(&words);
            heading.text.push(' ');
        }
        let words = with_non_breaking_spaces(&words);
        let mut rest = 0;
        // A span is used instead of non-breaking hyphens: fonts may lack those, and copied numbers should
        // contain ordinary hyphens.
        for number in NUMBER.find_iter(&words) {
            escape(&mut self.html, &words[rest..number.start()]);
            self.html.push_str(r#"<span class="unbroken">"#);
            self.html.push_str(number.as_str());
            self.html.push_str("</span>");
            rest = number.end();
        }
        escape(&mut self.html, &words[rest..]);
    }

    /// Marks the amounts in the table that ends here.
    fn mark_amounts(&mut self) {
        if let Some(at) = self.html.rfind("<table") {
            let table = self.html.split_off(at);
            self.html.push_str(&amount_columns::mark(&table));
        }
    }

    fn end_heading(&mut self) {
        let Some(OpenHeading { level, at, text }) = self.open.pop() else { return };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let slug = slug_of(&text);
        let wanted = if slug.is_empty() { "section" } else { slug.as_str() };
        let mut id = wanted.to_owned();
        let mut count = 1;
        while RESERVED_IDS.contains(&id.as_str()) || self.used_ids.contains(&id) {
            count += 1;
            id = format!("{wanted}-{count}");
        }
        self.html.insert_str(at, &format!(" id=\"{id}\""));
        self.used_ids.insert(id.clone());
        if CHAPTER_LEVELS.contains(&level) {
            self.headings.push(Heading { id, text, level });
        }
    }
}

/// Returns the level of the elements `h1` to `h6`, with 2 for `h1`, which is reserved for the page's title.
fn heading_level(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h')?.parse::<u8>().ok()?;
    (1..=6).contains(&level).then(|| level.max(2))
}

/// Returns the element for a heading level.
const fn element_of(level: u8) -> &'static str {
    match level {
        ..=2 => "h2",
        3 => "h3",
        4 => "h4",
        5 => "h5",
        _ => "h6",
    }
}

/// Returns whether a link leads to another site.
fn is_external(href: &str) -> bool {
    let href = href.to_ascii_lowercase();
    href.starts_with("http:") || href.starts_with("https:") || href.starts_with("//")
}

/// Converts a link to a page of this site to the page in the language of `locale`, whichever language it
/// names, in upper or lower case. Returns other links unchanged.
fn localized(locale: Locale, href: &str) -> Cow<'_, str> {
    if !href.starts_with('/') || href.starts_with("//") {
        return Cow::Borrowed(href);
    }
    let spanish = Locale::Es.path_prefix();
    let neutral = match href.split_at_checked(spanish.len()) {
        Some((prefix, rest))
            if prefix.eq_ignore_ascii_case(spanish)
                && (rest.is_empty() || rest.starts_with(['/', '?', '#'])) =>
        {
            rest
        }
        _ => href,
    };
    let rooted = neutral.strip_prefix('/').filter(|rest| rest.is_empty() || rest.starts_with('?'));
    match (locale, rooted) {
        (Locale::En, _) if neutral.starts_with('/') => Cow::Borrowed(neutral),
        (Locale::En, _) => Cow::Owned(format!("/{neutral}")),
        (Locale::Es, Some(rest)) => Cow::Owned(format!("{spanish}{rest}")),
        (Locale::Es, None) => Cow::Owned(format!("{spanish}{neutral}")),
    }
}

/// Converts `text` to a slug: `What it costs` to `what-it-costs`.
fn slug_of(text: &str) -> String {
    let letters: String = text.nfd().filter(|&letter| !is_combining_mark(letter)).collect();
    let words = letters.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<String> =
        words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    words.join("-")
}

/// Inserts non-breaking spaces, so that `7 %`, `ITP 7%` and `+34 951 550 101` each stay on one line.
fn with_non_breaking_spaces(words: &str) -> String {
    let words = SIGN.replace_all(words, "$1\u{a0}$2");
    let words = TAX_RATE.replace_all(&words, "$1\u{a0}$2");
    let joined = |found: &regex::Captures<'_>| found[0].replace(' ', "\u{a0}");
    TELEPHONE.replace_all(&words, joined).into_owned()
}

fn escape(html: &mut String, words: &str) {
    for letter in words.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            other => html.push(other),
        }
    }
}

/// Compiles `pattern`, which must be a constant of this crate.
#[expect(clippy::expect_used, reason = "a test compiles each")]
pub fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

static SIGN: LazyLock<Regex> = LazyLock::new(|| pattern("([0-9]) ([€%])"));
static TAX_RATE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(ITP|IVA|AJD|VAT) ([0-9])"));
static TELEPHONE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\+[0-9]+(?: [0-9]+)+"));
/// A tax identification number, a form's number or a home's reference.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z]{1,2}-[0-9]+"));

#[cfg(test)]
mod tests {
    use super::*;

    fn english(html: &str) -> Text {
        text(html, Locale::En)
    }

    fn spanish(html: &str) -> String {
        fragment(html, Locale::Es)
    }

    #[test]
    fn allowed_elements_stay_and_scripts_are_removed() {
        let kept = "<p>Flat, <em>sunny</em>.</p><ul><li>5 &lt; 6 &amp; <br>7</li></ul>";
        assert_eq!(spanish(kept), kept);
        let hostile = "<p onclick=\"x()\">a<script>x()</script><img src=x onerror=x()>\
            <a href=\"javascript:x()\">b</a><iframe src=\"//evil\"></iframe>";
        let cleaned = spanish(hostile);
        for gone in ["script", "onclick", "onerror", "iframe"] {
            assert!(!cleaned.contains(gone), "{gone}: {cleaned}");
        }
        let quoted = r#"<p title="&quot;&gt;&lt;script&gt;">a</p>"#;
        assert!(!english(quoted).html.contains("\"><script"), "{}", english(quoted).html);
    }

    #[test]
    fn headings_get_an_id_from_their_text() {
        let read = english("<h2>What it costs</h2><p>x</p><h3>Año &amp; <em>día</em></h3>");
        assert_eq!(
            read.html,
            "<h2 id=\"what-it-costs\">What it costs</h2><p>x</p>\
             <h3 id=\"ano-dia\">Año &amp; <em>día</em></h3>"
        );
        let chapters: Vec<_> =
            read.headings.iter().map(|it| (it.id.as_str(), it.text.as_str(), it.level)).collect();
        assert_eq!(chapters, [("what-it-costs", "What it costs", 2), ("ano-dia", "Año & día", 3)]);
    }

    #[test]
    fn heading_ids_are_unique_and_differ_from_the_pages_own() {
        let read = english("<h2>Tax</h2><h2>Tax</h2><h2>Content</h2><h2>¿?</h2>");
        let ids: Vec<_> = read.headings.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["tax", "tax-2", "content-2", "section"]);
    }

    #[test]
    fn h1_becomes_h2_and_deep_headings_are_not_chapters() {
        let read = english("<h1 lang=\"es\">A</h1><h4>B</h4>");
        assert_eq!(read.html, "<h2 id=\"a\" lang=\"es\">A</h2><h4 id=\"b\">B</h4>");
        assert_eq!(read.headings.len(), 1);
        assert_eq!(spanish("<h1>Energy</h1>"), "<h2>Energy</h2>");
    }

    #[test]
    fn tables_can_be_scrolled_with_the_keyboard() {
        assert_eq!(
            spanish("<table><tbody></tbody></table>"),
            "<div class=\"prose-table\" role=\"group\" tabindex=\"0\">\
             <table><tbody></tbody></table></div>"
        );
        assert!(
            spanish("<table><tbody><tr><td>7 €</td></tr></tbody></table>")
                .contains("<td class=\"figure\">7\u{a0}€</td></tr></tbody></table></div>")
        );
    }

    #[test]
    fn internal_links_keep_the_pages_language_and_external_links_send_no_referrer() {
        for (href, expected) in [
            ("/docs/buying", "/es/docs/buying"),
            ("/es/docs#top", "/es/docs#top"),
            ("/ES/docs", "/es/docs"),
            ("/", "/es"),
            ("/?view=map", "/es?view=map"),
            ("/estate", "/es/estate"),
            ("#top", "#top"),
            ("mailto:a@b.example", "mailto:a@b.example"),
            ("MAILTO:a@b.example", "MAILTO:a@b.example"),
        ] {
            let link = spanish(&format!("<a href=\"{href}\" rel=\"x\">y</a>"));
            assert_eq!(link, format!("<a href=\"{expected}\">y</a>"));
        }
        for (href, expected) in
            [("/es", "/"), ("/es/docs", "/docs"), ("/es?x=1", "/?x=1"), ("/Es#top", "/#top")]
        {
            assert_eq!(localized(Locale::En, href), expected);
        }
        for href in ["https://boe.es/?a=1&amp;b=2", "HTTPS://BOE.ES/a"] {
            assert_eq!(
                spanish(&format!("<a href=\"{href}\">y</a>")),
                format!("<a href=\"{href}\" rel=\"noopener noreferrer\">y</a>")
            );
        }
    }

    #[test]
    fn numbers_and_their_units_stay_on_one_line() {
        for (words, expected) in [
            ("150.000 € al 7 %", "150.000\u{a0}€ al 7\u{a0}%"),
            ("ITP 7% or IVA 10 %", "ITP\u{a0}7% or IVA\u{a0}10\u{a0}%"),
            ("+34 951 550 101 or 2 of us", "+34\u{a0}951\u{a0}550\u{a0}101 or 2 of us"),
            ("NIF B-00000000", "NIF <span class=\"unbroken\">B-00000000</span>"),
        ] {
            assert_eq!(spanish(&format!("<p>{words}</p>")), format!("<p>{expected}</p>"));
        }
        let link = "<a href=\"/es/property-for-sale/nerja/AH-1002\">x</a>";
        assert_eq!(spanish(link), link);
    }

    #[test]
    fn the_reading_time_is_a_minute_per_220_words_and_at_least_one() {
        assert_eq!(english("<p>short</p>").minutes, 1);
        assert_eq!(english(&format!("<p>{}</p>", "word ".repeat(660))).minutes, 3);
    }
}
