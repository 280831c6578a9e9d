//! Normalises and compares values in the same way as Directus.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::schema::FieldKind;

/// Returns a key, or any scalar value, as a string.
pub(crate) fn key_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns `value` in the form of a field of `kind`.
///
/// # Errors
/// Returns `value` as it is if it is invalid for that type.
pub(crate) fn normalise(kind: FieldKind, value: Value) -> Result<Value, Value> {
    match (kind, value) {
        (_, Value::Null) => Ok(Value::Null),
        (FieldKind::Decimal, Value::Number(number)) => Ok(Value::String(number.to_string())),
        (FieldKind::Decimal, Value::String(text))
            if text.parse::<f64>().is_ok_and(f64::is_finite) =>
        {
            Ok(Value::String(text))
        }
        (FieldKind::Integer, Value::Number(number)) if number.is_i64() => Ok(Value::Number(number)),
        (FieldKind::Flag, value @ Value::Bool(_))
        | (FieldKind::Text | FieldKind::Uuid, value @ Value::String(_))
        | (FieldKind::Json, value)
        | (FieldKind::One(_), value @ (Value::String(_) | Value::Number(_))) => Ok(value),
        (FieldKind::Date, Value::String(text)) if text.parse::<NaiveDate>().is_ok() => {
            Ok(Value::String(text))
        }
        (FieldKind::Timestamp, Value::String(text)) => match parse_timestamp(&text) {
            Some(timestamp) => Ok(timestamp_value(&timestamp)),
            None => Err(Value::String(text)),
        },
        (_, value) => Err(value),
    }
}

/// Formats a timestamp as Directus does.
pub(crate) fn timestamp_value(timestamp: &DateTime<Utc>) -> Value {
    Value::String(timestamp.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
}

/// Parses a timestamp or date; without a time zone, it is in UTC.
pub(crate) fn parse_timestamp(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(timestamp) = DateTime::parse_from_rfc3339(text) {
        return Some(timestamp.with_timezone(&Utc));
    }
    if let Ok(local) = text.parse::<NaiveDateTime>() {
        return Some(local.and_utc());
    }
    text.parse::<NaiveDate>().ok().map(|date| date.and_time(NaiveTime::MIN).and_utc())
}

/// Compares two values of `kind`; returns `None` if one is null or of another type, as in SQL, where
/// such a comparison matches no row.
pub(crate) fn compare(kind: FieldKind, one: &Value, other: &Value) -> Option<Ordering> {
    match kind {
        FieldKind::Integer | FieldKind::Decimal => number(one)?.partial_cmp(&number(other)?),
        FieldKind::Date | FieldKind::Timestamp => {
            Some(parse_timestamp(one.as_str()?)?.cmp(&parse_timestamp(other.as_str()?)?))
        }
        FieldKind::Flag => Some(boolean(one)?.cmp(&boolean(other)?)),
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

/// Parses a boolean, also from a string, since query strings have only strings.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_finite_numbers_are_not_decimals() {
        let is_decimal = |text: &str| normalise(FieldKind::Decimal, text.into()).is_ok();
        assert!(is_decimal("-4.61") && is_decimal("36.80000"));
        assert!(!["NaN", "inf", "-infinity", ""].into_iter().any(is_decimal));
    }
}
