//! A pack: exercises outside the course, such as a lecturer's own. `pack.toml` in its folder says with which version of
//! the course they were checked.
//!
//! A course is good for a pack that was checked with the same version, or with an earlier one that is compatible in the
//! sense of Semantic Versioning. What is judged elsewhere may have changed: such a pack is refused until it is checked
//! again.

use anyhow::{Context, Result, bail};
use semver::{Comparator, Op, Version, VersionReq};
use serde::Deserialize;
use std::fs;
use std::path::Path;

pub const FILE: &str = "pack.toml";

/// The course's own version.
pub const COURSE: &str = env!("CARGO_PKG_VERSION");

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    /// Letters, digits, `-` and `_`: students' copies lie in a folder of this name.
    pub name: String,
    /// The version of the course that it was checked with.
    pub course: Version,
}

impl Pack {
    /// `None` where there is no `pack.toml`.
    pub fn read(folder: &Path) -> Result<Option<Pack>> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| say!("cannot-read", path = path.display().to_string()))?;
        let pack: Pack = toml::from_str(&text)
            .with_context(|| say!("pack-unreadable", path = path.display().to_string(), course = COURSE))?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if pack.name.is_empty() || !pack.name.chars().all(is_plain) {
            bail!(say!("pack-bad-name", path = path.display().to_string()));
        }
        Ok(Some(pack))
    }

    /// True if this version of the course may judge it.
    fn is_good_for(&self, course: &Version) -> bool {
        let Version { major, minor, patch, ref pre, .. } = self.course;
        let from = Comparator { op: Op::Caret, major, minor: Some(minor), patch: Some(patch), pre: pre.clone() };
        VersionReq { comparators: vec![from] }.matches(course)
    }
}

/// Why the exercises in `folder` are not to be used as they are, and what to do about it. `command` is what the user
/// types before `verify`.
pub fn objection(folder: &Path, pack: Option<&Pack>, command: &str) -> Option<String> {
    let course = Version::parse(COURSE).ok()?;
    let path = folder.join(FILE).display().to_string();
    match pack {
        None => {
            let lines = format!("\n\n    name = \"{}\"\n    course = \"{COURSE}\"", proposed_name(folder));
            Some(say!("pack-missing", path, command, course = COURSE) + &lines)
        }
        Some(pack) if pack.is_good_for(&course) => None,
        Some(pack) => {
            let (is_newer, checked) = (pack.course > course, pack.course.to_string());
            Some(say!("pack-other-version", name = &pack.name, checked, is_newer, command, course = COURSE, path))
        }
    }
}

/// From the folder's name.
pub fn proposed_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "my-pack".to_string() } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_good_for_versions_that_are_compatible_with_its_own() {
        for (checked, course, good) in [
            ("0.1.0", "0.1.0", true),
            ("0.1.0", "0.1.7", true),
            ("0.1.7", "0.1.0", false),
            ("0.1.0", "0.2.0", false),
            ("1.2.0", "1.9.3", true),
            ("1.2.0", "2.0.0", false),
            ("1.2.0", "1.1.9", false),
        ] {
            let pack = Pack { name: "p".into(), course: Version::parse(checked).unwrap() };
            assert_eq!(pack.is_good_for(&Version::parse(course).unwrap()), good, "{checked} with {course}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_pack_says_what_to_do() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("exam 2027");
        fs::create_dir(&folder).unwrap();
        let say = |text: Option<&str>| {
            if let Some(text) = text {
                fs::write(folder.join(FILE), text).unwrap();
            }
            let pack = Pack::read(&folder).map_err(|error| format!("{error:#}"))?;
            Ok::<_, String>(objection(&folder, pack.as_ref(), "cargo learn --catalog exam"))
        };
        let missing = say(None).unwrap().unwrap();
        assert!(missing.contains("cargo learn --catalog exam verify"), "{missing}");
        assert!(missing.contains("name = \"exam-2027\"") && missing.contains(COURSE), "{missing}");
        assert_eq!(say(Some(&format!("name = 'exam'\ncourse = '{COURSE}'\n"))).unwrap(), None);
        let earlier = say(Some("name = 'exam'\ncourse = '0.0.9'\n")).unwrap().unwrap();
        assert!(earlier.contains("0.0.9") && earlier.contains(&format!("course = \"{COURSE}\"")), "{earlier}");
        let later = say(Some("name = 'exam'\ncourse = '99.0.0'\n")).unwrap().unwrap();
        assert!(later.contains("git pull"), "{later}");
        for text in ["name = 'exam'\n", "name = '../up'\ncourse = '0.1.0'\n", "name = 'x'\ncourse = 'new'\n"] {
            assert!(say(Some(text)).unwrap_err().contains("pack.toml"), "{text}");
        }
    }
}
