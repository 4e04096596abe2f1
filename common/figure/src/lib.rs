//! Figures: panels of lines, marks or bars over numbers, as SVG or (with the feature `png`) as PNG.
//!
//! [`layout`] turns a figure into lines, marks and texts at their places; [`svg`] and [`png`] draw those.

mod layout;
mod model;
#[cfg(feature = "png")]
mod pixels;
#[cfg(feature = "png")]
mod png;
mod svg;

pub use model::{Along, Axis, Figure, Join, Panel, Point, ReferenceLine, Scale, Series};
#[cfg(feature = "png")]
pub use pixels::Pixels;

impl Figure {
    /// True without a single point.
    pub fn is_empty(&self) -> bool {
        self.panels.iter().all(|panel| panel.all_points().next().is_none())
    }

    pub fn svg(&self) -> String {
        svg::draw(&layout::lay_out(self), &self.title, &self.description())
    }

    #[cfg(feature = "png")]
    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        png::draw(&layout::lay_out(self))
    }

    /// For who does not see it: of each line its ends, of bars every value.
    fn description(&self) -> String {
        let mut parts = vec![self.note.clone()];
        for panel in &self.panels {
            let heading = if let Along::Numbers(x) = &panel.x {
                format!("{}; {}", panel.y.name, x.name)
            } else {
                panel.y.name.clone()
            };
            parts.push(if panel.title.is_empty() { heading } else { format!("{}: {heading}", panel.title) });
            for series in &panel.series {
                let points: Vec<Point> = panel.points(series).collect();
                let value = |point: &Point| {
                    let along = match &panel.x {
                        Along::Numbers(x) => x.number(point.x),
                        Along::Groups(words) => words.get(point.x as usize).cloned().unwrap_or_default(),
                    };
                    format!("{along}: {}", layout::short(point.y))
                };
                let told: Vec<String> = match (&panel.x, &points[..]) {
                    (Along::Numbers(_), [first, _, .., last]) => vec![value(first) + " … " + &value(last)],
                    _ => points.iter().map(value).collect(),
                };
                parts.push(format!("{} ({})", series.name, told.join("; ")));
            }
            parts.extend(panel.levels.iter().map(|level| level.name.clone()));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(". ")
    }
}

#[cfg(test)]
mod tests;
