//! The student's own copies: `my-exercises/02_sync/missing_barrier.cu`.
//!
//! An update of the course brings new exercises and refreshes copies that nobody has touched. A copy that was edited is
//! the student's and is never written over; `reset` takes a new one and keeps the old beside it.

use crate::catalog::{Catalog, Exercise};
use crate::progress::{SavedProgress, hash, write_whole};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

pub struct Desk {
    pub folder: PathBuf,
}

/// The results of laying out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Laid {
    pub new: usize,
    pub refreshed: usize,
    /// Edited by the student, and newer in the course.
    pub outdated: Vec<String>,
}

impl Desk {
    pub fn new(folder: PathBuf) -> Desk {
        Desk { folder }
    }

    /// The student's file.
    pub fn file(&self, exercise: &Exercise) -> PathBuf {
        self.folder.join(exercise.topic()).join(exercise.file_name())
    }

    /// Copies what is not there yet, and refreshes what nobody has touched: what is newer in the course, or in another
    /// language.
    pub fn lay_out(&self, catalog: &Catalog) -> Result<Laid> {
        let made = fs::create_dir_all(&self.folder);
        made.with_context(|| say!("cannot-create-own-folder", path = self.folder.display().to_string()))?;
        SavedProgress::change(&self.folder, |progress| {
            let mut laid = Laid::default();
            for exercise in &catalog.exercises {
                self.lay(exercise, progress, &mut laid)?;
            }
            Ok(laid)
        })
    }

    fn lay(&self, exercise: &Exercise, progress: &mut SavedProgress, laid: &mut Laid) -> Result<()> {
        let shipped = exercise.handed_out()?;
        let all: Vec<String> = exercise.handed_out_in_any()?.iter().map(|text| hash(text)).collect();
        let path = self.file(exercise);
        let record = progress.record(&exercise.name);
        let now = hash(&shipped);
        if !path.exists() {
            put(&path, &shipped)?;
            record.handed_out = now;
            laid.new += 1;
            return Ok(());
        }
        let own = hash(&read(&path)?);
        if own == now {
            record.handed_out = now;
        } else if own == record.handed_out || all.contains(&own) {
            put(&path, &shipped)?;
            record.handed_out = now;
            record.failures = 0;
            laid.refreshed += 1;
        } else if !record.handed_out.is_empty() && !all.contains(&record.handed_out) {
            laid.outdated.push(exercise.name.clone());
        }
        Ok(())
    }

    /// A fresh copy. Gives the path where the student's old file is kept, if it was edited.
    pub fn reset(&self, exercise: &Exercise) -> Result<Option<PathBuf>> {
        let shipped = exercise.handed_out()?;
        let is_touched = !self.is_untouched(exercise);
        let path = self.file(exercise);
        SavedProgress::change(&self.folder, |progress| {
            let mut kept = None;
            if path.exists() && is_touched {
                let aside = free_name(&path);
                fs::rename(&path, &aside).with_context(|| say!("cannot-keep", path = path.display().to_string()))?;
                kept = Some(aside);
            }
            put(&path, &shipped)?;
            let record = progress.record(&exercise.name);
            record.handed_out = hash(&shipped);
            record.solved = false;
            record.failures = 0;
            Ok(kept)
        })
    }

    /// True if the copy is as it was handed out, in any language.
    pub fn is_untouched(&self, exercise: &Exercise) -> bool {
        let same = || Some(exercise.handed_out_in_any().ok()?.contains(&read(&self.file(exercise)).ok()?));
        same().unwrap_or(false)
    }
}

fn read(path: &Path) -> Result<String> {
    // Bytes that are no text are the student's affair; they are only compared here.
    let bytes = fs::read(path).with_context(|| say!("cannot-read", path = path.display().to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn put(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| say!("cannot-create", path = folder.display().to_string()))?;
    write_whole(path, text)
}

/// `missing_barrier.mine-1.cu`
fn free_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let mut names = (1..).map(|number| path.with_file_name(format!("{stem}.mine-{number}.{ending}")));
    names.find(|path| !path.exists()).unwrap_or_else(|| path.with_extension("mine"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A catalogue of one exercise that a test may change.
    fn course() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("catalog/01_a/one");
        fs::create_dir_all(&folder).unwrap();
        fs::write(place.path().join("catalog/01_a/topic.toml"), "title = 'a'\nlesson = 'l'\norder = ['one']\n")
            .unwrap();
        let spec = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = 'i'\nhints = ['a', 'b']\n";
        fs::write(folder.join("exercise.toml"), spec).unwrap();
        let shipped = folder.join("one.cu");
        fs::write(&shipped, "first edition\n").unwrap();
        (place, shipped)
    }

    fn open(place: &tempfile::TempDir) -> (Catalog, Desk) {
        let catalog = Catalog::read(&place.path().join("catalog")).unwrap();
        (catalog, Desk::new(place.path().join("my-exercises")))
    }

    #[test]
    fn an_update_refreshes_what_is_untouched_and_keeps_what_was_edited_and_solved() {
        let (place, shipped) = course();
        let (catalog, desk) = open(&place);
        let own = desk.file(&catalog.exercises[0]);
        assert_eq!(desk.lay_out(&catalog).unwrap(), Laid { new: 1, ..Laid::default() });
        assert_eq!(desk.lay_out(&catalog).unwrap(), Laid::default());

        fs::write(&shipped, "second edition\n").unwrap();
        assert_eq!(desk.lay_out(&catalog).unwrap().refreshed, 1);
        assert_eq!(fs::read_to_string(&own).unwrap(), "second edition\n");

        fs::write(&own, "my work\n").unwrap();
        let solve = |progress: &mut SavedProgress| {
            progress.record("01_a/one").solved = true;
            Ok(())
        };
        SavedProgress::change(&desk.folder, solve).unwrap();
        fs::write(&shipped, "third edition\n").unwrap();
        assert_eq!(desk.lay_out(&catalog).unwrap().outdated, ["01_a/one"]);
        assert_eq!(fs::read_to_string(&own).unwrap(), "my work\n");
        assert!(SavedProgress::read(&desk.folder).unwrap().is_solved("01_a/one"));
    }

    #[test]
    fn another_language_refreshes_what_is_untouched_and_is_no_edit() {
        let (place, shipped) = course();
        fs::write(&shipped, "// one\nint a;\n").unwrap();
        let es = "title = 't'\nidea = 'i'\nhints = ['a', 'b']\nopening = 'uno'\n";
        fs::write(shipped.with_file_name("exercise.es.toml"), es).unwrap();
        let (catalog, desk) = open(&place);
        let exercise = &catalog.exercises[0];
        desk.lay_out(&catalog).unwrap();
        // As it was handed out to one who reads Spanish.
        fs::write(desk.file(exercise), "// uno\nint a;\n").unwrap();
        let solve = |progress: &mut SavedProgress| {
            progress.record("01_a/one").handed_out = hash("// uno\nint a;\n");
            Ok(())
        };
        SavedProgress::change(&desk.folder, solve).unwrap();
        assert!(desk.is_untouched(exercise));
        assert_eq!(desk.reset(exercise).unwrap(), None, "nothing to keep");
        fs::write(desk.file(exercise), "// uno\nint a;\n").unwrap();
        assert_eq!(desk.lay_out(&catalog).unwrap(), Laid { refreshed: 1, ..Laid::default() });
        assert_eq!(fs::read_to_string(desk.file(exercise)).unwrap(), "// one\nint a;\n");
        // One that was edited is not out of date because it is in another language.
        SavedProgress::change(&desk.folder, solve).unwrap();
        fs::write(desk.file(exercise), "// uno\nint b;\n").unwrap();
        assert_eq!(desk.lay_out(&catalog).unwrap(), Laid::default());
    }

    #[test]
    fn without_a_record_an_edited_copy_counts_as_edited() {
        let (place, shipped) = course();
        let (catalog, desk) = open(&place);
        desk.lay_out(&catalog).unwrap();
        fs::write(desk.file(&catalog.exercises[0]), "my work\n").unwrap();
        fs::write(desk.folder.join("progress.toml"), "half").unwrap();
        fs::write(&shipped, "second edition\n").unwrap();
        desk.lay_out(&catalog).unwrap();
        assert_eq!(fs::read_to_string(desk.file(&catalog.exercises[0])).unwrap(), "my work\n");
    }

    #[test]
    fn reset_keeps_the_students_work_beside_the_fresh_copy() {
        let (place, _) = course();
        let (catalog, desk) = open(&place);
        desk.lay_out(&catalog).unwrap();
        let exercise = &catalog.exercises[0];
        assert_eq!(desk.reset(exercise).unwrap(), None, "nothing to keep");
        for number in 1..=2 {
            fs::write(desk.file(exercise), format!("work {number}\n")).unwrap();
            assert!(!desk.is_untouched(exercise));
            let kept = desk.reset(exercise).unwrap().unwrap();
            assert!(kept.ends_with(format!("one.mine-{number}.cu")), "{}", kept.display());
            assert_eq!(fs::read_to_string(kept).unwrap(), format!("work {number}\n"));
            assert!(desk.is_untouched(exercise));
        }
    }
}
