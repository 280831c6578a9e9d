//! Content of every page (settings, menus, team), and redirects.

use std::iter;

use contracts::{
    ClockTime, OpeningPeriod, Violation,
    address::ESCAPED_IN_PATHS,
    content::{
        Agency, NavigationLink, NavigationText, Redirect, SiteSettings, SiteText, TeamMember,
        TeamMemberText,
    },
    rules::{OtherRule, is_blank, to_whole},
};
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use serde_json::Value;

use super::{coordinates, items_above, picture, required_text, withdrawn};
use crate::raw::Raw;

/// The maximum number of entries above one: menus are four levels deep, as in the query service.
const MAX_ABOVE: usize = 3;
/// The default status code of a redirect.
const MOVED: u16 = 301;
/// The status code of a page that is permanently gone.
const GONE: u16 = 410;

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
    check_above(raw)?;
    Ok(NavigationLink {
        menu: raw.required_text("menu")?,
        parent: parent_of(raw),
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

/// Returns the key of the entry directly above `entry`.
fn parent_of(entry: Raw<'_>) -> Option<String> {
    let parent = entry.object("parent");
    parent.map_or_else(|| entry.key("parent"), |parent| parent.key("id"))
}

/// Returns the path from `entry` upwards, if one of the entries above is withdrawn. No menu shows an entry
/// below a withdrawn one.
pub(super) fn under_withdrawn(entry: Raw<'_>) -> Option<String> {
    let above = items_above(entry, "parent");
    let is_under = above.iter().any(|it| withdrawn(*it).is_some());
    is_under.then(|| way(entry, above))
}

/// Checks that the entry is reachable in its menu. It is not if it is below itself, below an entry that is
/// withdrawn or of another menu, or deeper than menus go. A cycle longer than what is read counts as too deep.
fn check_above(entry: Raw<'_>) -> Result<(), Violation> {
    let above = items_above(entry, "parent");
    let outermost = parent_of(above.last().copied().unwrap_or(entry));
    let is_round = outermost.is_some() && outermost == entry.key("id");
    let rule = if is_round {
        OtherRule::EntryNotInItself
    } else if above.len() > MAX_ABOVE || above.iter().any(|it| blocked_by(entry, *it).is_some()) {
        OtherRule::EntryOfTheMenu
    } else {
        return Ok(());
    };
    let way = way(entry, above.into_iter().chain(is_round.then_some(entry)));
    Err(rule.broken("parent", &Value::from(way)))
}

/// Returns why `entry` is not shown below `above`: the status of `above`, or its menu if that is another one.
fn blocked_by(entry: Raw<'_>, above: Raw<'_>) -> Option<String> {
    withdrawn(above)
        .or_else(|| above.key("menu").filter(|menu| entry.key("menu").as_ref() != Some(menu)))
}

/// Describes the path from `entry` upwards for editors: `/areas under /torrox (draft) under /places`.
fn way<'a>(entry: Raw<'a>, above: impl IntoIterator<Item = Raw<'a>>) -> String {
    let named = |it: Raw<'_>| {
        let name = it.text("url").ok().flatten().or_else(|| it.key("id"))?;
        Some(match blocked_by(entry, it) {
            Some(why) => format!("{name} ({why})"),
            None => name,
        })
    };
    let steps: Vec<String> = iter::once(entry).chain(above).filter_map(named).collect();
    steps.join(" under ")
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
            opening_hours: raw.entries("opening_hours", opening_period)?,
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

/// Returns the office's hours in some months, on some weekdays.
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

/// Returns the numbers in `field`, sorted and without duplicates. They may be numbers or texts, and must be
/// from 1 to `max`; otherwise `rule` is broken.
fn numbers(row: Raw<'_>, field: &str, max: u8, rule: OtherRule) -> Result<Vec<u8>, Violation> {
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
                .filter(|number| (1..=max).contains(number))
                .ok_or_else(wrong)
        })
        .collect::<Result<Vec<_>, _>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

pub(super) fn redirect(raw: Raw<'_>) -> Result<Redirect, Violation> {
    let from_path = normalized_path(&raw.required_text("from_path")?);
    let code = raw.integer("code")?.and_then(|code| u16::try_from(code).ok()).unwrap_or(MOVED);
    let to_path = raw.text("to_path")?;
    if to_path.is_none() && code != GONE {
        return Err(raw.breaks("to_path", OtherRule::Destination));
    }
    Ok(Redirect { from_path, to_path, code })
}

/// Returns `path` as the door requests it: without a trailing slash, which the door redirects, and with each
/// character escaped in one way.
fn normalized_path(path: &str) -> String {
    let path = match path.trim_end_matches('/') {
        "" => "/",
        path => path,
    };
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    utf8_percent_encode(&decoded, ESCAPED_IN_PATHS).to_string()
}

#[cfg(test)]
mod tests {
    use contracts::{AggregateId, Collection, content::Snapshot};
    use serde_json::json;

    use super::*;
    use crate::{
        mapping::tests::{broken, holding, read, reason},
        reading::{Hidden, Part, Reading},
    };

    /// Entry 2, `/areas`, under `parent`.
    fn areas_under(parent: &Value) -> Reading {
        let entry = json!({
            "id": 2, "status": "published", "menu": "header", "url": "/areas", "parent": parent,
            "translations": [{ "id": 3, "languages_code": "en-GB", "label": "Areas" }],
        });
        read(Collection::Navigation, &entry)
    }

    #[test]
    fn an_entry_below_itself_is_refused_with_its_path() {
        let areas = json!({ "id": 2, "url": "/areas", "parent": { "id": 3 } });
        let torrox = json!({ "id": 3, "url": "/torrox", "parent": areas });
        let label = json!({ "id": 4, "url": null, "parent": torrox });
        let under = |key: u32, parent: &Value| {
            json!({ "id": key, "url": format!("/{key}"),
                    "parent": parent })
        };
        // Of the entry above the last level that is read, only the key is known.
        let five = under(6, &under(5, &under(4, &under(3, &json!(2)))));
        let six = under(6, &under(5, &under(4, &under(3, &json!(7)))));
        for (parent, way) in [
            (&areas, "/areas under /areas"),
            (&torrox, "/areas under /torrox under /areas"),
            (&label, "/areas under 4 under /torrox under /areas"),
            (&five, "/areas under /6 under /5 under /4 under /3 under /areas"),
            // This is deeper than menus go, whether it is a cycle or not.
            (&six, "/areas under /6 under /5 under /4 under /3"),
        ] {
            let way = format!("\"{way}\"");
            assert_eq!(broken(areas_under(parent)), holding("parent", &way));
        }
    }

    #[test]
    fn an_entry_is_below_its_parent() {
        let parent_of = |reading: &Reading| match reading.snapshot() {
            Some(Snapshot::Navigation(entry)) => entry.parent.clone(),
            _ => panic!("{reading:?}"),
        };
        let round = json!({ "id": 4, "url": null, "parent": { "id": 3, "parent": { "id": 4 } } });
        let top = json!({ "id": 4, "url": "/", "parent": null });
        let under = json!({ "id": 3, "url": "/torrox", "parent": top });
        for (parent, key) in [
            (json!(null), None),
            // Only its key was returned.
            (json!(4), Some("4")),
            (top, Some("4")),
            // An entry that is only below such a cycle is valid.
            (round, Some("4")),
            (under, Some("3")),
        ] {
            assert_eq!(parent_of(&areas_under(&parent)).as_deref(), key, "{parent}");
        }
    }

    #[test]
    fn an_unreachable_entry_is_refused_with_its_path() {
        let zones = |menu: &str, status: &str| json!({ "id": 9, "url": "/zones", "menu": menu, "status": status });
        let draft = zones("header", "draft");
        let under = |key: u32, parent: &Value| {
            json!({ "id": key, "url": format!("/{key}"), "menu": "header", "status": "published",
                    "parent": parent })
        };
        let shown = zones("header", "published");
        let third = under(4, &under(3, &shown));
        assert!(areas_under(&third).snapshot().is_some(), "as deep as menus go");
        for (parent, way) in [
            (&zones("footer", "published"), "/areas under /zones (footer)"),
            (&under(5, &third), "/areas under /5 under /4 under /3 under /zones"),
        ] {
            let way = format!("\"{way}\"");
            assert_eq!(broken(areas_under(parent)), holding("parent", &way));
        }
        // These are hidden together with the withdrawn entry.
        for (parent, way) in [
            (&draft, "/areas under /zones (draft)"),
            (&zones("header", "archived"), "/areas under /zones (archived)"),
            (&under(3, &draft), "/areas under /3 under /zones (draft)"),
        ] {
            let areas = areas_under(parent);
            let expected = OtherRule::EntryOfTheMenu.broken("parent", &json!(way));
            assert_eq!(areas.broken(), [expected]);
            assert_eq!(reason(areas), Hidden::NoPublishedEntry { way: way.to_owned() });
        }
    }

    #[test]
    fn the_entries_above_an_entry_are_its_parts() {
        let entry = |key: &str| Part::Aggregate(AggregateId::new(Collection::Navigation, key));
        let reading =
            areas_under(&json!({ "id": 3, "parent": { "id": 2, "parent": { "id": 3 } } }));
        assert!(matches!(reading, Reading::Invalid { .. }), "{reading:?}");
        assert!(reading.parts().contains(&entry("3")), "{reading:?}");
        assert!(!reading.parts().contains(&entry("2")), "no entry shows in itself");
    }
}
