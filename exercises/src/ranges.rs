//! The line in which an exercise's text states its ranges: `// Range   n is from 1 to 300; v has values from -9 to 9.`
//!
//! It is made from `exercise.toml`, in both languages. `cargo learn verify` refuses a text that lacks it, and
//! `cargo learn verify --write-ranges` writes it.

use crate::catalog::{Exercise, SPANISH};
use crate::expression::Sizes;
use crate::spanish::parts;
use crate::spec::{Amount, ExerciseKind, FillSpec, LaunchDimensions, Spec};
use crate::{Language, WORDS, cheats, words};
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, value};

/// The combinations of sizes at which an expression is evaluated, at most. Beyond that, only the ends are.
const COMBINATIONS: usize = 100_000;

/// A set of at most so many values is listed.
const LISTED: usize = 5;

/// The columns of a line, with its `// `.
const COLUMNS: usize = 100;

/// Labels of sections that come before the line. Those of all others come after it.
const BEFORE: [&str; 2] = ["Given", "Dado"];

/// Returns the ranges of what the kernels of `text` see, as one sentence, or nothing where all is fixed.
pub fn statement(spec: &Spec, text: &str, language: Language) -> Option<String> {
    if !has_ranges(spec) {
        return None;
    }
    let mut facts: Vec<String> = Vec::new();
    let mut add = |fact: String| {
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    };
    let mut seen = BTreeSet::new();
    for (name, expression) in arguments(spec, text) {
        let sizes = mentioned(spec, &expression);
        if !sizes.is_empty() {
            add(range(&name, &values(spec, &expression), language));
            seen.extend(sizes);
        }
    }
    for launch in &spec.launches {
        for (name, shape) in [("gridDim", &launch.grid), ("blockDim", &launch.block)] {
            for (axis, amount) in ["x", "y", "z"].iter().zip(sides(shape)) {
                let Amount::Expression(expression) = amount else { continue };
                let hidden: Vec<String> = mentioned(spec, expression).difference(&seen).cloned().collect();
                if !hidden.is_empty() {
                    add(range(&format!("{name}.{axis}"), &values(spec, expression), language));
                }
            }
        }
    }
    for buffer in &spec.buffers {
        if let Some(values) = drawn(&buffer.fill, language) {
            add(words::say!(WORDS, language, "range-values", name = parameter(spec, text, &buffer.name), values));
        }
    }
    if facts.is_empty() { None } else { Some(facts.join("; ") + ".") }
}

/// Returns whether answers run on inputs that are drawn. The only run of `predict` and `count` is given, and so are
/// those of `host`.
fn has_ranges(spec: &Spec) -> bool {
    !spec.kind.has_questions() && spec.kind != ExerciseKind::Host
}

/// The expressions that the kernels get, with the names of their parameters in `text`.
fn arguments(spec: &Spec, text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for launch in &spec.launches {
        let parameters = cheats::parameters(text, &launch.kernel).unwrap_or_default();
        let names = cheats::names(&parameters);
        for (number, argument) in launch.args.iter().enumerate() {
            let Amount::Expression(argument) = argument else { continue };
            let expression = argument.split(':').next().unwrap_or_default().trim();
            let base = expression.split('+').next().unwrap_or_default().trim();
            if !spec.buffers.iter().any(|buffer| buffer.name == base) {
                let name = names.get(number).map_or(expression, |name| *name);
                all.push((name.to_string(), expression.to_string()));
            }
        }
    }
    all
}

/// Returns the parameter's name in the first kernel that gets the buffer.
fn parameter(spec: &Spec, text: &str, buffer: &str) -> String {
    let name = spec.launches.iter().find_map(|launch| {
        let is_it = |argument: &Amount| matches!(argument, Amount::Expression(text) if text == buffer);
        let place = launch.args.iter().position(is_it)?;
        let parameters = cheats::parameters(text, &launch.kernel)?;
        cheats::names(&parameters).get(place).map(|name| (*name).to_string())
    });
    name.unwrap_or_else(|| buffer.to_string())
}

fn sides(shape: &LaunchDimensions) -> &[Amount] {
    match shape {
        LaunchDimensions::One(amount) => std::slice::from_ref(amount),
        LaunchDimensions::Several(amounts) => amounts,
    }
}

/// The sizes that an expression depends on.
fn mentioned(spec: &Spec, expression: &str) -> BTreeSet<String> {
    let words = expression.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| spec.sizes.contains_key(*word)).map(String::from).collect()
}

/// The values of an expression over all values of its sizes.
fn values(spec: &Spec, expression: &str) -> BTreeSet<i64> {
    let sizes = mentioned(spec, expression);
    let count = sizes.iter().fold(1usize, |all, name| all.saturating_mul(spec.sizes[name].count()));
    let mut combinations = vec![Sizes::new()];
    for name in &sizes {
        let size = &spec.sizes[name];
        let own = if count > COMBINATIONS { vec![0, size.count() - 1] } else { (0..size.count()).collect() };
        let with = |sizes: &Sizes, place: usize| {
            let mut sizes = sizes.clone();
            sizes.insert(name.clone(), size.at(place));
            sizes
        };
        combinations = combinations.iter().flat_map(|sizes| own.iter().map(|place| with(sizes, *place))).collect();
    }
    let amount = Amount::Expression(expression.to_string());
    combinations.iter().filter_map(|sizes| amount.whole(sizes).ok()).collect()
}

/// The values that `name` may have, in words.
fn range(name: &str, values: &BTreeSet<i64>, language: Language) -> String {
    let (Some(low), Some(high)) = (values.first(), values.last()) else { return name.to_string() };
    let step = step(values);
    let (from, to) = (low.to_string(), high.to_string());
    match step {
        Some(1) if values.len() > 2 => words::say!(WORDS, language, "range-from", name, from, to),
        _ if values.len() <= LISTED => {
            let values = list(values.iter().map(i64::to_string), language);
            words::say!(WORDS, language, "range-list", name, values)
        }
        Some(step) if low % step == 0 => {
            words::say!(WORDS, language, "range-multiple", name, step = step.to_string(), from, to)
        }
        Some(step) => words::say!(WORDS, language, "range-steps", name, step = step.to_string(), from, to),
        None => {
            let values = list(values.iter().map(i64::to_string), language);
            words::say!(WORDS, language, "range-list", name, values)
        }
    }
}

/// The distance between neighbours, if it is the same everywhere.
fn step(values: &BTreeSet<i64>) -> Option<i64> {
    let values: Vec<i64> = values.iter().copied().collect();
    let mut steps = values.windows(2).map(|pair| pair[1] - pair[0]);
    let first = steps.next()?;
    steps.all(|step| step == first).then_some(first)
}

/// `64, 96 or 128`.
fn list(values: impl IntoIterator<Item = String>, language: Language) -> String {
    let mut before: Vec<String> = values.into_iter().collect();
    let Some(last) = before.pop() else { return String::new() };
    if before.is_empty() {
        return last;
    }
    let before = before.join(", ");
    match last.parse::<i64>() {
        // As a number, which Fluent can choose by: Spanish says "u" before 8.
        Ok(last) => words::say!(WORDS, language, "range-or", before, last),
        Err(_) => words::say!(WORDS, language, "range-or", before, last),
    }
}

/// The values that a drawn buffer may hold, in words.
fn drawn(fill: &FillSpec, language: Language) -> Option<String> {
    let span = |from: &str, to: &str| words::say!(WORDS, language, "range-values-from", from, to);
    match fill {
        FillSpec::Random([low, high]) => Some(span(&low.to_string(), &high.to_string())),
        FillSpec::OneOf(given) => {
            let mut sorted = given.clone();
            sorted.sort_by(f64::total_cmp);
            sorted.dedup();
            let is_whole = sorted.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
            match (sorted.first(), sorted.last()) {
                (Some(low), Some(high)) if is_whole && sorted.len() > 2 => {
                    Some(span(&low.to_string(), &high.to_string()))
                }
                _ => Some(list(sorted.iter().map(f64::to_string), language)),
            }
        }
        FillSpec::Permutation(_) => Some(words::say!(WORDS, language, "range-permutation")),
        FillSpec::Ramp | FillSpec::Zero | FillSpec::Undefined | FillSpec::Value(_) => None,
    }
}

fn label(language: Language) -> String {
    words::say!(WORDS, language, "range-label")
}

/// Returns what the opening comment states after the label, on one line.
fn stated(opening: &[String], language: Language) -> Option<String> {
    let place = place_of(opening, language)?;
    let lines = &opening[place.0..place.1];
    let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).skip(1).collect();
    Some(words.join(" "))
}

/// The lines of the statement: the first, and the one after the last.
fn place_of(opening: &[String], language: Language) -> Option<(usize, usize)> {
    let label = label(language);
    let begin = opening.iter().position(|line| labelled(line) == Some(label.as_str()))?;
    let goes_on = |line: &String| line.starts_with(' ');
    let length = opening[begin + 1..].iter().take_while(|line| goes_on(line)).count();
    Some((begin, begin + 1 + length))
}

/// The label of a line such as `Given   v has n ints`.
fn labelled(line: &str) -> Option<&str> {
    let (label, rest) = line.split_once("  ")?;
    let is_word = label.chars().next().is_some_and(char::is_uppercase) && label.chars().all(char::is_alphabetic);
    (is_word && !rest.trim().is_empty()).then_some(label)
}

/// The opening comment with the statement in its place.
fn with_statement(opening: &[String], statement: &str, language: Language) -> Vec<String> {
    let mut lines = opening.to_vec();
    if let Some((begin, end)) = place_of(&lines, language) {
        lines.drain(begin..end);
    }
    let is_next = |line: &String| labelled(line).is_some_and(|label| !BEFORE.contains(&label));
    let place = lines.iter().position(is_next).unwrap_or(lines.len());
    let label = label(language);
    let own = lines.iter().find(|line| labelled(line).is_some());
    let width = own.map_or(label.len() + 3, |line| {
        let name = labelled(line).unwrap_or_default().len();
        name + line[name..].len() - line[name..].trim_start().len()
    });
    let mut made = vec![format!("{label:<width$}")];
    let mut is_first = true;
    for word in statement.split(' ') {
        let last = made.len() - 1;
        let is_full = made[last].chars().count() + 1 + word.len() + "// ".len() > COLUMNS;
        if is_full {
            made.push(" ".repeat(width) + word);
        } else if is_first {
            made[last] += word;
        } else {
            made[last] += &format!(" {word}");
        }
        is_first = false;
    }
    lines.splice(place..place, made);
    lines
}

/// The opening comment of a shipped file without `// `, and the other lines.
fn split(text: &str) -> (Vec<String>, Vec<&str>) {
    let (opening, rest) = parts(text);
    let bare = |line: &str| line.strip_prefix("// ").unwrap_or(line.trim_start_matches('/')).to_string();
    (opening.into_iter().map(bare).collect(), rest)
}

/// Returns the ranges of `exercise.toml` that the texts do not state.
pub fn problems(exercise: &Exercise) -> Vec<String> {
    let Ok(text) = fs::read_to_string(exercise.shipped()) else { return Vec::new() };
    if !has_ranges(&exercise.spec) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    let mut look = |file: &str, opening: &[String], language: Language| {
        let wanted = statement(&exercise.spec, &text, language);
        let stated = stated(opening, language);
        if wanted != stated {
            wrong.push(match wanted {
                Some(wanted) => {
                    let line = format!("{}   {wanted}", label(language));
                    say!("form-range", file, line, name = &exercise.name)
                }
                None => say!("form-range-idle", file, name = &exercise.name),
            });
        }
    };
    look(&exercise.file_name(), &split(&text).0, Language::English);
    if let Some(spanish) = &exercise.spanish {
        let lines: Vec<String> = spanish.opening.lines().map(String::from).collect();
        look(SPANISH, &lines, Language::Spanish);
    }
    wrong
}

/// Writes the statement into the shipped file and `exercise.es.toml`. Returns the files that have changed.
pub fn write(exercise: &Exercise) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    let mut put = |path: &Path, before: &str, after: &str| -> Result<()> {
        if before != after {
            let shown = path.display().to_string();
            fs::write(path, after).with_context(|| say!("cannot-write", path = shown, why = "other"))?;
            written.push(path.to_path_buf());
        }
        Ok(())
    };
    let read =
        |path: &Path| fs::read_to_string(path).with_context(|| say!("cannot-read", path = path.display().to_string()));
    let path = exercise.shipped();
    let text = read(&path)?;
    if let Some(statement) = statement(&exercise.spec, &text, Language::English) {
        let (opening, rest) = split(&text);
        let opening = with_statement(&opening, &statement, Language::English);
        let comments = opening.iter().map(|line| format!("// {line}").trim_end().to_string());
        let lines: Vec<String> = comments.chain(rest.into_iter().map(String::from)).collect();
        put(&path, &text, &(lines.join("\n") + "\n"))?;
    }
    let path = exercise.folder.join(SPANISH);
    if let (Some(spanish), Some(statement)) = (&exercise.spanish, statement(&exercise.spec, &text, Language::Spanish)) {
        let before = read(&path)?;
        let opening: Vec<String> = spanish.opening.lines().map(String::from).collect();
        let after = with_statement(&opening, &statement, Language::Spanish);
        if after != opening {
            // The rest of the file stays as it was written.
            let old = format!("\"\"\"\n{}\"\"\"", spanish.opening);
            let new = format!("\"\"\"\n{}\n\"\"\"", after.join("\n"));
            let changed = if before.contains(&old) {
                before.replacen(&old, &new, 1)
            } else {
                let mut file: DocumentMut = before.parse()?;
                file["opening"] = value(after.join("\n") + "\n");
                file.to_string()
            };
            put(&path, &before, &changed)?;
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(sizes: &str, more: &str) -> Spec {
        let head = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n[sizes]\n";
        toml::from_str(&format!("{head}{sizes}\n{more}")).unwrap()
    }

    const KERNEL: &str = "extern \"C\" __global__ void k(const int* v, int count) {}\n";

    fn both(spec: &Spec) -> [Option<String>; 2] {
        [Language::English, Language::Spanish].map(|language| statement(spec, KERNEL, language))
    }

    fn statements(size: &str, argument: &str) -> [String; 2] {
        let launch = format!("[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 32\nargs = ['v', '{argument}']\n");
        let buffer = "[[buffer]]\nname = 'v'\ntype = 'i32'\nlen = 4\nfill = 'zero'\n";
        both(&spec(&format!("n = {size}"), &(buffer.to_string() + &launch))).map(|text| text.unwrap())
    }

    #[test]
    fn each_shape_of_a_size_has_its_words() {
        for (size, argument, english, spanish) in [
            ("{ from = 1, to = 300 }", "n", "count is from 1 to 300.", "count va de 1 a 300."),
            ("{ from = 1, to = 2 }", "n", "count is 1 or 2.", "count es 1 o 2."),
            ("{ from = 4, to = 4 }", "n", "count is 4.", "count es 4."),
            ("{ one_of = [64, 32, 128] }", "n", "count is 32, 64 or 128.", "count es 32, 64 o 128."),
            ("{ one_of = [2, 8] }", "n", "count is 2 or 8.", "count es 2 u 8."),
            (
                "{ from = 16, to = 250, step = 16 }",
                "n",
                "count is a multiple of 16 from 16 to 240.",
                "count es un múltiplo de 16, de 16 a 240.",
            ),
            (
                "{ from = 1, to = 90, step = 4 }",
                "n",
                "count is from 1 to 89 in steps of 4.",
                "count va de 1 a 89, de 4 en 4.",
            ),
            (
                "{ from = 1, to = 512 }",
                "2 * n",
                "count is a multiple of 2 from 2 to 1024.",
                "count es un múltiplo de 2, de 2 a 1024.",
            ),
        ] {
            assert_eq!(statements(size, argument), [english, spanish]);
        }
    }

    #[test]
    fn each_fill_has_its_words_and_what_is_fixed_has_none() {
        let filled = |fill: &str| format!("[[buffer]]\nname = 'v'\ntype = 'f32'\nlen = 4\nfill = {fill}\n");
        for (fill, english, spanish) in [
            ("{ random = [-9, 9] }", "v has values from -9 to 9.", "v tiene valores de -9 a 9."),
            ("{ random = [-0.5, 2] }", "v has values from -0.5 to 2.", "v tiene valores de -0.5 a 2."),
            ("{ one_of = [3, 1, 2] }", "v has values from 1 to 3.", "v tiene valores de 1 a 3."),
            ("{ one_of = [1, 8] }", "v has values 1 or 8.", "v tiene valores 1 u 8."),
            (
                "{ permutation = true }",
                "v has values 0, 1, 2, ... in any order.",
                "v tiene valores 0, 1, 2, ... en cualquier orden.",
            ),
        ] {
            assert_eq!(both(&spec("", &filled(fill))), [english, spanish].map(|text| Some(text.to_string())));
        }
        for fill in ["'ramp'", "'zero'", "'undefined'", "{ value = 7 }"] {
            assert_eq!(both(&spec("", &filled(fill))), [None, None], "{fill}");
        }
    }

    /// A size that no kernel gets shows in the launch.
    #[test]
    fn a_size_without_a_parameter_is_stated_by_the_launch() {
        let launch = "[[launch]]\nkernel = 'k'\ngrid = ['rows', 2]\nblock = '32 * warps'\nargs = []\n";
        let spec = spec("rows = { from = 1, to = 9 }\nwarps = { from = 1, to = 16 }", launch);
        let english = statement(&spec, KERNEL, Language::English);
        let wanted = "gridDim.x is from 1 to 9; blockDim.x is a multiple of 32 from 32 to 512.";
        assert_eq!(english.as_deref(), Some(wanted));
    }

    #[test]
    fn a_statement_is_written_in_its_place_and_found_there() {
        let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
        let opening = lines("x: one\n\nGiven    v has ints,\n         all sorted.\nDo       Sort.\nRead     it");
        let long = (1..40).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        for statement in ["n is 1.", &long] {
            let written = with_statement(&opening, statement, Language::English);
            assert_eq!(stated(&written, Language::English).as_deref(), Some(statement));
            assert!(written[4].starts_with("Range    ") && written.iter().all(|line| line.len() + 3 <= COLUMNS));
            let again = with_statement(&written, "n is 2.", Language::English);
            assert_eq!(again[4], "Range    n is 2.");
            assert_eq!(again.len(), opening.len() + 1);
        }
        assert_eq!(stated(&opening, Language::English), None);
        let bare = with_statement(&lines("x: one"), "n is 1.", Language::English);
        assert_eq!(stated(&bare, Language::English).as_deref(), Some("n is 1."));
    }
}
