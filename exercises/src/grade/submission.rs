//! The file that a student has handed in for an exercise.

use crate::catalog::Exercise;
use crate::reason::Reason;
use std::fs;
use std::path::{Path, PathBuf};

/// The limit of a submitted file, in bytes.
pub const MAX_BYTES: u64 = 256 << 10;

/// The depth of folders to which a misplaced file is looked for.
const MAX_DEPTH: usize = 4;

/// Returns the message that a file is missing. It names a file that may be meant: browsers number a file whose name is
/// taken, and archives add a folder.
fn missing_message(folder: &Path, exercise: &Exercise) -> String {
    let message = say!("grade-missing", name = &exercise.name);
    let mut folders = vec![(folder.to_path_buf(), 0)];
    let mut near = Vec::new();
    while let Some((at, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(&at) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < MAX_DEPTH {
                folders.push((entry.path(), depth + 1));
            }
            if kind.is_file()
                && normalised(&entry.file_name().to_string_lossy()).contains(&normalised(exercise.short()))
            {
                let path = entry.path();
                near.push(path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned());
            }
        }
    }
    near.sort();
    match near.first() {
        Some(found) => format!("{message}\n{}", say!("grade-near", found, wanted = exercise.file_name())),
        None => message,
    }
}

/// Returns the letters and digits of a name, in lowercase: spellings of one name differ in the rest.
fn normalised(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the contents of a regular file that is not too long. A link may lead anywhere, and a pipe may have no end.
fn read_regular(path: &Path) -> Option<Vec<u8>> {
    let data = path.symlink_metadata().ok()?;
    (data.is_file() && data.len() <= MAX_BYTES).then(|| fs::read(path).ok())?
}

/// Returns the path and the contents of a student's file. A link, or a file in a linked folder, counts as missing.
pub(super) fn read(folder: &Path, exercise: &Exercise) -> Result<(PathBuf, Vec<u8>), (Reason, String)> {
    let name = exercise.file_name();
    let places = [folder.join(exercise.topic()).join(&name), folder.join(&name)];
    let missing = || (Reason::Missing, missing_message(folder, exercise));
    let mut found = places.iter().filter(|path| path.symlink_metadata().is_ok());
    let path = found.next().ok_or_else(missing)?;
    if let Some(other) = found.next().filter(|other| read_regular(other) != read_regular(path)) {
        let [graded, left] = [path, other].map(|path| path.strip_prefix(folder).unwrap_or(path).display().to_string());
        let student = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        words::complain(&say!("grade-twice", student, graded, left));
    }
    let whole = folder.canonicalize().ok().zip(path.canonicalize().ok());
    let is_own = whole.is_some_and(|(folder, real)| real.starts_with(&folder));
    let data = path.symlink_metadata().map_err(|error| (Reason::Error, tell::of_system(&error)))?;
    if !is_own || !data.is_file() {
        let kind = match data.file_type() {
            kind if kind.is_symlink() => "link",
            kind if kind.is_dir() => "folder",
            kind if kind.is_file() => "behind-link",
            _ => "other",
        };
        return Err((Reason::Missing, say!("grade-not-own", name, kind)));
    }
    if data.len() > MAX_BYTES {
        return Err((Reason::Limit, say!("grade-too-long", name, bytes = data.len(), most = MAX_BYTES)));
    }
    let path = path.canonicalize().map_err(|error| (Reason::Error, tell::of_system(&error)))?;
    let bytes = fs::read(&path)
        .map_err(|error| (Reason::Error, say!("cannot-read", path = name) + ": " + &tell::of_system(&error)))?;
    Ok((path, bytes))
}
