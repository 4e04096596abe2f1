//! Pictures that a command makes and the repository stores: a folder of SVGs, and nothing but these in it.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Picks the English text or the Spanish one.
pub type Say = fn(&'static str, &'static str) -> &'static str;

/// The languages: the part of a file's name before its ending, and how its texts are picked.
pub const LANGUAGES: [(&str, Say); 2] = [("", |english, _| english), (".es", |_, spanish| spanish)];

/// Every file's name and contents.
pub type Pictures = BTreeMap<String, String>;

/// Writes them, and removes what is there beside them.
pub fn write(root: &Path, folder: &str, pictures: &Pictures) -> Result<()> {
    fs::create_dir_all(root.join(folder)).with_context(|| format!("cannot create {folder}"))?;
    for name in left_over(root, folder, pictures)? {
        fs::remove_file(root.join(folder).join(&name)).with_context(|| format!("cannot remove {folder}/{name}"))?;
    }
    for (name, svg) in pictures {
        fs::write(root.join(folder).join(name), svg).with_context(|| format!("cannot write {folder}/{name}"))?;
    }
    Ok(())
}

/// Fails with those that differ from what is stored, are missing, or are left over.
pub fn check(root: &Path, folder: &str, pictures: &Pictures, command: &str) -> Result<()> {
    let stored = |name: &String| fs::read_to_string(root.join(folder).join(name)).ok();
    let mut wrong = left_over(root, folder, pictures)?;
    wrong
        .extend(pictures.iter().filter(|(name, svg)| stored(name).as_ref() != Some(svg)).map(|(name, _)| name.clone()));
    if !wrong.is_empty() {
        bail!("not as `{command}` makes them, in {folder}: {}", wrong.join(", "));
    }
    Ok(())
}

fn left_over(root: &Path, folder: &str, pictures: &Pictures) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(folder)).with_context(|| format!("cannot list {folder}"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.ends_with(".svg") && !pictures.contains_key(name));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_or_is_left_over_fails() {
        let root = tempfile::tempdir().unwrap();
        let pictures = Pictures::from(["a.svg", "a.es.svg"].map(|name| (name.to_string(), "<svg/>".to_string())));
        let told = || check(root.path(), "docs/it", &pictures, "make").unwrap_err().to_string();
        let write_file = |name: &str| fs::write(root.path().join("docs/it").join(name), "?").unwrap();
        write(root.path(), "docs/it", &pictures).unwrap();
        assert!(check(root.path(), "docs/it", &pictures, "make").is_ok());
        write_file("a.es.svg");
        assert_eq!(told(), "not as `make` makes them, in docs/it: a.es.svg");
        write(root.path(), "docs/it", &pictures).unwrap();
        write_file("old.svg");
        assert!(told().ends_with(": old.svg"));
        // A file that is no picture belongs to others.
        write_file("numbers.json");
        write(root.path(), "docs/it", &pictures).unwrap();
        assert!(check(root.path(), "docs/it", &pictures, "make").is_ok());
        assert!(root.path().join("docs/it/numbers.json").exists());
    }
}
