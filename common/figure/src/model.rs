//! A figure as data: panels, their axes, and what is on them.

use crate::layout;

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
    pub x: Along,
    pub y: Axis,
    pub series: Vec<Series>,
    pub levels: Vec<ReferenceLine>,
}

/// The axis along which the values are measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Along {
    Numbers(Axis),
    /// Words. Each value is a bar, and a point's `x` is the number of its word.
    Groups(Vec<String>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub name: String,
    pub scale: Scale,
    /// Written after each number: `B`, `%`.
    pub unit: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From 0.
    Linear,
    /// Equal steps are equal factors; the numbers along it are powers of 2. What is not above 0 has no place on it.
    Binary,
    /// As `Binary`, but the numbers along it are powers of 10.
    Decimal,
}

/// The points of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
    pub join: Join,
    /// True if the others are compared with it: it is grey.
    pub is_peer: bool,
}

/// The line between the points of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    Line,
    /// Nothing, where the points say nothing about what lies between them.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// Between which values `y` may be.
    pub interval: Option<(f64, f64)>,
}

/// A value to compare the others with, as a line across the panel.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    pub name: String,
    pub value: f64,
}

impl Axis {
    pub fn new(name: &str, scale: Scale) -> Axis {
        Axis { name: name.to_string(), scale, unit: String::new() }
    }

    pub fn with_unit(self, unit: &str) -> Axis {
        Axis { unit: unit.to_string(), ..self }
    }

    /// As it stands along this axis.
    pub fn number(&self, value: f64) -> String {
        layout::number(value, self)
    }
}

impl Point {
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, interval: None }
    }

    pub fn between(self, low: f64, high: f64) -> Point {
        Point { interval: Some((low, high)), ..self }
    }
}

impl Series {
    pub fn new(name: &str, points: Vec<Point>) -> Series {
        Series { name: name.to_string(), points, join: Join::Line, is_peer: false }
    }

    pub fn without_line(self) -> Series {
        Series { join: Join::Nothing, ..self }
    }

    pub fn as_peer(self) -> Series {
        Series { is_peer: true, ..self }
    }
}

impl Panel {
    /// Lines over numbers, both from 0.
    pub fn new(title: &str, x: &str, y: &str, series: Vec<Series>) -> Panel {
        Panel::over(title, Axis::new(x, Scale::Linear), Axis::new(y, Scale::Linear), series)
    }

    pub fn over(title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Panel {
        Panel { title: title.to_string(), x: Along::Numbers(x), y, series, levels: Vec::new() }
    }

    /// For each of the words a bar of each series.
    pub fn bars(title: &str, words: Vec<String>, y: &str, series: Vec<Series>) -> Panel {
        let y = Axis::new(y, Scale::Linear);
        Panel { title: title.to_string(), x: Along::Groups(words), y, series, levels: Vec::new() }
    }

    pub fn with_level(mut self, name: &str, value: f64) -> Panel {
        self.levels.push(ReferenceLine { name: name.to_string(), value });
        self
    }

    /// Those that have a place on its axes.
    pub(crate) fn points<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = Point> + 'a {
        let x = if let Along::Numbers(axis) = &self.x { axis.scale } else { Scale::Linear };
        series.points.iter().copied().filter(move |point| x.has(point.x) && self.y.scale.has(point.y))
    }

    pub(crate) fn all_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.series.iter().flat_map(|series| self.points(series))
    }
}

impl Scale {
    pub(crate) fn has(self, value: f64) -> bool {
        value.is_finite() && (self == Scale::Linear || value > 0.0)
    }
}
