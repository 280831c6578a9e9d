//! `read.team_member`: the people of the agency, a row for each locale.

use contracts::{Locale, content::TeamMember};
use serde_json::{Value, json};

use super::picture;
use crate::table::{Per, Table};

pub(super) const TABLE: Table = Table {
    name: "team_member",
    per: Per::Locale,
    columns: &[
        ("name", "text not null"),
        ("administration", "boolean not null"),
        ("sort", "bigint"),
        ("photo", "jsonb"),
        ("email", "text"),
        ("phone", "text"),
        ("language", "text not null"),
        ("role", "text not null"),
        ("bio", "text not null"),
    ],
    indexes: &[],
};

pub(super) fn columns(member: &TeamMember, locale: Locale) -> Option<Value> {
    let (language, text) = member.text.get_or_fallback(locale)?;
    Some(json!({
        "name": member.name,
        "administration": member.administration,
        "sort": member.sort,
        "photo": picture::if_any(member.photo.as_ref(), locale),
        "email": member.email,
        "phone": member.phone,
        "language": language,
        "role": text.role,
        "bio": text.bio,
    }))
}
