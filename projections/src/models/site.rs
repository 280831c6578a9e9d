//! The rows of places, menus, settings and redirects. Functions return `None` for content without text in
//! any language.

use contracts::{
    Locale,
    content::{Location, NavigationLink, Redirect, SiteSettings},
};
use read_models::{LocationRow, NavigationRow, Picture, RedirectRow, Settings, SiteSettingsRow};

use super::{Capture, languages_of};
use crate::html;

pub(super) fn location(
    capture: Capture<'_>,
    location: &Location,
    locale: Locale,
) -> Option<LocationRow> {
    let (language, text) = location.text.get_or_fallback(locale)?;
    Some(LocationRow {
        origin: capture.origin(locale),
        slug: location.slug.clone(),
        ancestors: location.ancestors.clone(),
        sort: location.sort,
        language,
        locales: languages_of(&location.text),
        name: text.name.clone(),
        intro: text.intro.clone(),
        description: html::fragment(&text.description, locale),
        lat: location.coordinates.map(|point| point.lat),
        lng: location.coordinates.map(|point| point.lng),
        image: location.image.as_ref().map(|image| Picture::of(image, locale)),
    })
}

pub(super) fn navigation(
    capture: Capture<'_>,
    link: &NavigationLink,
    locale: Locale,
) -> Option<NavigationRow> {
    let (language, text) = link.text.get_or_fallback(locale)?;
    Some(NavigationRow {
        origin: capture.origin(locale),
        language,
        menu: link.menu.clone(),
        parent: link.parent.clone(),
        sort: link.sort,
        url: link.url.clone(),
        target: link.target.clone(),
        icon: link.icon.clone(),
        badge: link.badge.clone(),
        disabled: link.disabled,
        label: text.label.clone(),
        description: text.description.clone(),
    })
}

pub(super) fn redirect(capture: Capture<'_>, redirect: &Redirect) -> RedirectRow {
    RedirectRow {
        key: capture.key.to_owned(),
        version: capture.version,
        changed_at: capture.at,
        from_path: redirect.from_path.clone(),
        to_path: redirect.to_path.clone(),
        code: redirect.code,
    }
}

pub(super) fn settings(
    capture: Capture<'_>,
    site: &SiteSettings,
    locale: Locale,
) -> Option<SiteSettingsRow> {
    let (language, text) = site.text.get_or_fallback(locale)?;
    Some(SiteSettingsRow {
        origin: capture.origin(locale),
        language,
        settings: Settings {
            agency: site.agency.clone(),
            figures: site.figures.clone(),
            hero: site.hero.as_ref().map(|hero| Picture::of(hero, locale)),
            text: text.clone(),
        },
    })
}
