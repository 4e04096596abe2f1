//! The progress of a student: `my-exercises/progress.toml`. Updates of the course never touch it.
//!
//! Invariant: the file is whole at every moment. It is written beside itself and renamed; a lock keeps two of these
//! programs, such as a watch in one terminal and a hint in another, from losing each other's changes.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const FILE: &str = "progress.toml";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedProgress {
    /// The exercise at which the student wants to begin; the first one if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins_at: Option<String>,
    /// By name: `02_sync/missing_barrier`.
    #[serde(default)]
    pub exercise: BTreeMap<String, ExerciseRecord>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExerciseRecord {
    /// SHA-256 of the file as it was handed out; empty where that is not known.
    pub handed_out: String,
    pub solved: bool,
    /// Hints taken.
    pub hints: usize,
    /// Answers judged.
    pub attempts: u64,
    /// Answers in a row that were not right, since it was handed out.
    pub failures: u64,
    pub saw_solution: bool,
    /// SHA-256 of the answer that was counted last.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub counted: String,
}

/// Why an answer was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The student asked for it.
    Asked,
    /// The file was found to have changed. Another program that looks at it finds the same.
    Saved,
}

impl ExerciseRecord {
    /// Counts an answer, by its hash: one that was saved counts once, whoever judges it. The file as it was handed out
    /// is no attempt, unless somebody asks for a verdict on it.
    pub fn judged(&mut self, passed: bool, answer: &str, why: Judged) {
        self.solved |= passed;
        let is_known = |hash: &String| !hash.is_empty() && hash == answer;
        if why == Judged::Saved && [&self.counted, &self.handed_out].into_iter().any(is_known) {
            return;
        }
        self.counted = answer.to_string();
        self.attempts += 1;
        self.failures = if passed { 0 } else { self.failures + 1 };
    }
}

impl SavedProgress {
    /// Reads what is there; a file that cannot be understood is put aside and said so on stderr.
    pub fn read(folder: &Path) -> Result<SavedProgress> {
        let path = folder.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(SavedProgress::default()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => String::from("no text"),
            Err(error) => return Err(error).with_context(|| say!("cannot-read", path = path.display().to_string())),
        };
        match toml::from_str(&text) {
            Ok(progress) => Ok(progress),
            Err(error) => {
                let aside = free_name(folder);
                fs::rename(&path, &aside)
                    .with_context(|| say!("cannot-put-aside", path = path.display().to_string()))?;
                let (path, aside) = (path.display().to_string(), aside.display().to_string());
                words::complain(&format!("{}\n{error}", say!("progress-put-aside", path, aside)));
                Ok(SavedProgress::default())
            }
        }
    }

    /// Reads, changes and writes, with nobody between.
    pub fn change<T>(folder: &Path, change: impl FnOnce(&mut SavedProgress) -> Result<T>) -> Result<T> {
        let path = folder.join(".lock");
        // A link in its place would lead to a file that is none of ours.
        let mut how = File::options();
        let lock = how.write(true).create(true).truncate(false).custom_flags(libc::O_NOFOLLOW).open(&path);
        let lock = lock.map_err(|error| explained(error, &path))?;
        lock.lock().with_context(|| say!("cannot-lock", path = path.display().to_string()))?;
        let mut progress = SavedProgress::read(folder)?;
        let before = progress.clone();
        let result = change(&mut progress);
        if progress != before {
            progress.write(folder)?;
        }
        result
    }

    pub fn record(&mut self, name: &str) -> &mut ExerciseRecord {
        self.exercise.entry(name.to_string()).or_default()
    }

    pub fn is_solved(&self, name: &str) -> bool {
        self.exercise.get(name).is_some_and(|record| record.solved)
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE);
        let record = toml::to_string(self)
            .with_context(|| say!("cannot-write", path = path.display().to_string(), why = "other"))?;
        write_whole(&path, &(format!("# {}\n\n", say!("progress-head")) + &record))
    }
}

/// Writes a file so that it is there whole or not at all.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    written.map_err(|error| {
        // A half file helps nobody.
        let _ = fs::remove_file(&beside);
        explained(error, path)
    })
}

/// SHA-256 of a text, by which it is known again.
pub fn hash(text: &str) -> String {
    format!("{:x}", Sha256::digest(text.as_bytes()))
}

/// The error with what fixes it.
pub fn explained(error: io::Error, path: &Path) -> anyhow::Error {
    let why = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => "full",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "closed",
        _ => "other",
    };
    anyhow::Error::new(error).context(say!("cannot-write", path = path.display().to_string(), why))
}

fn free_name(folder: &Path) -> PathBuf {
    let mut names = (1..).map(|number| folder.join(format!("progress.damaged-{number}.toml")));
    names.find(|path| !path.exists()).unwrap_or_else(|| folder.join("progress.damaged.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_stay_and_a_damaged_file_is_put_aside() {
        let place = tempfile::tempdir().unwrap();
        for hints in 1..=3 {
            SavedProgress::change(place.path(), |progress| {
                progress.record("02_sync/missing_barrier").hints += 1;
                Ok(())
            })
            .unwrap();
            assert_eq!(SavedProgress::read(place.path()).unwrap().exercise["02_sync/missing_barrier"].hints, hints);
        }
        fs::write(place.path().join(FILE), "[exercise\nhalf a li").unwrap();
        assert_eq!(SavedProgress::read(place.path()).unwrap(), SavedProgress::default());
        let kept = fs::read_to_string(place.path().join("progress.damaged-1.toml")).unwrap();
        assert!(kept.contains("half a li"));
        fs::write(place.path().join(FILE), [0xff, 0xfe, 0]).unwrap();
        assert_eq!(SavedProgress::read(place.path()).unwrap(), SavedProgress::default());
        assert!(place.path().join("progress.damaged-2.toml").exists());
    }

    #[test]
    fn a_link_in_place_of_the_lock_is_not_followed() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("other"), "theirs").unwrap();
        std::os::unix::fs::symlink("other", place.path().join(".lock")).unwrap();
        assert!(SavedProgress::change(place.path(), |_| Ok(())).is_err());
        assert_eq!(fs::read_to_string(place.path().join("other")).unwrap(), "theirs");
    }

    #[test]
    fn failures_count_until_it_is_solved() {
        let mut record = ExerciseRecord::default();
        let after: Vec<u64> = [false, false, true, false]
            .map(|passed| {
                record.judged(passed, "one", Judged::Asked);
                record.failures
            })
            .into();
        assert_eq!((after, record.attempts, record.solved), (vec![1, 2, 0, 1], 4, true));
    }

    #[test]
    fn a_save_that_two_programs_judge_counts_once() {
        let mut record = ExerciseRecord::default();
        for answer in ["one", "two", "one"] {
            record.judged(false, answer, Judged::Saved);
            record.judged(false, answer, Judged::Saved);
        }
        assert_eq!((record.attempts, record.failures), (3, 3));
        record.judged(false, "one", Judged::Asked);
        assert_eq!((record.attempts, record.failures), (4, 4));
    }

    #[test]
    fn the_file_as_it_was_handed_out_is_no_attempt_unless_a_verdict_is_asked_for() {
        let mut record = ExerciseRecord { handed_out: "as handed out".into(), ..ExerciseRecord::default() };
        let before = record.clone();
        record.judged(false, "as handed out", Judged::Saved);
        assert_eq!(record, before);
        record.judged(false, "mine", Judged::Saved);
        record.judged(false, "as handed out", Judged::Asked);
        assert_eq!((record.attempts, record.failures), (2, 2));
    }

    #[test]
    fn what_a_later_version_writes_is_no_damage() {
        let place = tempfile::tempdir().unwrap();
        let text = "[exercise.\"02_sync/x\"]\nsolved = true\nstars = 3\n";
        fs::write(place.path().join(FILE), text).unwrap();
        assert!(SavedProgress::read(place.path()).unwrap().is_solved("02_sync/x"));
    }

    #[test]
    fn several_writers_lose_nothing() {
        let place = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let add = |progress: &mut SavedProgress| {
                            progress.record("a/b").attempts += 1;
                            Ok(())
                        };
                        SavedProgress::change(place.path(), add).unwrap();
                    }
                });
            }
        });
        assert_eq!(SavedProgress::read(place.path()).unwrap().exercise["a/b"].attempts, 40);
    }
}
