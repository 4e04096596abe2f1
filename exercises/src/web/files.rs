//! Files of the student, for one who asks through the network: in the folder of the copies and nowhere else.
//!
//! Each folder on the way, and the file itself, is opened from the one before it and never through a link (openat(2),
//! `O_NOFOLLOW`). So a name cannot lead out of the folder, and nothing can be put in its way between two steps.

use crate::progress::{explained, hash};
use anyhow::{Context, Result, bail};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

/// Bytes of a file; an answer that is handed in may not have more either.
pub const LONGEST: u64 = crate::grade::MAX_BYTES;

/// The version of a file that is not there.
const MISSING: &str = "missing";

/// The folder with the student's copies.
pub struct Folder {
    path: PathBuf,
    root: OwnedFd,
    /// One writes at a time.
    writing: Mutex<()>,
}

/// The contents of a file, and the name of exactly that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContents {
    pub text: String,
    pub version: String,
}

/// The result of saving.
#[derive(Debug, PartialEq, Eq)]
pub enum Saved {
    /// The version that is there now.
    As(String),
    /// Somebody else has changed the file; it was not touched.
    Changed(FileContents),
}

impl Folder {
    pub fn open(path: &Path) -> Result<Folder> {
        let path = path.canonicalize().with_context(|| say!("cannot-open", path = path.display().to_string()))?;
        let root = openat(CWD, &path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        let root = root.with_context(|| say!("cannot-open", path = path.display().to_string()))?;
        Ok(Folder { path, root, writing: Mutex::new(()) })
    }

    /// Returns the contents of a file. `below` is its path from the folder.
    pub fn read(&self, below: &Path) -> Result<FileContents> {
        let (folder, name) = self.walk(below)?;
        self.held(&folder, name, below)
    }

    /// Writes a file, if it is still the one that was read. It is there whole at every moment.
    pub fn save(&self, below: &Path, text: &str, version: &str) -> Result<Saved> {
        if text.len() as u64 > LONGEST {
            bail!(say!("web-too-long", most = LONGEST));
        }
        // A thread that panicked here has left no half of a file.
        let _writing = self.writing.lock().unwrap_or_else(|error| error.into_inner());
        let (folder, name) = self.walk(below)?;
        let held = self.held(&folder, name, below)?;
        if held.version != version {
            return Ok(Saved::Changed(held));
        }
        let beside = format!(".{}.web-{}", name.display(), std::process::id());
        let written = self.write_beside(&folder, &beside, text).and_then(|()| {
            // An editor may have been at it meanwhile. What is left is the time of a rename.
            let now = self.held(&folder, name, below)?;
            if now.version != version {
                return Ok(Saved::Changed(now));
            }
            renameat(&folder, &beside, &folder, name).map_err(|error| self.cannot_write(error.into(), below))?;
            Ok(Saved::As(hash(text)))
        });
        if !matches!(written, Ok(Saved::As(_))) {
            // A half file helps nobody.
            let _ = unlinkat(&folder, &beside, AtFlags::empty());
        }
        written
    }

    fn write_beside(&self, folder: &OwnedFd, beside: &str, text: &str) -> Result<()> {
        // Left by one that was killed, with this process's number.
        let _ = unlinkat(folder, beside, AtFlags::empty());
        let how = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = openat(folder, beside, how, Mode::from_raw_mode(0o644)).map_err(io::Error::from);
        let written = opened.and_then(|file| {
            let mut file = File::from(file);
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(|error| self.cannot_write(error, Path::new(beside)))
    }

    /// The folder of a file, and its name there.
    fn walk<'a>(&self, below: &'a Path) -> Result<(OwnedFd, &'a OsStr)> {
        let refused = || say!("web-outside", path = below.display().to_string());
        let name = |component| match component {
            Component::Normal(name) => Ok(name),
            _ => bail!(refused()),
        };
        let names: Vec<&OsStr> = below.components().map(name).collect::<Result<_>>()?;
        let Some((file, folders)) = names.split_last() else { bail!(refused()) };
        let mut at = self.root.try_clone()?;
        for folder in folders {
            let how = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            at = openat(&at, *folder, how, Mode::empty()).map_err(|error| self.cannot_open(error, below))?;
        }
        Ok((at, file))
    }

    fn held(&self, folder: &OwnedFd, name: &OsStr, below: &Path) -> Result<FileContents> {
        // Opening a pipe would wait for its other end.
        let how = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match openat(folder, name, how, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(FileContents { text: String::new(), version: MISSING.to_string() }),
            Err(error) => return Err(self.cannot_open(error, below)),
        };
        if !FileType::from_raw_mode(fstat(&file)?.st_mode).is_file() {
            bail!(say!("web-no-file", path = self.shown(below)));
        }
        let mut bytes = Vec::new();
        File::from(file).take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LONGEST {
            bail!(say!("web-too-long", most = LONGEST));
        }
        let Ok(text) = String::from_utf8(bytes) else { bail!(say!("web-no-text", path = self.shown(below))) };
        Ok(FileContents { version: hash(&text), text })
    }

    fn cannot_open(&self, error: Errno, below: &Path) -> anyhow::Error {
        // `O_NOFOLLOW`: a link is one loop too many, and among folders it is no folder.
        if matches!(error, Errno::LOOP | Errno::NOTDIR | Errno::MLINK) {
            return anyhow::anyhow!(say!("web-link", path = self.shown(below)));
        }
        anyhow::Error::new(error).context(say!("cannot-open", path = self.shown(below)))
    }

    fn cannot_write(&self, error: io::Error, below: &Path) -> anyhow::Error {
        explained(error, &self.path.join(below))
    }

    fn shown(&self, below: &Path) -> String {
        self.path.join(below).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// `mine/a/x.cu` holds "one"; beside `mine` lies what is not to be reached.
    fn place() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("mine/a")).unwrap();
        fs::create_dir_all(place.path().join("other")).unwrap();
        fs::write(place.path().join("mine/a/x.cu"), "one").unwrap();
        fs::write(place.path().join("other/x.cu"), "secret").unwrap();
        let folder = Folder::open(&place.path().join("mine")).unwrap();
        (place, folder)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_read_is_replaced_and_nothing_is_left_beside_it() {
        let (place, folder) = place();
        let below = Path::new("a/x.cu");
        let held = folder.read(below).unwrap();
        assert_eq!(held.text, "one");
        let Saved::As(version) = folder.save(below, "two", &held.version).unwrap() else { panic!("it is refused") };
        assert_eq!(folder.read(below).unwrap(), FileContents { text: "two".into(), version });
        assert_eq!(names(&place.path().join("mine/a")), ["x.cu"]);
    }

    #[test]
    fn what_somebody_else_has_changed_is_left_as_it_is() {
        let (place, folder) = place();
        let below = Path::new("a/x.cu");
        let held = folder.read(below).unwrap();
        fs::write(place.path().join("mine/a/x.cu"), "theirs").unwrap();
        let Saved::Changed(now) = folder.save(below, "mine", &held.version).unwrap() else { panic!("it is lost") };
        assert_eq!(now.text, "theirs");
        assert_eq!(fs::read_to_string(place.path().join("mine/a/x.cu")).unwrap(), "theirs");
        // One that was removed is not there in any version but its own.
        fs::remove_file(place.path().join("mine/a/x.cu")).unwrap();
        assert!(matches!(folder.save(below, "mine", &now.version).unwrap(), Saved::Changed(_)));
        assert!(matches!(folder.save(below, "mine", MISSING).unwrap(), Saved::As(_)));
        assert_eq!(names(&place.path().join("mine/a")), ["x.cu"]);
    }

    #[test]
    fn no_name_and_no_link_leads_out_of_the_folder() {
        let (place, folder) = place();
        symlink(place.path().join("other"), place.path().join("mine/b")).unwrap();
        symlink(place.path().join("other/x.cu"), place.path().join("mine/a/link.cu")).unwrap();
        symlink("x.cu", place.path().join("mine/a/near.cu")).unwrap();
        let absolute = place.path().join("other/x.cu");
        let names = ["../other/x.cu", "a/../../other/x.cu", "b/x.cu", "a/link.cu", "a/near.cu", "a/x.cu/y.cu", ""];
        for below in names.iter().map(Path::new).chain([absolute.as_path()]) {
            let read = folder.read(below);
            assert!(read.is_err(), "{below:?}: {read:?}");
            for version in [MISSING, &hash("secret"), &hash("one")] {
                assert!(folder.save(below, "written", version).is_err(), "{below:?}");
            }
        }
        assert_eq!(fs::read_to_string(&absolute).unwrap(), "secret");
        assert_eq!(fs::read_to_string(place.path().join("mine/a/x.cu")).unwrap(), "one");
    }

    #[test]
    fn only_plain_texts_of_some_length_are_read_and_written() {
        let (place, folder) = place();
        let path = place.path().join("mine/a/x.cu");
        let (below, long) = (Path::new("a/x.cu"), "x".repeat(LONGEST as usize + 1));
        assert!(folder.save(below, &long, &hash("one")).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        for bytes in [&[0xff, 0xfe][..], long.as_bytes()] {
            fs::write(&path, bytes).unwrap();
            assert!(folder.read(below).is_err());
        }
        fs::remove_file(&path).unwrap();
        rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        assert!(folder.read(below).is_err(), "and does not wait");
    }
}
