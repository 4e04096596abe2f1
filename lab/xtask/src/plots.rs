//! `cargo xtask plots`: pictures of what was measured on a GPU, from the numbers that `bench` has stored, in English
//! and Spanish.
//!
//! A title says what the numbers say: which method is fastest beside its peer, and by how much. `--check` draws again
//! and compares with what is stored.

mod draw;
mod job;
#[path = "../../bench/src/record.rs"]
#[allow(dead_code, reason = "plots read a report; `bench` writes it")]
mod record;

use crate::stored::{self, LANGUAGES, Pictures};
use anyhow::Result;
use record::Report;
use std::path::Path;

const FOLDER: &str = "docs/bench";
const NUMBERS: &str = "docs/bench/h200.json";

pub fn make(root: &Path) -> Result<String> {
    let plots = plots(&Report::read(&root.join(NUMBERS))?);
    stored::write(root, FOLDER, &plots)?;
    Ok(format!("{} plots are made", plots.len()))
}

pub fn check(root: &Path) -> Result<String> {
    let plots = plots(&Report::read(&root.join(NUMBERS))?);
    stored::check(root, FOLDER, &plots, "cargo xtask plots")?;
    Ok(format!("{} plots show the numbers of {NUMBERS}", plots.len()))
}

/// Those of jobs that were measured.
fn plots(report: &Report) -> Pictures {
    let mut plots = Pictures::new();
    for (suffix, say) in LANGUAGES {
        let figures = draw::figures(report, say).into_iter().filter(|(_, figure)| !figure.is_empty());
        plots.extend(figures.map(|(name, figure)| (format!("{name}{suffix}.svg"), figure.svg())));
    }
    plots
}

#[cfg(test)]
mod tests;
