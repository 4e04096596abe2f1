use super::*;
use crate::tests::sample;
use crate::{Axis, Panel, Point, Scale, Series};

/// As a README shows it: sizes on a logarithmic axis, lines that end close to one another, a limit.
fn crowded(count: u32) -> Figure {
    let series = |nth: u32| {
        let point = |exponent: i32| {
            let y = 4000.0 - 2.0 * f64::from(nth) - 1e8 / 2f64.powi(exponent);
            Point::new(2f64.powi(exponent), y).between(y - 50.0, y + 50.0)
        };
        let series = Series::new(&format!("cub::DeviceThing::Of{nth}"), (20..31).map(point).collect());
        if nth % 4 == 3 { series.as_peer() } else { series }
    };
    let panel = Panel::over(
        "",
        Axis::new("n", Scale::Binary).with_unit("B"),
        Axis::new("GB/s", Scale::Linear),
        (0..count).map(series).collect(),
    );
    let title = "A title that is so long that it takes two lines ".repeat(2);
    Figure { title, note: "a note ".repeat(30), panels: vec![panel.with_level("limit, 4264 GB/s", 4264.0)] }
}

/// Left, top, right and bottom of a text.
fn extent(piece: &FigurePiece) -> Option<[f64; 4]> {
    let FigurePiece::Text { at, anchor, is_large, text, .. } = piece else { return None };
    let width = labels::width(text, *is_large);
    let left = match anchor {
        Anchor::Start => at.x,
        Anchor::Middle => at.x - width / 2.0,
        Anchor::End => at.x - width,
    };
    Some([left, at.y - 11.0, left + width, at.y + 3.0])
}

#[test]
fn everything_lies_inside_and_no_text_on_another() {
    for figure in [sample(), crowded(1), crowded(12), crowded(25)] {
        let layout = lay_out(&figure);
        let is_inside = |at: &Coordinates| (0.0..=WIDTH).contains(&at.x) && (0.0..=layout.height).contains(&at.y);
        for piece in &layout.pieces {
            match piece {
                FigurePiece::Line { from, to, .. } => assert!(is_inside(from) && is_inside(to), "{piece:?}"),
                FigurePiece::Mark { at, .. } | FigurePiece::Text { at, .. } => assert!(is_inside(at), "{piece:?}"),
                FigurePiece::Area { from, width, height, .. } => {
                    let to = Coordinates { x: from.x + width, y: from.y + height };
                    assert!(is_inside(from) && is_inside(&to) && *width >= 0.0, "{piece:?}");
                }
            }
        }
        let mut texts: Vec<_> = layout.pieces.iter().filter_map(|piece| Some((piece, extent(piece)?))).collect();
        while let Some((one, [left, top, right, bottom])) = texts.pop() {
            assert!(left >= 0.0 && right <= WIDTH, "{one:?}");
            for (other, [l, t, r, b]) in &texts {
                assert!(left >= *r || *l >= right || top >= *b || *t >= bottom, "{one:?} lies on {other:?}");
            }
        }
    }
}

/// The marks of a layout, by colour.
fn marks(layout: &FigureLayout) -> Vec<(Coordinates, Colour)> {
    let mark = |piece: &FigurePiece| {
        if let FigurePiece::Mark { at, colour, .. } = piece { Some((*at, *colour)) } else { None }
    };
    layout.pieces.iter().filter_map(mark).collect()
}

fn same_line(count: usize, xs: &[f64]) -> Figure {
    let points: Vec<Point> = xs.iter().map(|&x| Point::new(x, 5.0)).collect();
    let series = (0..count).map(|nth| Series::new(&format!("s{nth}"), points.clone())).collect();
    Figure { title: String::new(), note: String::new(), panels: vec![Panel::new("", "x", "y", series)] }
}

#[test]
fn lines_that_lie_on_one_another_take_turns() {
    let layout = lay_out(&same_line(3, &[0.0, 20.0, 40.0, 60.0, 80.0, 100.0]));
    let marks = marks(&layout);
    for nth in 0..3 {
        // Two of six points, and the key beside the name.
        let (colour, _) = style::look(nth, false);
        assert_eq!(marks.iter().filter(|(_, own)| *own == colour).count(), 3);
        // Between the points each has a third of the way in stripes of its own.
        let stripe = |piece: &FigurePiece| match piece {
            FigurePiece::Line { from, to, colour: own, width: 3 } if *own == colour => Some(to.x - from.x),
            _ => None,
        };
        let stripes: Vec<f64> = layout.pieces.iter().filter_map(stripe).collect();
        let xs = || marks.iter().map(|(at, _)| at.x).filter(|x| *x < 800.0);
        let whole = xs().fold(0.0, f64::max) - xs().fold(f64::INFINITY, f64::min);
        let share = stripes.iter().sum::<f64>() / whole;
        assert!(stripes.len() >= 10 && (share - 1.0 / 3.0).abs() < 0.05, "{} stripes, {share}", stripes.len());
    }
}

#[test]
fn marks_without_lines_stand_side_by_side_and_do_not_reach_the_next_point() {
    // 0 and 1 of 100 are close together.
    let mut figure = same_line(4, &[0.0, 1.0, 100.0]);
    for series in &mut figure.panels[0].series {
        series.join = crate::Join::Nothing;
    }
    let layout = lay_out(&figure);
    let marks = marks(&layout);
    let column = |point: usize| (0..4).map(|series| marks[3 * series + point].0.x).collect::<Vec<_>>();
    for point in 0..3 {
        assert!(column(point).is_sorted_by(|a, b| a < b), "{:?}", column(point));
    }
    assert!(column(0)[3] < column(1)[0]);
    assert!(column(2).windows(2).all(|pair| pair[1] - pair[0] >= 2.0 * MARK));
}

#[test]
fn points_that_make_no_trend_are_not_joined() {
    let count = |figure: &Figure| {
        let is_stroke = |piece: &&FigurePiece| matches!(piece, FigurePiece::Line { width: 2.., .. });
        lay_out(figure).pieces.iter().filter(is_stroke).count()
    };
    let mut figure = same_line(1, &[0.0, 50.0, 100.0]);
    assert_eq!(count(&figure), 3);
    figure.panels[0].series[0].join = crate::Join::Nothing;
    assert_eq!(count(&figure), 0);
    assert_eq!(marks(&lay_out(&figure)).len(), 4);
}

#[test]
fn an_interval_is_drawn_where_the_mark_does_not_hide_it() {
    let lines = |low: f64, high: f64| {
        let point = Point::new(1.0, 50.0).between(low, high);
        let panel = Panel::new("", "x", "y", vec![Series::new("s", vec![point])]);
        let figure = Figure { title: String::new(), note: String::new(), panels: vec![panel] };
        let own = style::look(0, false).0;
        let is_own = |piece: &&FigurePiece| match piece {
            FigurePiece::Line { colour, from, to, .. } => *colour == own && from.x == to.x,
            _ => false,
        };
        lay_out(&figure).pieces.iter().filter(is_own).count()
    };
    assert_eq!((lines(49.9, 50.1), lines(40.0, 60.0)), (0, 1));
}
