//! What a judging process is told of an answer that it is to judge.

use crate::catalog::Exercise;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What to judge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The folder of all exercises.
    pub catalog: PathBuf,
    pub exercise: String,
    /// The answer, absolute.
    #[serde(with = "crate::answer")]
    pub file: PathBuf,
    /// What to call it.
    pub shown: String,
    /// Only this run.
    pub replay: Option<String>,
    pub colour: bool,
    /// What the student types in front of a command: `cargo learn`.
    pub command: String,
    /// By cargo, which takes its time.
    pub is_built: bool,
    /// Everything, and not only what comes first.
    pub is_verbose: bool,
    /// What fixes the run of `replay` is wanted, and no verdict on it.
    #[serde(default)]
    pub tries_fix: bool,
    /// The student has failed before: what would fix it may be told where none can be tried.
    #[serde(default)]
    pub tells_idea: bool,
    /// The page of the run of `replay` is wanted.
    #[serde(default)]
    pub shows_run: bool,
    /// Only whether it is right is wanted, and not even that for code that is among these.
    #[serde(default)]
    pub unless_known: Option<Vec<String>>,
}

impl Task {
    /// The exercise as it is handed out, where nobody's answer is judged.
    pub fn of(catalog: &Path, exercise: &Exercise) -> Task {
        Task {
            catalog: catalog.to_path_buf(),
            exercise: exercise.name.clone(),
            file: exercise.shipped(),
            shown: exercise.file_name(),
            replay: None,
            colour: false,
            command: String::new(),
            is_built: false,
            is_verbose: false,
            tries_fix: false,
            tells_idea: false,
            shows_run: false,
            unless_known: None,
        }
    }
}
