//! Filters on items.

use std::cmp::Ordering;

use serde_json::Value;

use crate::{
    content::{Content, Item},
    errors::ApiError,
    schema::{Collection, FieldKind, collection},
    values::{boolean, compare, key_text},
};

/// A condition on an item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    All(Vec<Filter>),
    Any(Vec<Filter>),
    Field {
        field: &'static str,
        kind: FieldKind,
        test: Test,
    },
    /// A condition on the item that a field references.
    One {
        field: &'static str,
        kind: FieldKind,
        filter: Box<Filter>,
    },
    /// A condition that at least one of the item's parts meets.
    Some {
        part: &'static Collection,
        filter: Box<Filter>,
    },
}

/// A condition on a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    Equal(Value),
    NotEqual(Value),
    In(Vec<Value>),
    NotIn(Vec<Value>),
    Greater(Value),
    GreaterOrEqual(Value),
    Less(Value),
    LessOrEqual(Value),
    Null,
    NotNull,
}

impl PartialEq for Collection {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Filter {
    /// Parses a filter on items of `on`.
    pub fn parse(on: &'static Collection, filter: &Value) -> Result<Self, ApiError> {
        let Value::Object(clauses) = filter else {
            return Err(ApiError::InvalidQuery("\"filter\" must be an object".to_owned()));
        };
        let mut all = Vec::new();
        for (name, value) in clauses {
            all.push(match name.as_str() {
                "_and" => Self::All(Self::parse_list(on, value)?),
                "_or" => Self::Any(Self::parse_list(on, value)?),
                field => Self::parse_field(on, field, value)?,
            });
        }
        Ok(Self::All(all))
    }

    fn parse_list(on: &'static Collection, value: &Value) -> Result<Vec<Self>, ApiError> {
        let entries: Vec<&Value> = match value {
            Value::Array(entries) => entries.iter().collect(),
            // The form in query strings: `filter[_or][0][status][_eq]=draft`.
            Value::Object(entries) => entries.values().collect(),
            _ => return Err(ApiError::InvalidQuery("\"_and\" takes a list".to_owned())),
        };
        entries.into_iter().map(|entry| Self::parse(on, entry)).collect()
    }

    fn parse_field(on: &'static Collection, name: &str, value: &Value) -> Result<Self, ApiError> {
        let unknown = || ApiError::ForbiddenField { field: name.to_owned(), collection: on.name };
        let found = on.fields.iter().find(|(field, _)| *field == name);
        let (field, kind) = *found.ok_or_else(unknown)?;
        let Value::Object(tests) = value else {
            let test = Test::parse(kind, "_eq", value)?;
            return Ok(Self::Field { field, kind, test });
        };
        let mut all = Vec::new();
        for (operator, operand) in tests {
            if operator.starts_with('_') && operator != "_some" {
                let test = Test::parse(kind, operator, operand)?;
                all.push(Self::Field { field, kind, test });
                continue;
            }
            let nested = if operator == "_some" { operand } else { value };
            match kind {
                FieldKind::One(related) => {
                    let related = collection(related).ok_or_else(unknown)?;
                    let filter = Box::new(Self::parse(related, nested)?);
                    all.push(Self::One { field, kind, filter });
                }
                FieldKind::Many(part, _) => {
                    let part = collection(part).ok_or_else(unknown)?;
                    let filter = Box::new(Self::parse(part, nested)?);
                    all.push(Self::Some { part, filter });
                }
                _ => return Err(unknown_operator(kind, operator)),
            }
            break;
        }
        Ok(Self::All(all))
    }

    /// Returns the only values of the field `key` that can match, if the filter restricts it to numbers.
    /// So a request for a few items by key does not scan all items.
    pub fn candidate_keys(&self, key: &str) -> Option<Vec<String>> {
        match self {
            Self::All(filters) => filters.iter().find_map(|filter| filter.candidate_keys(key)),
            Self::Field { field, test, .. } if *field == key => match test {
                Test::Equal(operand) => number(operand).map(|one| vec![one]),
                Test::In(operands) => operands.iter().map(number).collect(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether `item` matches. It must belong to the collection that the filter was parsed for.
    pub fn matches(&self, content: &Content, item: &Item) -> bool {
        match self {
            Self::All(filters) => filters.iter().all(|filter| filter.matches(content, item)),
            Self::Any(filters) => filters.iter().any(|filter| filter.matches(content, item)),
            Self::Field { field, kind, test } => test.holds(*kind, &item[*field]),
            Self::One { field, kind, filter } => content
                .related(*kind, &item[*field])
                .is_some_and(|(_, related)| filter.matches(content, related)),
            Self::Some { part, filter } => content
                .table(part)
                .of_parent(&key_text(&item["id"]))
                .any(|child| filter.matches(content, child)),
        }
    }
}

impl Test {
    fn parse(kind: FieldKind, operator: &str, operand: &Value) -> Result<Self, ApiError> {
        let value = || operand.clone();
        let holds = || boolean(operand).unwrap_or(true);
        Ok(match operator {
            _ if matches!(kind, FieldKind::Many(..)) => {
                return Err(unknown_operator(kind, operator));
            }
            "_eq" => Self::Equal(value()),
            "_neq" => Self::NotEqual(value()),
            "_in" => Self::In(values(operand)),
            "_nin" => Self::NotIn(values(operand)),
            "_gt" if kind.is_ordered() => Self::Greater(value()),
            "_gte" if kind.is_ordered() => Self::GreaterOrEqual(value()),
            "_lt" if kind.is_ordered() => Self::Less(value()),
            "_lte" if kind.is_ordered() => Self::LessOrEqual(value()),
            "_null" => {
                if holds() {
                    Self::Null
                } else {
                    Self::NotNull
                }
            }
            "_nnull" => {
                if holds() {
                    Self::NotNull
                } else {
                    Self::Null
                }
            }
            _ => return Err(unknown_operator(kind, operator)),
        })
    }

    fn holds(&self, kind: FieldKind, value: &Value) -> bool {
        let is = |operand: &Value, orderings: &[Ordering]| {
            compare(kind, value, operand).is_some_and(|ordering| orderings.contains(&ordering))
        };
        let equals = |operand: &Value| is(operand, &[Ordering::Equal]);
        match self {
            Self::Equal(operand) => equals(operand),
            Self::NotEqual(operand) => !value.is_null() && !equals(operand),
            Self::In(operands) => operands.iter().any(equals),
            Self::NotIn(operands) => !value.is_null() && !operands.iter().any(equals),
            Self::Greater(operand) => is(operand, &[Ordering::Greater]),
            Self::GreaterOrEqual(operand) => is(operand, &[Ordering::Greater, Ordering::Equal]),
            Self::Less(operand) => is(operand, &[Ordering::Less]),
            Self::LessOrEqual(operand) => is(operand, &[Ordering::Less, Ordering::Equal]),
            Self::Null => value.is_null(),
            Self::NotNull => !value.is_null(),
        }
    }
}

/// Returns `operand` formatted as an integer, if it is one.
fn number(operand: &Value) -> Option<String> {
    key_text(operand).trim().parse::<i64>().ok().map(|number| number.to_string())
}

/// Returns the operands of `_in`: a list, or a string separated by commas.
fn values(operand: &Value) -> Vec<Value> {
    match operand {
        Value::Array(values) => values.clone(),
        Value::String(text) => {
            text.split(',').map(|entry| Value::String(entry.trim().to_owned())).collect()
        }
        other => vec![other.clone()],
    }
}

fn unknown_operator(kind: FieldKind, operator: &str) -> ApiError {
    ApiError::InvalidQuery(format!(
        "\"{}\" field type does not contain the \"{operator}\" filter operator",
        kind.name()
    ))
}
