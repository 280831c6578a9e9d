//! What every page shows: settings, menus, people; and moved paths.

use contracts::{
    ClockTime, OpeningPeriod, Violation,
    content::{
        Agency, NavigationLink, NavigationText, Redirect, SiteSettings, SiteText, TeamMember,
        TeamMemberText,
    },
    rules::{OtherRule, is_blank, to_whole},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{coordinates, picture, required_text};
use crate::raw::Raw;

/// The code of a redirect that names none.
const MOVED: u16 = 301;
/// The code of what is gone for good.
const GONE: u16 = 410;
/// What the door escapes in a path (`services/site/src/path.rs`).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

pub(super) fn team_member(raw: Raw<'_>) -> Result<TeamMember, Violation> {
    Ok(TeamMember {
        name: raw.required_text("name")?,
        administration: raw.flag("administration")?,
        sort: raw.integer("sort")?,
        photo: picture::picture(raw, "photo")?,
        email: raw.text("email")?,
        phone: raw.text("phone")?,
        text: required_text(raw, "role", |role, row| {
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
            opening_hours: opening_hours(raw)?,
        },
        figures: raw.json("figures"),
        hero: picture::picture(raw, "hero")?,
        text: required_text(raw, "title_suffix", |title_suffix, row| {
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

/// The office's hours, by their months and weekdays.
fn opening_hours(raw: Raw<'_>) -> Result<Vec<OpeningPeriod>, Violation> {
    raw.objects("opening_hours")
        .map(|row| opening_period(row).map_err(|violation| violation.within("opening_hours")))
        .collect()
}

fn opening_period(row: Raw<'_>) -> Result<OpeningPeriod, Violation> {
    let clock = |field: &str| {
        let time = row.required_text(field)?;
        let read = time.parse::<ClockTime>();
        read.map_err(|_| row.breaks(field, OtherRule::TimeOfDay))
    };
    let period = OpeningPeriod {
        months: numbers(row, "months", 12, OtherRule::Months)?,
        weekdays: numbers(row, "weekdays", 7, OtherRule::Weekdays)?,
        opens: clock("opens")?,
        closes: clock("closes")?,
    };
    if period.weekdays.is_empty() {
        return Err(row.breaks("weekdays", OtherRule::Filled));
    }
    if period.closes <= period.opens {
        return Err(row.breaks("closes", OtherRule::AfterOpening));
    }
    Ok(period)
}

/// Numbers from 1 to `most`, in order and each once, as numbers or as texts; `rule` says so.
fn numbers(row: Raw<'_>, field: &str, most: u8, rule: OtherRule) -> Result<Vec<u8>, Violation> {
    let wrong = || row.breaks(field, rule);
    let value = row.value(field);
    if is_blank(value) {
        return Ok(Vec::new());
    }
    let mut numbers = value
        .as_array()
        .ok_or_else(wrong)?
        .iter()
        .map(|entry| {
            to_whole(entry)
                .and_then(|number| u8::try_from(number).ok())
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(wrong)
        })
        .collect::<Result<Vec<_>, _>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

pub(super) fn redirect(raw: Raw<'_>) -> Result<Redirect, Violation> {
    let from_path = as_asked_for(&raw.required_text("from_path")?);
    let code = raw.integer("code")?.and_then(|code| u16::try_from(code).ok()).unwrap_or(MOVED);
    let to_path = raw.text("to_path")?;
    if to_path.is_none() && code != GONE {
        return Err(raw.breaks("to_path", OtherRule::Destination));
    }
    Ok(Redirect { from_path, to_path, code })
}

/// `path` as its page is asked for: the door leads away from a slash at the end, and knows each
/// character in one form.
fn as_asked_for(path: &str) -> String {
    let path = match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    };
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    utf8_percent_encode(&decoded, ESCAPED).to_string()
}
