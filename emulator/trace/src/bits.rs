//! Numbers that JSON has as hexadecimal text: a script's numbers may have no more than 53 bits.

#[cfg(feature = "json")]
use serde::{Serialize, Serializer};

/// Lanes of a warp: a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Lanes(pub u32);

/// A value's bits, or an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Bits(pub u64);

impl Lanes {
    pub fn contains(self, lane: u32) -> bool {
        self.0 >> (lane % 32) & 1 != 0
    }

    /// First and last of each unbroken run.
    pub fn runs(self) -> Vec<(u32, u32)> {
        finding::Threads::of_warp(0, self.0).runs()
    }
}

#[cfg(feature = "json")]
impl Serialize for Lanes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#010x}", self.0))
    }
}

#[cfg(feature = "json")]
impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}
