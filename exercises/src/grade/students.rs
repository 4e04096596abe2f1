//! The students of a class: a folder for each.

use super::GradeOptions;
use crate::catalog::{Catalog, folder_names};
use anyhow::{Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// A share of the students, for a class that several machines grade. `3/8` is the third of eight: students 3, 11,
/// 19, …
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    number: usize,
    of: usize,
}

impl Share {
    /// Returns true if the share has the student with this number, counted from 1.
    pub fn contains(self, number: usize) -> bool {
        number % self.of == self.number % self.of
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
            _ => Err(say!("share-unreadable", text)),
        }
    }
}

/// The name of a student as a report shows it, and that of the folder, which may not be UTF-8.
type Student = (String, OsString);

/// Returns the students whose work is in `folder`. Unless some are chosen by name (`is_whole`), complains about what
/// else is in it.
pub(super) fn find(folder: &Path, catalog: &Catalog, is_whole: bool) -> Result<Vec<Student>> {
    let shown = || folder.display().to_string();
    let names = folder_names(folder)?;
    if names.iter().any(|name| name.to_str().is_some_and(|name| catalog.topics.iter().any(|(topic, _)| topic == name)))
    {
        bail!(say!("grade-own-folder", folder = shown()));
    }
    if is_whole {
        complain_about_others(folder)?;
    }
    if names.is_empty() {
        bail!(say!("grade-no-students", folder = shown()));
    }
    Ok(names.into_iter().map(|name| (name.to_string_lossy().into_owned(), name)).collect())
}

/// Complains about what lies beside the students' folders, which is not graded.
fn complain_about_others(folder: &Path) -> Result<()> {
    let mut loose = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            // A link may lead anywhere, to another student's work too, or nowhere.
            Ok(kind) if kind.is_symlink() => words::complain(&say!("grade-linked", name)),
            Ok(kind) if kind.is_file() && !name.starts_with('.') => loose.push(name),
            _ => {}
        }
    }
    loose.sort();
    if let Some(name) = loose.first() {
        words::complain(&say!("grade-loose", name, more = loose.len() - 1));
    }
    Ok(())
}

/// Returns the students that the options select.
pub(super) fn select(mut students: Vec<Student>, options: &GradeOptions) -> Result<Vec<Student>> {
    let is_there = |name: &&String| students.iter().any(|(known, _)| known == *name);
    if let Some(unknown) = options.students.iter().find(|name| !is_there(name)) {
        bail!(say!("grade-unknown-student", folder = options.folder.display().to_string(), name = unknown));
    }
    if !options.students.is_empty() {
        students.retain(|(name, _)| options.students.contains(name));
    }
    Ok(match options.share {
        Some(share) => (1..).zip(students).filter(|(n, _)| share.contains(*n)).map(|(_, student)| student).collect(),
        None => students,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_from_one() {
        assert_eq!("3/8".parse(), Ok(Share { number: 3, of: 8 }));
        for text in ["0/8", "9/8", "3", "3/", "-1/2", "1/0"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
