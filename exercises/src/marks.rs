//! Points of exercises in an assignment: a file with a table `[points]`.
//!
//! ```toml
//! [points]
//! missing_barrier = 2
//! "04_atomics/lost_update" = 3
//! ```

use crate::catalog::{Catalog, read_toml};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// By the exercises' whole names.
#[derive(Clone, Debug)]
pub struct ExercisePoints(BTreeMap<String, u32>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    points: BTreeMap<String, u32>,
}

impl ExercisePoints {
    pub fn read(path: &Path, catalog: &Catalog) -> Result<ExercisePoints> {
        let file: File = read_toml(path)?;
        let mut marks = BTreeMap::new();
        for (name, points) in file.points {
            let exercise = catalog.find(&name).with_context(|| say!("in-file", path = path.display().to_string()))?;
            if marks.insert(exercise.name.clone(), points).is_some() {
                bail!(say!("points-twice", path = path.display().to_string(), name = &exercise.name));
            }
        }
        Ok(ExercisePoints(marks))
    }

    /// `None`: not asked for.
    pub fn of(&self, exercise: &str) -> Option<u32> {
        self.0.get(exercise).copied()
    }
}
