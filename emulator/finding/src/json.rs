//! Additions to the derived JSON: a cause with its short name, and bits as text.
//!
//! An enum whose variants hold data is an object with `kind`; one without is a word.

use crate::Cause;
use serde::{Serialize, Serializer};

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

pub(crate) fn cause<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
    KeyedCause::from(cause).serialize(serializer)
}

/// Bits as text: a script's numbers may have no more than 53 of them.
pub(crate) fn hexadecimal<S: Serializer>(bits: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{bits:#x}"))
}
