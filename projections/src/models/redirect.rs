//! `read.redirect`: moved paths, one row for all locales.

use contracts::content::Redirect;
use serde_json::{Value, json};

use crate::table::{Per, Table};

pub(super) const TABLE: Table = Table {
    name: "redirect",
    per: Per::Aggregate,
    columns: &[("from_path", "text not null"), ("to_path", "text"), ("code", "integer not null")],
    indexes: &["from_path"],
};

pub(super) fn columns(redirect: &Redirect) -> Value {
    json!({
        "from_path": redirect.from_path,
        "to_path": redirect.to_path,
        "code": redirect.code,
    })
}
