//! `cargo xtask cost`: how much longer the correct kernels of all lessons take with every check on.
//!
//! A benchmark, not a test. Each lesson runs in order on one core, checked and unchecked by turns, so that whatever
//! else the machine does falls on both; of each kernel's times the medians are compared.

use std::collections::BTreeMap;

use crate::lessons::Lessons;
use anyhow::{Context, Result};

/// Runs of each lesson and mode.
const ROUNDS: usize = 5;

/// Kernels that take less unchecked say more about starting a launch than about checks.
const LEAST_MS: f64 = 0.05;

pub fn run(lessons: &Lessons) -> Result<String> {
    let mut times: BTreeMap<String, [Vec<f64>; 2]> = BTreeMap::new();
    for package in &lessons.packages {
        for _ in 0..ROUNDS {
            for (mode, checks) in ["fast", "full"].into_iter().enumerate() {
                let answer = lessons.ask(package, &["--schedule", "in-order", "--checks", checks])?;
                for row in answer["rows"].as_array().into_iter().flatten() {
                    let is_right = matches!(row["variant"].as_str(), Some("correct" | "ladder"));
                    if let (true, Some(kernel), Some(ms)) = (is_right, row["kernel"].as_str(), row["host_ms"].as_f64())
                    {
                        times.entry(kernel.to_string()).or_default()[mode].push(ms);
                    }
                }
            }
        }
    }
    let medians = times.into_iter().map(|(kernel, times)| (kernel, times.map(median)));
    let mut lines: Vec<(f64, String, f64)> = medians
        .filter(|(_, [fast, _])| *fast >= LEAST_MS)
        .map(|(kernel, [fast, full])| (full / fast, kernel, fast))
        .collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (ratio, kernel, fast) in &lines {
        println!("{ratio:6.2}  {kernel} ({fast:.2} ms unchecked)");
    }
    let (middle, ..) = lines.get(lines.len() / 2).context("no lesson has a correct kernel")?;
    Ok(format!("checked runs take {middle:.2} times as long, in the median of {} correct kernels", lines.len()))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
