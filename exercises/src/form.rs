//! Problems of an exercise that can be seen without judging an answer: files, texts, numbers. Each problem is
//! named once, and what makes every judgement fail is named instead of those.

use crate::case;
use crate::catalog::Exercise;
use crate::expression::{Sizes, evaluate};
use crate::reason::Reason;
use crate::spec::{
    Amount, AnswerSource, ElementType, ExerciseKind, FillSpec, LaunchDimensions, LaunchSpec, Question, SizeSpec, Spec,
};
use crate::{budget, cheats};
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// Lines of a shipped file: one screen.
const SCREEN: usize = 60;

/// Returns the problems that can be seen without running anything.
pub fn form(exercise: &Exercise) -> Vec<String> {
    let spec = &exercise.spec;
    let mut wrong = Vec::new();
    let mut must = |holds: bool, text: String| {
        if !holds {
            wrong.push(text);
        }
    };
    must(spec.hints.len() >= 2, say!("form-hints", count = spec.hints.len()));
    must(
        spec.hints.iter().chain([&spec.idea, &spec.title]).all(|text| !text.trim().is_empty()),
        say!("form-empty-text"),
    );
    if let Some(spanish) = &exercise.spanish {
        let verdicts = spec.reference.as_ref().map_or(0, |reference| reference.verdicts.len());
        let counts = [
            ("hints", spanish.hints.len(), spec.hints.len()),
            ("questions", spanish.questions.len(), spec.questions.len()),
            ("verdicts", spanish.verdicts.len(), verdicts),
        ];
        for (name, count, wanted) in counts {
            must(count == wanted, say!("form-spanish-count", name, count, wanted));
        }
    }
    let rights = exercise.files("right_").unwrap_or_default();
    let wrongs = exercise.files("wrong_").unwrap_or_default();
    // A number has one form.
    must(!rights.is_empty() || spec.kind.has_questions(), say!("form-no-right"));
    must(wrongs.len() >= 3, say!("form-wrongs", count = wrongs.len()));
    for path in &wrongs {
        let name = name(path);
        let text = fs::read_to_string(path).unwrap_or_default();
        match wrong_kind(&text) {
            Ok(kind) => must(kind.is_some(), say!("form-wrong-without-kind", name = &name)),
            Err(why) => must(false, format!("{name}: {why}")),
        }
        let why = text.lines().nth(1).unwrap_or_default();
        must(why.starts_with("// ") && why.len() > 10, say!("form-wrong-without-why", name));
    }
    match fs::read(exercise.shipped()).map(crate::answer::text) {
        // An obstacle.
        Err(_) => {}
        Ok(None) => must(false, say!("line-no-text", shown = exercise.file_name())),
        Ok(Some(text)) => {
            must(text.matches("TODO:").count() == 1, say!("form-todo"));
            let lines = text.lines().count();
            if let Some(spanish) = &exercise.spanish {
                let is_stored = spec.kind.is_puzzle();
                spanish.problems(&text, is_stored).into_iter().for_each(|problem| must(false, problem));
                let lines = spanish.file(&text).lines().count();
                must(lines <= SCREEN, say!("form-screen", lines, most = SCREEN));
            }
            must(lines <= SCREEN, say!("form-screen", lines, most = SCREEN));
        }
    }
    let mut known = HashMap::new();
    for path in rights.iter().chain([&exercise.solution()]) {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let text = if spec.kind.is_puzzle() { text } else { bare(&text) };
        if let Some(other) = known.insert(text, name(path)) {
            must(false, say!("form-same-answers", one = other, other = name(path)));
        }
    }
    must(spec.kind.has_questions() != spec.questions.is_empty(), say!("form-questions"));
    let is_counted = |question: &Question| question.answer.counted_kernel().is_some();
    must(
        spec.questions.iter().all(|question| is_counted(question) == (spec.kind == ExerciseKind::Count)),
        say!("form-counts"),
    );
    must((spec.kind == ExerciseKind::Host) == spec.host.is_some(), say!("form-host"));
    must((spec.kind == ExerciseKind::Break) == spec.breaks.is_some(), say!("form-break"));
    let is_drawn = spec.sizes.iter().all(|(name, size)| unfit(name, size).is_none());
    must(!is_drawn || spec.sizes.is_empty() || case::Case::draw(spec).len() >= 2, say!("form-inputs"));
    must(
        spec.buffers.is_empty() || spec.buffers.iter().any(|buffer| buffer.check.is_some()) || spec.kind.is_puzzle(),
        say!("form-no-check"),
    );
    // Every run needs these, and then says so.
    wrong.extend(obstacles(exercise));
    wrong
}

/// KIND of `// wrong: KIND`, if it begins so.
pub fn wrong_kind(text: &str) -> Result<Option<Reason>, String> {
    let kind = text.lines().next().and_then(|line| line.strip_prefix("// wrong: "));
    kind.map(|kind| kind.trim().parse()).transpose()
}

/// Without comments and spaces.
fn bare(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).flat_map(str::split_whitespace).collect()
}

/// Why no answer can be judged: a file is missing, or a number that every run needs has no value.
pub fn obstacles(exercise: &Exercise) -> Vec<String> {
    let spec = &exercise.spec;
    let mut wrong: Vec<String> = needed(exercise)
        .iter()
        .filter(|path| !path.is_file())
        .map(|path| say!("form-no-file", name = name(path)))
        .collect();
    wrong.extend(spec.sizes.iter().filter_map(|(name, size)| unfit(name, size)));
    // A number that cannot be drawn has no value to reckon with.
    if wrong.is_empty() {
        wrong.extend(kernels(exercise));
        wrong.extend(amounts(spec));
    }
    let mut once = Vec::new();
    wrong.into_iter().for_each(|why| {
        if !once.contains(&why) {
            once.push(why)
        }
    });
    once
}

fn name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn needed(exercise: &Exercise) -> Vec<PathBuf> {
    let mut files = vec![exercise.shipped(), exercise.solution()];
    if exercise.spec.reference.as_ref().is_some_and(|reference| !reference.is_empty()) {
        files.push(exercise.check_file());
    }
    files
}

fn unfit(name: &str, size: &SizeSpec) -> Option<String> {
    let is_fit = match size {
        SizeSpec::Range { from, to, step } => *from >= 0 && from <= to && *step > 0,
        SizeSpec::OneOf { one_of } => !one_of.is_empty() && one_of.iter().all(|value| *value >= 0),
    };
    (!is_fit).then(|| say!("form-size", name))
}

/// Kernels that are launched or compared with, and stand nowhere.
fn kernels(exercise: &Exercise) -> Vec<String> {
    let spec = &exercise.spec;
    let read = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
    let mut wrong = Vec::new();
    if spec.kind != ExerciseKind::Host {
        let texts = [read(exercise.shipped()), read(exercise.solution())];
        for LaunchSpec { kernel, args, .. } in &spec.launches {
            match texts.iter().find_map(|text| cheats::parameters(text, kernel)) {
                None => wrong.push(say!("cheat-no-kernel", kernel)),
                Some(parameters) => wrong.extend(unequal(kernel, &parameters, args.len())),
            }
        }
    }
    if let Some(reference) = spec.reference.as_ref().filter(|reference| !reference.is_empty()) {
        let check = read(exercise.check_file());
        let first = || spec.launches.first().map_or(0, |launch| launch.args.len());
        let given = reference.args.as_ref().map_or_else(first, Vec::len);
        // The kernel that says whether a result is right has a place for that.
        for (name, given) in [(&reference.kernel, given), (&reference.accept, given + 1)] {
            let Some(name) = name else { continue };
            match cheats::parameters(&check, name) {
                None => wrong.push(say!("check-has-no", name)),
                Some(parameters) => wrong.extend(unequal(name, &parameters, given)),
            }
        }
    }
    wrong
}

fn unequal(kernel: &str, parameters: &str, given: usize) -> Option<String> {
    let has = cheats::names(parameters).len();
    (has != given).then(|| say!("parameters-differ", kernel, has, given))
}

/// Numbers and expressions that have no value at the smallest sizes, or at the largest.
fn amounts(spec: &Spec) -> Vec<String> {
    let at = |end: fn((i64, i64)) -> i64| -> Sizes {
        spec.sizes.iter().map(|(name, size)| (name.clone(), end(size.ends()))).collect()
    };
    let mut wrong = Vec::new();
    for sizes in [at(|(low, _)| low), at(|(_, high)| high)] {
        let mut must = |place: String, value: Result<(), String>| {
            if let Err(why) = value {
                wrong.push(format!("{place}: {why}"));
            }
        };
        for buffer in &spec.buffers {
            let place = format!("[[buffer]] {}, len", buffer.name);
            let is_length =
                |length: i64| if length < 0 { Err(say!("expression-negative", value = length)) } else { Ok(()) };
            must(place, buffer.len.whole(&sizes).and_then(is_length));
            if let FillSpec::Value(value) = &buffer.fill {
                must(format!("[[buffer]] {}, fill", buffer.name), value.real(&sizes).map(drop));
            }
        }
        for launch in &spec.launches {
            let place = |part: &str| format!("[[launch]] {}, {part}", launch.kernel);
            for (part, shape) in [("grid", &launch.grid), ("block", &launch.block)] {
                let axes = match shape {
                    LaunchDimensions::One(amount) => std::slice::from_ref(amount),
                    LaunchDimensions::Several(amounts) => amounts,
                };
                axes.iter().for_each(|axis| must(place(part), axis.whole(&sizes).map(drop)));
            }
            must(place("shared"), launch.shared.whole(&sizes).map(drop));
            launch.args.iter().for_each(|given| must(place("args"), argument(given, spec, &sizes)));
        }
        let args = spec.reference.iter().flat_map(|reference| &reference.args).flatten();
        args.for_each(|given| must("[reference] args".to_string(), argument(given, spec, &sizes)));
        if let Some(threads) = spec.work.as_ref().and_then(|work| work.threads.as_ref()) {
            must("[work] threads".to_string(), threads.whole(&sizes).map(drop));
        }
        for (sum, limit) in &spec.budget {
            let bounds = [&limit.at_most, &limit.at_least].into_iter().flatten();
            bounds.for_each(|bound| must(format!("[budget] {sum}"), bound.real(&sizes).map(drop)));
            must(format!("[budget] {sum}"), budget::check(sum, limit));
        }
        for question in &spec.questions {
            if let Some(kernel) = question.answer.counted_kernel() {
                let is_launched = spec.launches.iter().any(|launch| launch.kernel == kernel);
                let unknown = || say!("count-unknown-kernel", kernel);
                must("[[question]] answer".to_string(), is_launched.then_some(()).ok_or_else(unknown));
            }
            let AnswerSource::Element(place) = &question.answer else { continue };
            let parts = place.strip_suffix(']').and_then(|place| place.split_once('['));
            must(
                "[[question]] answer".to_string(),
                match parts {
                    None => Err(say!("element-unreadable", place)),
                    Some((name, _)) if !spec.buffers.iter().any(|buffer| buffer.name == name) => {
                        Err(say!("buffer-unknown", name))
                    }
                    Some((_, index)) => evaluate(index, &sizes).map(drop),
                },
            );
        }
    }
    wrong
}

/// Checks an argument of a kernel: a buffer, perhaps moved, or a number, perhaps with its type.
fn argument(given: &Amount, spec: &Spec, sizes: &Sizes) -> Result<(), String> {
    let Amount::Expression(text) = given else { return Ok(()) };
    let (name, moved) = text.split_once('+').unwrap_or((text, "0"));
    if spec.buffers.iter().any(|buffer| buffer.name == name.trim()) {
        return evaluate(moved, sizes).map(drop);
    }
    let (text, ty) = text.split_once(':').unwrap_or((text, "i64"));
    let ty = ElementType::named(ty.trim()).ok_or_else(|| say!("type-unknown", name = ty.trim()))?;
    let is_real = ty.is_float() && text.trim().parse::<f64>().is_ok();
    let is_name = text.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
    match evaluate(text, sizes) {
        Err(_) if is_real => Ok(()),
        Err(_) if is_name => Err(say!("argument-unknown", name = text.trim())),
        value => value.map(drop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emulator::finding::Slug;

    #[test]
    fn the_kind_of_a_wrong_answer_stands_in_its_first_line() {
        assert_eq!(wrong_kind("// wrong: race-shared\n// why\n"), Ok(Some(Reason::Finding(Slug::RaceShared))));
        assert_eq!(wrong_kind("// wrong:\n"), Ok(None));
        assert_eq!(wrong_kind("\n// wrong: answer\n"), Ok(None));
    }

    #[test]
    fn a_mistyped_kind_is_named() {
        assert_eq!(wrong_kind("// wrong: rase-shared\n"), Err("no verdict has the reason `rase-shared`".into()));
    }

    #[test]
    fn answers_that_differ_in_comments_alone_are_the_same() {
        assert_eq!(bare("int a; // one\n int b;"), bare("int a;\n// two\nint  b;"));
        assert_ne!(bare("int a;"), bare("int b;"));
    }

    #[test]
    fn numbers_without_a_value_are_named_with_their_place() {
        let spec = |end: &str| -> Spec {
            let head = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n\
                        [sizes]\nn = { from = 1, to = 9 }\n";
            toml::from_str(&format!("{head}{end}")).unwrap()
        };
        let buffer = |len: &str| format!("[[buffer]]\nname = 'b'\ntype = 'i32'\nlen = '{len}'\nfill = 'zero'\n");
        let launch =
            |args: &str| buffer("n") + &format!("[[launch]]\nkernel = 'k'\ngrid = 1\nblock = 32\nargs = [{args}]\n");
        for (text, part) in [
            (buffer("m * 2"), "[[buffer]] b, len: `m * 2`: there is no size `m`"),
            (buffer("n - 2"), "[[buffer]] b, len: -1 is negative"),
            (launch("'bb'"), "[[launch]] k, args: there is neither a buffer nor a size `bb`"),
            (launch("'n:int'"), "[[launch]] k, args: there is no type `int`"),
            (launch("'b + m'"), "[[launch]] k, args: ` m`: there is no size `m`"),
            ("[budget]\nbarrier = { at_most = 1 }\n".into(), "[budget] barrier: no counter is called `barrier`"),
            ("[work]\nthreads = 'ceil(n, 2)'\n".into(), "[work] threads: `ceil(n, 2)`: there is no function `ceil`"),
        ] {
            let wrong = amounts(&spec(&text));
            assert!(wrong.first().is_some_and(|why| why.starts_with(part)), "{part}: {wrong:?}");
        }
        assert_eq!(amounts(&spec(&launch("'b', 'b + n', 'n:i64', '0.5:f32', 'n * 2:f32', 3"))), [""; 0]);
    }

    #[test]
    fn kernels_have_as_many_parameters_as_they_are_passed() {
        assert_eq!(unequal("k", "const int* in, int n", 2), None);
        assert_eq!(unequal("k", "", 0), None);
        assert!(unequal("k", "int* v", 2).is_some_and(|why| why.contains("`k` has 1 parameters")));
    }

    #[test]
    fn sizes_that_cannot_be_drawn_are_named() {
        let size = |text: &str| toml::from_str::<std::collections::BTreeMap<String, SizeSpec>>(text).unwrap();
        for text in ["n = { from = 9, to = 1 }", "n = { from = 1, to = 9, step = 0 }", "n = { one_of = [] }"] {
            assert!(size(text).iter().any(|(name, size)| unfit(name, size).is_some()), "{text}");
        }
        assert_eq!(size("n = { from = 9, to = 9 }").iter().find_map(|(name, size)| unfit(name, size)), None);
    }
}
