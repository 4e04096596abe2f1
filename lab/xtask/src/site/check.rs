//! `cargo xtask web --site --check`: the site in Chromium, opened from disk.

use super::recorded;
use crate::wasm::verdicts::{EVERY, VerdictRequests};
use crate::web::{node, text};
use anyhow::Result;
use std::path::Path;

/// Checks the site; Chromium's part is in `web/drive/site.mjs`. Takes all pages and answers, or a sample.
pub fn run(root: &Path, is_sample: bool) -> Result<String> {
    let lessons = recorded::all(root)?;
    let folder = super::build(root, &lessons, &recorded::puzzles(root)?)?;
    let asked = VerdictRequests::of(root, &lessons, is_sample)?;
    let every = if is_sample { EVERY } else { 1 }.to_string();
    let folder = std::path::absolute(folder)?;
    node(root, &["drive/site.mjs", text(&folder)?, text(&asked.requests())?, text(&asked.here())?, &every])?;
    Ok(format!("{asked} in Chromium, and the pages are as they should be"))
}
