//! Articles, pages and the documentation.

use contracts::{
    SlugPath, Violation,
    content::{Article, ArticleText, Doc, Page, PageText, Question},
};

use super::{address, picture, place, required_text, slug};
use crate::raw::Raw;

pub(super) fn article(raw: Raw<'_>) -> Result<Article, Violation> {
    Ok(Article {
        slug: slug(raw, "slug")?,
        published_at: raw.moment("published_at")?,
        image: picture::picture(raw, "image")?,
        text: required_text(raw, "title", article_text)?,
    })
}

pub(super) fn page(raw: Raw<'_>) -> Result<Page, Violation> {
    let kind = raw.required_text("kind")?;
    // The form shows this field only for landing pages, so a value on another kind is ignored.
    let introduced = raw.object("location").filter(|_| kind == "landing");
    Ok(Page {
        slug: slug(raw, "slug")?,
        kind,
        location: introduced.and_then(place::published_slug),
        image: picture::picture(raw, "image")?,
        text: required_text(raw, "title", |title, row| {
            Ok(PageText {
                title,
                intro: row.text_or_empty("intro")?,
                body: row.text_or_empty("body")?,
                meta_description: row.text_or_empty("meta_description")?,
                faq: questions(row)?,
            })
        })?,
    })
}

pub(super) fn doc(raw: Raw<'_>) -> Result<Doc, Violation> {
    // The index of the documentation has no slug of its own.
    let slug = address::<SlugPath>(raw, "slug", &raw.text_or_empty("slug")?)?;
    Ok(Doc { slug, sort: raw.integer("sort")?, text: required_text(raw, "title", article_text)? })
}

fn article_text(title: String, row: Raw<'_>) -> Result<ArticleText, Violation> {
    Ok(ArticleText {
        title,
        summary: row.text_or_empty("summary")?,
        body: row.text_or_empty("body")?,
    })
}

/// Returns questions with their answers. A question or answer without the other is unfinished and skipped.
fn questions(row: Raw<'_>) -> Result<Vec<Question>, Violation> {
    let mut questions = Vec::new();
    for entry in row.objects("faq") {
        if let (Some(question), Some(answer)) = (entry.text("question")?, entry.text("answer")?) {
            questions.push(Question { question, answer });
        }
    }
    Ok(questions)
}
