//! `cargo xtask drawings`: the drawings in the lessons' READMEs, one for each idea, in English and Spanish.
//!
//! A drawing is a short function of `say`, which picks one of two texts. `--check` draws again and compares with what
//! is stored. Those in [`ways`] show all executions of a kernel, as the emulator visits them.

mod lesson1;
mod lesson2;
mod lesson3;
mod lesson4;
mod lesson5;
mod lesson6;
mod svg;
mod ways;

use std::path::Path;

use crate::stored::{self, LANGUAGES, Pictures, Say};
use anyhow::{Result, bail};
use svg::Drawing;
use ways::Explored;

const FOLDER: &str = "docs/pictures/drawings";

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

type DrawExplored = fn(Say, &Explored) -> Drawing;

const EXPLORED: [(&str, DrawExplored); 2] = [("ways_to_reverse", ways::reverse), ("ways_to_lock", ways::lock)];

/// Returns all drawings of ideas, by their files' names.
fn ideas() -> Vec<(String, Drawing)> {
    let each = |(suffix, say): (&str, Say)| DRAWINGS.map(|(name, draw)| (format!("{name}{suffix}"), draw(say)));
    LANGUAGES.into_iter().flat_map(each).collect()
}

/// Returns all drawings of executions, by their files' names.
fn executions(explored: &Explored) -> Vec<(String, Drawing)> {
    let each =
        |(suffix, say): (&str, Say)| EXPLORED.map(|(name, draw)| (format!("{name}{suffix}"), draw(say, explored)));
    LANGUAGES.into_iter().flat_map(each).collect()
}

fn problems(drawings: &[(String, Drawing)]) -> Vec<String> {
    let problems = |(name, drawing): &(String, Drawing)| {
        drawing.problems().into_iter().map(|problem| format!("{name}: {problem}")).collect::<Vec<_>>()
    };
    drawings.iter().flat_map(problems).collect()
}

/// Draws all. Fails where a text is hard to read.
fn draw(root: &Path) -> Result<Pictures> {
    let mut drawings = ideas();
    drawings.extend(executions(&ways::explored(root)?));
    let problems = problems(&drawings);
    if !problems.is_empty() {
        bail!("texts that are hard to read\n  {}", problems.join("\n  "));
    }
    Ok(drawings.into_iter().map(|(name, drawing)| (format!("{name}.svg"), drawing.svg())).collect())
}

pub fn make(root: &Path) -> Result<String> {
    let drawings = draw(root)?;
    stored::write(root, FOLDER, &drawings)?;
    Ok(format!("{} drawings are made", drawings.len()))
}

pub fn check(root: &Path) -> Result<String> {
    let drawings = draw(root)?;
    stored::check(root, FOLDER, &drawings, "cargo xtask drawings")?;
    Ok(format!("{} drawings are as they are made", drawings.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_read_in_both_languages() {
        assert_eq!(problems(&ideas()), Vec::<String>::new());
    }
}
