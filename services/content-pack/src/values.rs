//! Values as Directus stores and compares them.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::schema::Kind;

/// A key, or any plain value, as text.
pub(crate) fn key_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `value` as a field of `kind` sends it, or nothing where it can't be one.
pub(crate) fn normalise(kind: Kind, value: Value) -> Option<Value> {
    match (kind, value) {
        (_, Value::Null) => Some(Value::Null),
        (Kind::Decimal, Value::Number(number)) => Some(Value::String(number.to_string())),
        (Kind::Decimal, Value::String(text)) if text.parse::<f64>().is_ok() => {
            Some(Value::String(text))
        }
        (Kind::Integer, Value::Number(number)) if number.is_i64() => Some(Value::Number(number)),
        (Kind::Flag, value @ Value::Bool(_))
        | (Kind::Text | Kind::Uuid, value @ Value::String(_))
        | (Kind::Json, value)
        | (Kind::One(_), value @ (Value::String(_) | Value::Number(_))) => Some(value),
        (Kind::Date, Value::String(text)) => {
            text.parse::<NaiveDate>().is_ok().then_some(Value::String(text))
        }
        (Kind::Moment, Value::String(text)) => moment(&text).map(|moment| moment_value(&moment)),
        _ => None,
    }
}

/// A moment as Directus writes it.
pub(crate) fn moment_value(moment: &DateTime<Utc>) -> Value {
    Value::String(moment.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
}

/// A moment as anyone may write it; one without a zone is in UTC.
pub(crate) fn moment(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.with_timezone(&Utc));
    }
    if let Ok(local) = text.parse::<NaiveDateTime>() {
        return Some(local.and_utc());
    }
    text.parse::<NaiveDate>().ok().map(|date| date.and_time(NaiveTime::MIN).and_utc())
}

/// How two values of `kind` stand to each other; nothing where one is null or of another type, as
/// in SQL, where such a comparison holds for no row.
pub(crate) fn compare(kind: Kind, one: &Value, other: &Value) -> Option<Ordering> {
    match kind {
        Kind::Integer | Kind::Decimal => number(one)?.partial_cmp(&number(other)?),
        Kind::Date | Kind::Moment => Some(moment(one.as_str()?)?.cmp(&moment(other.as_str()?)?)),
        Kind::Flag => Some(boolean(one)?.cmp(&boolean(other)?)),
        _ if one.is_null() || other.is_null() => None,
        _ => Some(key_text(one).cmp(&key_text(other))),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A truth value, as text too: the address of a request knows nothing else.
pub(crate) fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
