//! `explained.toml`: changed answers and classes of sizes about which an author has said why they are no mistake.
//!
//! Only `cargo xtask mutants` and `cargo xtask probes` read it: a verdict does without.

use anyhow::Result;
use learn::catalog::{Exercise, read_toml};
use serde::Deserialize;
use std::path::PathBuf;

/// An exercise's `explained.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Explained {
    /// Changed answers that are right, for `cargo xtask mutants`.
    #[serde(rename = "mutant")]
    pub mutants: Vec<Mutant>,
    /// Classes of sizes that are left out, for `cargo xtask probes`.
    #[serde(rename = "left_out")]
    pub left: Vec<LeftOutClass>,
}

impl Explained {
    /// Reads the file of this exercise; without one nothing is explained.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not as described.
    pub fn read(exercise: &Exercise) -> Result<Explained> {
        let path = Explained::file(exercise);
        if path.is_file() { read_toml(&path) } else { Ok(Explained::default()) }
    }

    pub fn file(exercise: &Exercise) -> PathBuf {
        exercise.folder.join("explained.toml")
    }
}

/// A changed answer that is right as well.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// The operator, as `cargo xtask mutants` calls it.
    pub operator: String,
    /// A part of the line at which it was done.
    pub site: String,
    pub why: String,
}

/// Sizes at which nobody notices an answer that does nothing.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOutClass {
    /// As `cargo xtask probes` calls it.
    pub class: String,
    pub why: String,
}

impl LeftOutClass {
    /// Returns true if `class` is left out: by its name, where `*` stands for any number, or because one of the sizes
    /// that it combines is.
    pub fn covers(&self, class: &str) -> bool {
        let is_part = |(wanted, part): (&str, &str)| match wanted.strip_suffix('*') {
            Some(name) => part.strip_prefix(name).is_some_and(|number| number.parse::<i64>().is_ok()),
            None => wanted == part,
        };
        let (wanted, parts): (Vec<&str>, Vec<&str>) = (self.class.split(", ").collect(), class.split(", ").collect());
        match wanted[..] {
            [one] => parts.into_iter().any(|part| is_part((one, part))),
            _ => wanted.len() == parts.len() && wanted.into_iter().zip(parts).all(is_part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_one_size_is_left_out_of_combinations() {
        let covers = |left: &str, class: &str| LeftOutClass { class: left.into(), why: String::new() }.covers(class);
        assert!(covers("n = 1", "n = 1") && covers("n = 1", "m = 2, n = 1") && !covers("n = 1", "n = 16"));
        assert!(covers("m = *, n = 1", "m = 2, n = 1") && !covers("m = *, n = 1", "m = 2, n = 2"));
        assert!(!covers("m = 2, n = 1", "n = 1") && !covers("m = *, n = 1", "m % 4 = 2, n = 1"));
    }
}
