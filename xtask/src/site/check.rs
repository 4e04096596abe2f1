//! `cargo xtask web --site --check`: the site in Chromium, opened from disk.

use super::recorded;
use crate::wasm::verdicts::Asked;
use crate::web::{node, text};
use anyhow::Result;
use std::path::Path;

/// What Chromium does is in `web/drive/site.mjs`. Every page is opened; of the answers a sample may be compared.
pub fn run(root: &Path, is_sample: bool) -> Result<String> {
    let lessons = recorded::all(root)?;
    let folder = super::build(root, &lessons, &recorded::puzzles(root)?)?;
    let asked = Asked::of(root, &lessons, is_sample)?;
    let folder = std::path::absolute(folder)?;
    node(root, &["drive/site.mjs", text(&folder)?, text(&asked.requests())?, text(&asked.here())?])?;
    Ok(format!("{asked} in Chromium, and the pages are as they should be"))
}
