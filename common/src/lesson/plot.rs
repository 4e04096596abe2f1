//! `--plot`: the lesson's figure, written as SVG or PNG by the name of its file.

use anyhow::bail;
use figure::Figure;
use std::fs;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlotFormat {
    Svg,
    Png,
}

fn format_of(path: &Path) -> Option<PlotFormat> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "svg" => Some(PlotFormat::Svg),
        "png" => Some(PlotFormat::Png),
        _ => None,
    }
}

/// For the command line: whether a figure can go into this file.
pub fn can_write(path: &Path) -> bool {
    format_of(path).is_some()
}

pub fn write(figure: &Figure, path: &Path) -> anyhow::Result<()> {
    let bytes = match format_of(path) {
        Some(PlotFormat::Svg) => figure.svg().into_bytes(),
        Some(PlotFormat::Png) => figure.png()?,
        None => bail!(say!("figure-ending")),
    };
    Ok(fs::write(path, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_decides() {
        for (path, wanted) in
            [("a.svg", Some(PlotFormat::Svg)), ("b/c.PNG", Some(PlotFormat::Png)), ("a.pdf", None), ("png", None)]
        {
            assert_eq!(format_of(Path::new(path)), wanted, "{path}");
        }
    }
}
