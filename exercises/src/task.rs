//! Questions to a judging process: about which answer, and what of it.

use crate::catalog::Exercise;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The task to judge one answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The folder of all exercises.
    pub catalog: PathBuf,
    pub exercise: String,
    /// The answer, absolute.
    #[serde(with = "crate::answer")]
    pub file: PathBuf,
    /// The name to call it.
    pub shown: String,
    /// Only this run.
    pub replay: Option<String>,
    pub colour: bool,
    /// The command that the student types, without its arguments: `cargo learn`.
    pub command: String,
    /// By cargo, which takes its time.
    pub is_built: bool,
    /// Everything, and not only what comes first.
    pub is_verbose: bool,
    /// The way in which a student sees more than what comes first.
    #[serde(default)]
    pub more_by: MoreBy,
    /// The student has failed before: what would fix it may be told where none can be tried.
    #[serde(default)]
    pub tells_idea: bool,
    #[serde(default)]
    pub asked: AnswerKind,
    /// Only whether it is right is wanted, and not even that for code that is among these.
    #[serde(default)]
    pub unless_known: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MoreBy {
    /// `--verbose`.
    #[default]
    Option,
    /// The key `v` of the watch.
    Key,
    /// A button of the page.
    Button,
}

impl MoreBy {
    /// As messages tell them apart.
    pub fn word(self) -> &'static str {
        match self {
            MoreBy::Option => "option",
            MoreBy::Key => "key",
            MoreBy::Button => "button",
        }
    }
}

/// The kind of answer that is wanted of a task. It is of the type that is named here, or says why there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerKind {
    /// [`crate::verdict::RowVerdict`].
    #[default]
    Verdict,
    /// The fix of the run of `replay`: [`crate::tried::FixText`].
    Fix,
    /// The page of that run, as JSON: a `String`.
    Page,
}

impl Task {
    /// The exercise as it is handed out, where no student's answer is judged.
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
            more_by: MoreBy::Option,
            tells_idea: false,
            asked: AnswerKind::Verdict,
            unless_known: None,
        }
    }
}
