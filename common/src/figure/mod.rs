//! Figures: panels of lines over numbers, written as SVG or PNG by the name of the file.
//!
//! [`layout`] turns a figure into lines, marks and texts at their places; [`svg`] and [`png`] draw those.

mod layout;
mod png;
mod svg;

use anyhow::bail;
use std::fs;
use std::path::Path;

/// One file.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub title: String,
    /// Small, below the title: on what it was measured.
    pub note: String,
    pub panels: Vec<Panel>,
}

/// A pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub title: String,
    pub x: String,
    pub y: String,
    pub series: Vec<Series>,
}

/// A line through its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

impl Panel {
    pub fn new(title: &str, x: &str, y: &str, series: Vec<Series>) -> Panel {
        Panel { title: title.to_string(), x: x.to_string(), y: y.to_string(), series }
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.series.iter().flat_map(|series| series.points.iter().copied())
    }
}

impl Figure {
    /// True without a single point.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(|panel| panel.points().next().is_none())
    }

    /// By the file's ending: `.svg` or `.png`.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let bytes = match format_of(path) {
            Some(Format::Svg) => svg::draw(&layout::lay_out(self)).into_bytes(),
            Some(Format::Png) => png::draw(&layout::lay_out(self))?,
            None => bail!(say!("figure-ending")),
        };
        Ok(fs::write(path, bytes)?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "svg" => Some(Format::Svg),
        "png" => Some(Format::Png),
        _ => None,
    }
}

/// For the command line: whether a figure can go into this file.
pub fn can_write(path: &Path) -> bool {
    format_of(path).is_some()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn sample() -> Figure {
        let line = |name: &str, slope: f64| Series {
            name: name.to_string(),
            points: (0..5).map(|x| (f64::from(x), slope * f64::from(x))).collect(),
        };
        let panel = |title: &str| Panel::new(title, "x", "a & b < c", vec![line("one", 1.0), line("two", 2.5)]);
        Figure { title: "Two lines".to_string(), note: "by hand".to_string(), panels: vec![panel("A"), panel("B")] }
    }

    #[test]
    fn the_ending_decides() {
        for (path, wanted) in
            [("a.svg", Some(Format::Svg)), ("b/c.PNG", Some(Format::Png)), ("a.pdf", None), ("png", None)]
        {
            assert_eq!(format_of(Path::new(path)), wanted, "{path}");
        }
    }

    #[test]
    fn a_figure_without_points_is_empty() {
        assert!(!sample().is_empty());
        let none = Panel::new("A", "x", "y", vec![Series { name: "one".to_string(), points: vec![] }]);
        assert!(Figure { panels: vec![none], ..sample() }.is_empty());
    }
}
