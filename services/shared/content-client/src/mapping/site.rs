//! What every page shows: settings, menus, people; and moved paths.

use contracts::{
    Violation,
    content::{
        Agency, NavigationLink, NavigationText, Redirect, SiteSettings, SiteText, TeamMember,
        TeamMemberText,
    },
};

use super::{coordinates, localized, picture, required_text};
use crate::raw::Raw;

/// The code of a redirect that names none.
const MOVED: u16 = 301;
/// The code of what is gone for good.
const GONE: u16 = 410;

pub(super) fn team_member(raw: Raw<'_>) -> Result<TeamMember, Violation> {
    Ok(TeamMember {
        name: raw.required_text("name")?,
        administration: raw.flag("administration")?,
        sort: raw.integer("sort")?,
        photo: picture::picture(raw, "photo")?,
        email: raw.text("email")?,
        phone: raw.text("phone")?,
        text: localized(raw, "role", |role, row| {
            Ok(TeamMemberText { role, bio: row.text_or_empty("bio")? })
        })?,
    })
}

pub(super) fn navigation_link(raw: Raw<'_>) -> Result<NavigationLink, Violation> {
    Ok(NavigationLink {
        menu: raw.required_text("menu")?,
        parent: raw.key("parent"),
        sort: raw.integer("sort")?,
        url: raw.text("url")?,
        target: raw.text("target")?,
        icon: raw.text("icon")?,
        badge: raw.text("badge")?,
        disabled: raw.flag("disabled")?,
        text: required_text(raw, "label", |label, row| {
            Ok(NavigationText { label, description: row.text_or_empty("description")? })
        })?,
    })
}

pub(super) fn settings(raw: Raw<'_>) -> Result<SiteSettings, Violation> {
    Ok(SiteSettings {
        agency: Agency {
            company_name: raw.required_text("company_name")?,
            legal_name: raw.text("legal_name")?,
            tax_id: raw.text("tax_id")?,
            phones: raw.texts("phones")?,
            emails: raw.texts("emails")?,
            whatsapp: raw.text("whatsapp")?,
            street: raw.text("street")?,
            postal_code: raw.text("postal_code")?,
            town: raw.text("town")?,
            province: raw.text("province")?,
            coordinates: coordinates(raw)?,
            social_url: raw.text("social_url")?,
        },
        figures: raw.json("figures"),
        hero: picture::picture(raw, "hero")?,
        text: localized(raw, "title_suffix", |title_suffix, row| {
            Ok(SiteText {
                title_suffix,
                tagline: row.text_or_empty("tagline")?,
                description: row.text_or_empty("description")?,
                footer_note: row.text_or_empty("footer_note")?,
                sample_notice: row.text_or_empty("sample_notice")?,
            })
        })?,
    })
}

pub(super) fn redirect(raw: Raw<'_>) -> Result<Redirect, Violation> {
    let from_path = raw.required_text("from_path")?;
    let code = raw.integer("code")?.and_then(|code| u16::try_from(code).ok()).unwrap_or(MOVED);
    let to_path = raw.text("to_path")?;
    if to_path.is_none() && code != GONE {
        return Err(raw.breaks("to_path", "must say where it went, unless the code is 410"));
    }
    Ok(Redirect { from_path, to_path, code })
}
