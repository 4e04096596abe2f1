//! An axis' span, and the numbers along it.

use crate::{Axis, Scale};

#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub least: f64,
    pub most: f64,
    /// The values with a number.
    pub ticks: Vec<f64>,
    /// The values at which the axis has a stroke and no number.
    pub small_ticks: Vec<f64>,
    scale: Scale,
}

impl Span {
    /// Holds all values, with at most `room` numbers along it (at least 2).
    pub fn of(scale: Scale, values: impl Iterator<Item = f64>, room: usize) -> Span {
        match scale {
            Scale::Linear => linear(values, room),
            Scale::Binary | Scale::Decimal => logarithmic(scale, values, room),
        }
    }

    /// 0 at the least, 1 at the most.
    pub fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.least) / (self.most - self.least),
            _ => (value / self.least).ln() / (self.most / self.least).ln(),
        }
    }
}

/// From 0, or below if values are, to a whole step at or above the largest; steps of 1, 2 or 5.
fn linear(values: impl Iterator<Item = f64>, room: usize) -> Span {
    let (low, high) = values.fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    let span = if high > low { high - low } else { 1.0 };
    let power = 10f64.powf((span / 5.0).log10().floor());
    let most_steps = room.saturating_sub(1).max(1) as f64;
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].map(|part| part * power);
    let step = steps.into_iter().find(|step| span / step <= most_steps).unwrap_or(100.0 * power);
    let most = if high > low { (high / step).ceil() * step } else { low + span };
    let least = (low / step).floor() * step;
    let count = ((most - least) / step).round() as u32;
    let ticks = (0..=count).map(|nth| least + step * f64::from(nth)).collect();
    Span { least, most, ticks, small_ticks: Vec::new(), scale: Scale::Linear }
}

/// From the least value to the largest, along powers of 2; along powers of 10 from power to power.
fn logarithmic(scale: Scale, values: impl Iterator<Item = f64>, room: usize) -> Span {
    let base: f64 = if scale == Scale::Binary { 2.0 } else { 10.0 };
    let values = values.filter(|value| scale.has(*value));
    let (low, high) =
        values.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    let (mut least, mut most) = if low <= high { (low, high) } else { (1.0, base) };
    // The logarithm of a power of 2 is a whole number; that of a power of 10 may miss it by a rounding.
    let power = |value: f64| if scale == Scale::Binary { value.log2() } else { (value.log10() * 1e9).round() / 1e9 };
    if scale == Scale::Decimal || least == most {
        (least, most) = (base.powf(power(least).floor()), base.powf(power(most).ceil()));
    }
    if least == most {
        most *= base;
    }
    let (first, last) = (power(least).ceil() as i32, power(most).floor() as i32);
    let step = (1..).find(|step| ((last - first) / step) < room as i32).unwrap_or(1);
    let is_numbered = |exponent: i32| (exponent - first) % step == 0;
    let at = |exponent: i32| base.powi(exponent);
    let ticks = (first..=last).filter(|exponent| is_numbered(*exponent)).map(at).collect();
    let mut small_ticks: Vec<f64> = (first..=last).filter(|exponent| !is_numbered(*exponent)).map(at).collect();
    if scale == Scale::Decimal && step == 1 {
        small_ticks.extend((first..last).flat_map(|exponent| (2..10).map(move |part| f64::from(part) * at(exponent))));
    }
    Span { least, most, ticks, small_ticks, scale }
}

/// As short as it can be: 2.5, 40, 20k, 3M; along powers of 2: 1024, 64 Ki, 1 MiB. No line breaks within it.
pub fn number(value: f64, axis: &Axis) -> String {
    let units: &[(f64, &str, f64)] = if axis.scale == Scale::Binary {
        // A number that has a whole name up to 16384 keeps it, if it counts no bytes.
        let small = if axis.unit == "B" { 1024.0 } else { 32768.0 };
        &[(1024.0f64.powi(3), "Gi", 0.0), (1024.0f64.powi(2), "Mi", 0.0), (1024.0, "Ki", small)]
    } else {
        &[(1e9, "G", 0.0), (1e6, "M", 0.0), (1e3, "k", 1e4)]
    };
    let unit = units.iter().find(|(one, _, from)| value.abs() >= one.max(*from));
    let (value, prefix) = unit.map_or((value, ""), |(one, prefix, _)| (value / one, *prefix));
    let text = format!("{value:.3}");
    let digits = text.trim_end_matches('0').trim_end_matches('.');
    let is_apart = axis.scale == Scale::Binary && !prefix.is_empty() || !axis.unit.is_empty();
    format!("{digits}{}{prefix}{}", if is_apart { "\u{a0}" } else { "" }, axis.unit)
}

/// With three digits that count, or all before the point: 4264, 716, 2.75, 0.107.
pub fn short(value: f64) -> String {
    let magnitude = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let places = (2.0 - magnitude).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_round_numbers_and_holds_all_values() {
        for (values, ticks) in [
            (vec![1.0, 32.0], vec![0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0]),
            (vec![0.0, 4264.0], vec![0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]),
            (vec![100.0], vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0]),
            (vec![-3.0, 3.0], vec![-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
            (vec![], vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        ] {
            let span = Span::of(Scale::Linear, values.iter().copied(), 9);
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            assert!(
                span.ticks.len() == ticks.len() && span.ticks.iter().zip(&ticks).all(is_near),
                "{values:?}: {span:?}"
            );
        }
    }

    #[test]
    fn powers_stand_along_a_logarithmic_axis_and_no_more_than_have_room() {
        let span = Span::of(Scale::Binary, [1048576.0, 1073741824.0].into_iter(), 6);
        assert_eq!(span.ticks, [20, 22, 24, 26, 28, 30].map(|exponent| 2f64.powi(exponent)));
        assert_eq!(span.small_ticks, [21, 23, 25, 27, 29].map(|exponent| 2f64.powi(exponent)));
        for (value, share) in [(1048576.0, 0.0), (33554432.0, 0.5), (1073741824.0, 1.0)] {
            assert!((span.share(value) - share).abs() < 1e-9, "{value}");
        }
        let widths = Span::of(Scale::Binary, [4.0, 8.0, 16.0].into_iter(), 9);
        assert_eq!((widths.ticks, widths.least, widths.most), (vec![4.0, 8.0, 16.0], 4.0, 16.0));
        let times = Span::of(Scale::Decimal, [0.107, 18.57].into_iter(), 9);
        assert_eq!((times.ticks.len(), times.least, times.most), (4, 0.1, 100.0));
        // One value, none, and what has no logarithm.
        for values in [vec![8.0], vec![10.0], vec![], vec![0.0, -1.0]] {
            for scale in [Scale::Binary, Scale::Decimal] {
                let span = Span::of(scale, values.iter().copied(), 9);
                assert!(span.least > 0.0 && span.most > span.least && !span.ticks.is_empty(), "{values:?}: {span:?}");
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let linear = Axis::new("", Scale::Linear);
        for (value, text) in [(0.0, "0"), (2.5, "2.5"), (40.0, "40"), (5000.0, "5000"), (20000.0, "20k"), (3e6, "3M")] {
            assert_eq!(number(value, &linear), text);
        }
        assert_eq!(number(25.0, &linear.with_unit("%")), "25\u{a0}%");
        let binary = Axis::new("", Scale::Binary);
        for (value, text) in [(4.0, "4"), (16384.0, "16384"), (65536.0, "64\u{a0}Ki"), (1048576.0, "1\u{a0}Mi")] {
            assert_eq!(number(value, &binary), text);
        }
        let bytes = binary.with_unit("B");
        for (value, text) in [(512.0, "512\u{a0}B"), (1024.0, "1\u{a0}KiB"), (4294967296.0, "4\u{a0}GiB")] {
            assert_eq!(number(value, &bytes), text);
        }
        for (value, text) in
            [(4264.2, "4264"), (716.4, "716"), (2.75, "2.75"), (0.1071, "0.107"), (0.0, "0"), (40.0, "40")]
        {
            assert_eq!(short(value), text);
        }
    }
}
