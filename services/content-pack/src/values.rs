//! Values as Directus stores and compares them.

use std::cmp::Ordering;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde_json::Value;

use crate::schema::FieldKind;

/// A key, or any plain value, as text.
pub(crate) fn key_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `value` as a field of `kind` sends it, or nothing where it can't be one.
pub(crate) fn normalise(kind: FieldKind, value: Value) -> Option<Value> {
    match (kind, value) {
        (_, Value::Null) => Some(Value::Null),
        (FieldKind::Decimal, Value::Number(number)) => Some(Value::String(number.to_string())),
        (FieldKind::Decimal, Value::String(text))
            if text.parse::<f64>().is_ok_and(f64::is_finite) =>
        {
            Some(Value::String(text))
        }
        (FieldKind::Integer, Value::Number(number)) if number.is_i64() => {
            Some(Value::Number(number))
        }
        (FieldKind::Flag, value @ Value::Bool(_))
        | (FieldKind::Text | FieldKind::Uuid, value @ Value::String(_))
        | (FieldKind::Json, value)
        | (FieldKind::One(_), value @ (Value::String(_) | Value::Number(_))) => Some(value),
        (FieldKind::Date, Value::String(text)) => {
            text.parse::<NaiveDate>().is_ok().then_some(Value::String(text))
        }
        (FieldKind::Moment, Value::String(text)) => {
            moment(&text).map(|moment| moment_value(&moment))
        }
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
pub(crate) fn compare(kind: FieldKind, one: &Value, other: &Value) -> Option<Ordering> {
    match kind {
        FieldKind::Integer | FieldKind::Decimal => number(one)?.partial_cmp(&number(other)?),
        FieldKind::Date | FieldKind::Moment => {
            Some(moment(one.as_str()?)?.cmp(&moment(other.as_str()?)?))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_sort_can_place_is_no_decimal() {
        let taken = |text: &str| normalise(FieldKind::Decimal, text.into()).is_some();
        assert!(taken("-4.61") && taken("36.80000"));
        assert!(!["NaN", "inf", "-infinity", ""].into_iter().any(taken));
    }
}
