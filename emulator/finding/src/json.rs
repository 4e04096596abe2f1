//! Additions to the derived JSON: a cause with its short name, and bits as text.
//!
//! An enum whose variants hold data is an object with `kind`; one without is a word.

use crate::{Cause, StaticName};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// A cause as JSON has it: `kind` is [`Cause::key`]; `family` says which further fields there are.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Cause"))]
pub struct KeyedCause<'a> {
    /// The missing thing, in one word.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = &Cause::KEYS[..])))]
    kind: &'static str,
    #[serde(flatten)]
    cause: &'a Cause,
}

impl<'a> From<&'a Cause> for KeyedCause<'a> {
    fn from(cause: &'a Cause) -> KeyedCause<'a> {
        KeyedCause { kind: cause.key(), cause }
    }
}

/// A cause with its short name. What reads it back has no use for that.
pub(crate) mod keyed_cause {
    use super::KeyedCause;
    use crate::Cause;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
        KeyedCause::from(cause).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cause, D::Error> {
        Cause::deserialize(deserializer)
    }
}

/// Bits as text: a script's numbers may have no more than 53 of them.
pub(crate) mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bits: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{bits:#x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.strip_prefix("0x").unwrap_or(&text);
        u64::from_str_radix(digits, 16).map_err(D::Error::custom)
    }
}

/// Reads a name that lives as long as the process. A process that reads findings meets few of them, each time the same.
pub(crate) fn static_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<StaticName, D::Error> {
    static KNOWN: Mutex<BTreeSet<StaticName>> = Mutex::new(BTreeSet::new());
    let name = String::deserialize(deserializer)?;
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(name) = known.get(name.as_str()) {
        return Ok(name);
    }
    let name: StaticName = name.leak();
    known.insert(name);
    Ok(name)
}
