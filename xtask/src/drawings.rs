//! `cargo xtask drawings`: the drawings in the lessons' READMEs, one for each idea, in English and Spanish.
//!
//! A drawing is a short function of `say`, which picks one of two texts. `--check` draws again and compares with what is stored.

mod lesson1;
mod lesson2;
mod lesson3;
mod lesson4;
mod lesson5;
mod lesson6;
mod svg;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use svg::Drawing;

const FOLDER: &str = "docs/pictures/drawings";

/// Picks the English text or the Spanish one.
type Say = fn(&'static str, &'static str) -> &'static str;

const LANGUAGES: [(&str, Say); 2] = [("", |english, _| english), (".es", |_, spanish| spanish)];

type Draw = fn(Say) -> Drawing;

const DRAWINGS: [(&str, Draw); 18] = [
    ("sectors", lesson1::sectors),
    ("tail", lesson1::tail),
    ("barrier", lesson2::barrier),
    ("no_order", lesson2::no_order),
    ("flag_fences", lesson2::flag_fences),
    ("two_kernels", lesson2::two_kernels),
    ("shuffle_down", lesson3::shuffle_down),
    ("shuffle_xor", lesson3::shuffle_xor),
    ("activemask", lesson3::activemask),
    ("ballot", lesson3::ballot),
    ("lost_update", lesson4::lost_update),
    ("private_bins", lesson4::private_bins),
    ("one_atomic_per_warp", lesson4::one_atomic_per_warp),
    ("cas_loop", lesson4::cas_loop),
    ("child_grid", lesson5::child_grid),
    ("mariani_silver", lesson5::mariani_silver),
    ("groups", lesson6::groups),
    ("grid_sync", lesson6::grid_sync),
];

/// Every file's name and contents.
fn draw() -> BTreeMap<String, String> {
    let each =
        |(suffix, say): (&str, Say)| DRAWINGS.map(|(name, draw)| (format!("{name}{suffix}.svg"), draw(say).svg()));
    LANGUAGES.into_iter().flat_map(each).collect()
}

fn problems() -> Vec<String> {
    let mut problems = Vec::new();
    for (suffix, say) in LANGUAGES {
        for (name, draw) in DRAWINGS {
            problems.extend(draw(say).problems().into_iter().map(|problem| format!("{name}{suffix}: {problem}")));
        }
    }
    problems
}

pub fn make(root: &Path) -> Result<String> {
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let problems = problems();
    if !problems.is_empty() {
        bail!("texts that are hard to read\n  {}", problems.join("\n  "));
    }
    let drawings = draw();
    for name in stored(&folder)?.iter().filter(|name| !drawings.contains_key(*name)) {
        fs::remove_file(folder.join(name)).with_context(|| format!("cannot remove {FOLDER}/{name}"))?;
    }
    for (name, svg) in &drawings {
        fs::write(folder.join(name), svg).with_context(|| format!("cannot write {FOLDER}/{name}"))?;
    }
    Ok(format!("{} drawings are made", drawings.len()))
}

pub fn check(root: &Path) -> Result<String> {
    let folder = root.join(FOLDER);
    let drawings = draw();
    let mut wrong = stored(&folder)?;
    wrong.retain(|name| !drawings.contains_key(name));
    let differs = |(name, svg): &(&String, &String)| fs::read_to_string(folder.join(name)).ok().as_ref() != Some(svg);
    wrong.extend(drawings.iter().filter(differs).map(|(name, _)| name.clone()));
    if wrong.is_empty() {
        return Ok(format!("{} drawings are as they are made", drawings.len()));
    }
    bail!("not as `cargo xtask drawings` makes them, in {FOLDER}: {}", wrong.join(", "))
}

fn stored(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_read_in_both_languages() {
        assert_eq!(problems(), Vec::<String>::new());
    }

    #[test]
    fn a_file_that_was_changed_or_is_left_over_fails() {
        let root = tempfile::tempdir().unwrap();
        make(root.path()).unwrap();
        assert!(check(root.path()).is_ok());
        let file = root.path().join(FOLDER).join("tail.es.svg");
        fs::write(&file, "<svg/>").unwrap();
        assert!(check(root.path()).unwrap_err().to_string().ends_with(": tail.es.svg"));
        make(root.path()).unwrap();
        fs::write(root.path().join(FOLDER).join("old.svg"), "<svg/>").unwrap();
        assert!(check(root.path()).unwrap_err().to_string().ends_with(": old.svg"));
        make(root.path()).unwrap();
        assert!(check(root.path()).is_ok());
    }
}
