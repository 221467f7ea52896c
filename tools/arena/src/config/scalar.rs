//! Values that may be written as TOML has them or as text, as a flag has them.

use serde::de::{Deserialize, Deserializer, Error};
use std::fmt::Display;
use std::str::FromStr;
use toml::Value;

/// The text of a value that is no list and no table.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// Reads a number, a truth or a text, however it is written.
pub fn scalar<'de, D, T>(source: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let value = Value::deserialize(source)?;
    let text = text(&value).ok_or_else(|| D::Error::custom("a single value expected"))?;
    text.parse()
        .map_err(|error| D::Error::custom(format!("'{text}': {error}")))
}

/// [`scalar`] for a field that may be left out.
pub fn optional<'de, D, T>(source: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    scalar(source).map(Some)
}
