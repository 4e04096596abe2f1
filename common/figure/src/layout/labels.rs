//! Texts: how wide they are, where lines break, and how those that want one place share it.

/// Returns the width of a text: both formats draw it at most that wide, large letters being bold ones.
pub fn width(text: &str, is_large: bool) -> f64 {
    text.chars().count() as f64 * if is_large { 11.5 } else { 9.0 }
}

/// Lines of at most that width; a word that is longer has a line by itself.
pub fn wrapped(text: &str, is_large: bool, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width(line, is_large) + width(word, is_large) + width(" ", is_large) <= most => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Places at least `gap` from one another, each as near to the wanted one as the others let it, between `least` and
/// `most` as far as there is room. Those that want one place keep their order.
pub fn spread(wanted: &[f64], gap: f64, least: f64, most: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Neighbours that would touch become one row around the middle of what they want: (sum of wanted first places,
    // length).
    let mut rows: Vec<(f64, usize)> = Vec::new();
    let first = |&(sum, length): &(f64, usize)| {
        let last = most - gap * (length - 1) as f64;
        (sum / length as f64).min(last).max(least)
    };
    for &index in &order {
        rows.push((wanted[index], 1));
        while let [.., above, below] = rows[..]
            && first(&above) + gap * above.1 as f64 > first(&below)
        {
            rows.truncate(rows.len() - 2);
            rows.push((above.0 + below.0 - gap * (above.1 * below.1) as f64, above.1 + below.1));
        }
    }
    let places = rows.iter().flat_map(|row| (0..row.1).map(move |nth| first(row) + gap * nth as f64));
    let mut spread = vec![0.0; wanted.len()];
    for (&index, place) in order.iter().zip(places.collect::<Vec<_>>()) {
        spread[index] = place;
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_place_or_share_it() {
        for (wanted, places) in [
            (vec![], vec![]),
            (vec![50.0, 10.0], vec![50.0, 10.0]),
            (vec![50.0, 50.0], vec![40.0, 60.0]),
            (vec![50.0, 55.0, 90.0], vec![42.5, 62.5, 90.0]),
            (vec![0.0, 1.0], vec![0.0, 20.0]),
            (vec![100.0, 99.0, 98.0], vec![100.0, 80.0, 60.0]),
            // A row that grows reaches the next one.
            (vec![50.0, 50.0, 50.0, 75.0], vec![26.25, 46.25, 66.25, 86.25]),
        ] {
            let spread = spread(&wanted, 20.0, 0.0, 100.0);
            assert!(spread.iter().zip(&places).all(|(a, b)| (a - b).abs() < 1e-9), "{wanted:?}: {spread:?}");
        }
        // Without room for all they keep their distance from one another.
        assert_eq!(spread(&[5.0; 4], 20.0, 0.0, 30.0), [0.0, 20.0, 40.0, 60.0]);
    }

    #[test]
    fn a_long_text_is_broken_between_words() {
        assert_eq!(wrapped("one two three", false, 63.0), ["one two", "three"]);
        assert_eq!(wrapped("one two three", false, 20.0), ["one", "two", "three"]);
        assert!(wrapped("", true, 20.0).is_empty());
        // A number and its unit stay together.
        assert_eq!(wrapped("from 4\u{a0}GiB", false, 60.0), ["from", "4\u{a0}GiB"]);
    }
}
