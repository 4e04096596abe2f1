use super::*;

/// A panel of lines and one of bars.
pub fn sample() -> Figure {
    let line = |name: &str, slope: f64| {
        let point = |x: i32| Point::new(f64::from(x), slope * f64::from(x));
        Series::new(name, (0..5).map(point).collect())
    };
    let lines = Panel::new("A", "x", "a & b < c", vec![line("one", 1.0), line("two", 2.5)]).with_level("most, 8", 8.0);
    let one = Series::new("one", vec![Point::new(0.0, 3.0).between(2.5, 3.5), Point::new(1.0, 1.0)]);
    let two = Series::new("two", vec![Point::new(1.0, 2.0)]).as_peer();
    let bars = Panel::bars("B", vec!["left".to_string(), "right".to_string()], "a & b < c", vec![one, two]);
    Figure { title: "Two lines".to_string(), note: "by hand".to_string(), panels: vec![lines, bars] }
}

#[test]
fn a_figure_without_points_is_empty() {
    assert!(!sample().is_empty());
    let none = Panel::new("A", "x", "y", vec![Series::new("one", vec![])]);
    assert!(Figure { panels: vec![none], ..sample() }.is_empty());
    // If no point has a logarithm, there is nothing to see.
    let zero = Series::new("one", vec![Point::new(0.0, 1.0)]);
    let none = Panel::over("A", Axis::new("x", Scale::Binary), Axis::new("y", Scale::Linear), vec![zero]);
    assert!(Figure { panels: vec![none], ..sample() }.is_empty());
}
