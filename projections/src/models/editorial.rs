//! The rows of pages, news, documentation and the team. Each function returns `None` for content without
//! text in any language.

use contracts::{
    Locale,
    content::{Article, Doc, Page, TeamMember},
};
use read_models::{ArticleRow, DocRow, PageRow, Picture, TeamMemberRow};

use super::{Capture, languages_of};
use crate::{excerpt, html};

pub(super) fn page(capture: Capture<'_>, page: &Page, locale: Locale) -> Option<PageRow> {
    let (language, text) = page.text.get_or_fallback(locale)?;
    let read = html::text(&text.body, locale);
    Some(PageRow {
        origin: capture.origin(locale),
        slug: page.slug.clone(),
        kind: page.kind.clone(),
        location: page.location.clone(),
        language,
        locales: languages_of(&page.text),
        image: page.image.as_ref().map(|image| Picture::of(image, locale)),
        title: text.title.clone(),
        intro: text.intro.clone(),
        // Without a meta description, a page uses its intro for search engines.
        meta_description: if text.intro.is_empty() {
            excerpt::summary(&text.meta_description, &read.html)
        } else {
            text.meta_description.clone()
        },
        body: read.html,
        headings: read.headings,
        minutes: read.minutes,
        faq: text.faq.clone(),
    })
}

pub(super) fn article(
    capture: Capture<'_>,
    article: &Article,
    locale: Locale,
) -> Option<ArticleRow> {
    let (language, text) = article.text.get_or_fallback(locale)?;
    let read = html::text(&text.body, locale);
    Some(ArticleRow {
        origin: capture.origin(locale),
        slug: article.slug.clone(),
        published_at: article.published_at,
        language,
        locales: languages_of(&article.text),
        image: article.image.as_ref().map(|image| Picture::of(image, locale)),
        title: text.title.clone(),
        summary: excerpt::summary(&text.summary, &read.html),
        body: read.html,
        headings: read.headings,
        minutes: read.minutes,
    })
}

pub(super) fn doc(capture: Capture<'_>, doc: &Doc, locale: Locale) -> Option<DocRow> {
    let (language, text) = doc.text.get_or_fallback(locale)?;
    let read = html::text(&text.body, locale);
    Some(DocRow {
        origin: capture.origin(locale),
        slug: doc.slug.clone(),
        sort: doc.sort,
        language,
        locales: languages_of(&doc.text),
        title: text.title.clone(),
        summary: excerpt::summary(&text.summary, &read.html),
        body: read.html,
        headings: read.headings,
        minutes: read.minutes,
    })
}

pub(super) fn team_member(
    capture: Capture<'_>,
    member: &TeamMember,
    locale: Locale,
) -> Option<TeamMemberRow> {
    let (language, text) = member.text.get_or_fallback(locale)?;
    Some(TeamMemberRow {
        origin: capture.origin(locale),
        name: member.name.clone(),
        administration: member.administration,
        sort: member.sort,
        photo: member.photo.as_ref().map(|photo| Picture::of(photo, locale)),
        email: member.email.clone(),
        phone: member.phone.clone(),
        language,
        role: text.role.clone(),
        bio: text.bio.clone(),
    })
}
