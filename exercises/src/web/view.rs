//! Data for the page, as JSON. `web/src/learn/api.ts` has the same types. Every text is plain text.

use super::files::FileContents;
use super::judging::{ExerciseState, FileResults, JudgingFix};
use crate::catalog::Exercise;
use crate::session::{LearnSession, shown};
use crate::spec::ExerciseKind;
use crate::verdict::Verdict;
use crate::{Language, reason};
use anyhow::Result;
use serde::Serialize;
use tell::sarif::{FilePosition, Level, Problem};

/// All exercises, and what is done.
#[derive(Serialize)]
pub struct List {
    language: &'static str,
    /// `3 of 107 solved`
    standing: String,
    solved: usize,
    of: usize,
    topics: Vec<TopicView>,
    /// The one to begin with.
    next: String,
    /// Why there is no compiler.
    missing: Option<String>,
}

#[derive(Serialize)]
struct TopicView {
    name: String,
    title: String,
    exercises: Vec<ViewItem>,
}

#[derive(Serialize)]
struct ViewItem {
    name: String,
    title: String,
    kind: &'static str,
    minutes: u32,
    is_solved: bool,
    /// It needs a compiler, and there is none.
    is_blocked: bool,
    hints: usize,
}

impl List {
    pub fn of(session: &LearnSession) -> Result<List> {
        let progress = session.progress()?;
        let item = |exercise: &Exercise| ViewItem {
            name: exercise.name.clone(),
            title: exercise.title().to_string(),
            kind: exercise.spec.kind.as_str(),
            minutes: exercise.spec.minutes,
            is_solved: progress.is_solved(&exercise.name),
            is_blocked: session.obstacle(exercise).is_some(),
            hints: progress.exercise.get(&exercise.name).map_or(0, |record| record.hints),
        };
        let all = &session.catalog.exercises;
        let topic = |(name, topic): &(String, crate::spec::Topic)| TopicView {
            name: name.clone(),
            title: session.catalog.title(name, topic).to_string(),
            exercises: all.iter().filter(|exercise| exercise.topic() == name).map(item).collect(),
        };
        Ok(List {
            language: Language::current().code(),
            standing: session.standing()?,
            solved: all.iter().filter(|exercise| progress.is_solved(&exercise.name)).count(),
            of: all.len(),
            topics: session.catalog.topics.iter().map(topic).collect(),
            next: session.pick(None)?.name.clone(),
            missing: all.iter().find_map(|exercise| session.obstacle(exercise)).map(str::to_string),
        })
    }
}

/// One exercise, opened.
#[derive(Serialize)]
pub struct Opened {
    name: String,
    title: String,
    kind: &'static str,
    minutes: u32,
    /// The path of the student's copy.
    file: String,
    /// `cpp` or `rust`.
    code: &'static str,
    text: String,
    version: String,
    questions: Vec<String>,
    hints: TakenHints,
    is_solved: bool,
}

#[derive(Serialize)]
pub struct TakenHints {
    pub taken: Vec<String>,
    pub are_all: bool,
}

impl TakenHints {
    pub fn of(session: &LearnSession, exercise: &Exercise, taken: usize) -> TakenHints {
        let said = if taken == 0 { Vec::new() } else { session.hints(exercise, taken) };
        TakenHints { taken: said, are_all: taken >= exercise.hints().len() }
    }
}

impl Opened {
    pub fn of(
        session: &LearnSession,
        exercise: &Exercise,
        FileContents { text, version }: FileContents,
    ) -> Result<Opened> {
        let progress = session.progress()?;
        let taken = progress.exercise.get(&exercise.name).map_or(0, |record| record.hints);
        Ok(Opened {
            name: exercise.name.clone(),
            title: exercise.title().to_string(),
            kind: exercise.spec.kind.as_str(),
            minutes: exercise.spec.minutes,
            file: shown(&session.desk.file(exercise)),
            code: if exercise.spec.kind == ExerciseKind::Host { "rust" } else { "cpp" },
            text,
            version,
            questions: (0..exercise.spec.questions.len()).map(|number| exercise.question(number).into()).collect(),
            hints: TakenHints::of(session, exercise, taken),
            is_solved: progress.is_solved(&exercise.name),
        })
    }
}

/// The state of an exercise.
#[derive(Serialize)]
pub struct Now {
    number: u64,
    /// The version of the file on disk.
    version: String,
    is_judging: bool,
    /// It waits for cargo, which takes minutes the first time.
    is_building: bool,
    verdict: Option<VerdictView>,
    /// Asked again and again, it costs little.
    standing: String,
    is_solved: bool,
}

/// A verdict, or why there is none.
#[derive(Serialize)]
struct VerdictView {
    /// The version of the file that was judged.
    version: String,
    passed: bool,
    is_verbose: bool,
    kinds: Vec<&'static str>,
    /// The text about the run; the line about the exercise; and the text after it.
    told: String,
    line: String,
    more: String,
    marks: Vec<LineMark>,
    /// There is a run to be shown.
    has_run: bool,
    /// Absent: untried. Empty lines: nothing helps.
    fix: Option<TriedView>,
    can_fix: bool,
}

#[derive(Serialize)]
struct TriedView {
    is_over: bool,
    text: String,
}

/// Something to be seen at a line of the file.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct LineMark {
    /// From 1.
    line: u32,
    text: String,
    /// The finding itself, or what happened at one of its lines.
    is_main: bool,
}

impl Now {
    pub fn of(session: &LearnSession, exercise: &Exercise, version: String, standing: ExerciseState) -> Result<Now> {
        let file = exercise.path();
        let ExerciseState { number, is_judging, is_building, done } = standing;
        let verdict = done.map(|done| said(done, &file, exercise));
        let is_solved = session.progress()?.is_solved(&exercise.name);
        Ok(Now { number, version, is_judging, is_building, verdict, standing: session.standing()?, is_solved })
    }
}

fn said(done: FileResults, file: &str, exercise: &Exercise) -> VerdictView {
    let FileResults { version, outcome, fix, is_verbose } = done;
    let fix = match fix {
        JudgingFix::Untried => None,
        JudgingFix::Trying => Some(TriedView { is_over: false, text: String::new() }),
        JudgingFix::Told(text) => Some(TriedView { is_over: true, text }),
    };
    let verdict = match outcome {
        Ok(verdict) => verdict,
        Err(why) => Verdict { text: why, ..Verdict::default() },
    };
    let [told, line, more] = parts(&verdict);
    let has_run = verdict.replay.is_some() && !verdict.passed && exercise.spec.kind != ExerciseKind::Break;
    VerdictView {
        version,
        passed: verdict.passed,
        is_verbose,
        kinds: verdict.kinds.iter().map(|kind: &reason::Reason| kind.as_str()).collect(),
        marks: marks(&verdict, &told, file, is_verbose),
        told,
        line,
        more,
        has_run,
        can_fix: has_run && exercise.spec.kind.has_fixes(),
        fix,
    }
}

/// Returns the text before the line about the exercise, that line, and the text after it.
fn parts(verdict: &Verdict) -> [String; 3] {
    let at = verdict.line_at.filter(|at| verdict.text.is_char_boundary(*at));
    let Some(at) = at else { return [verdict.text.clone(), String::new(), String::new()] };
    let (told, rest) = verdict.text.split_at(at);
    let (line, more) = rest.split_once('\n').unwrap_or((rest, ""));
    [told, line, more].map(str::to_string)
}

/// Returns marks for the findings that the text shows, at all their lines; else for what a compiler says about lines.
fn marks(verdict: &Verdict, told: &str, file: &str, is_verbose: bool) -> Vec<LineMark> {
    let shown = if is_verbose { usize::MAX } else { 1 };
    let errors = verdict.problems.iter().filter(|problem| problem.level == Level::Error);
    let mut marks: Vec<LineMark> = errors.take(shown).flat_map(|problem| of_problem(problem, file)).collect();
    if marks.is_empty() && !verdict.passed {
        marks = told.lines().zip(told.lines().skip(1).chain([""])).filter_map(|pair| of_compiler(pair, file)).collect();
    }
    marks
}

fn of_problem(problem: &Problem, file: &str) -> Vec<LineMark> {
    let is_here = |place: &&FilePosition| place.path == file;
    let title = format!("{}: {}", problem.rule, problem.title);
    let main =
        problem.at.iter().filter(is_here).map(|at| LineMark { line: at.line, text: title.clone(), is_main: true });
    let related = problem.related.iter().filter(|(place, _)| is_here(&place));
    let related = related.map(|(place, text)| LineMark { line: place.line, text: text.clone(), is_main: false });
    main.chain(related).collect()
}

/// `x.cu(12): error: ...` of NVIDIA's compilers; `error: ...` before ` --> x.rs:12:5` of rustc.
fn of_compiler((line, next): (&str, &str), file: &str) -> Option<LineMark> {
    let mark = |number: &str, text: &str| {
        Some(LineMark { line: number.parse().ok()?, text: text.trim().to_string(), is_main: true })
    };
    if let Some((number, text)) = line.strip_prefix(file).and_then(|rest| rest.strip_prefix('(')?.split_once("):")) {
        return text.trim_start().starts_with("error").then(|| mark(number, text))?;
    }
    let place = next.trim_start().strip_prefix("--> ")?.strip_prefix(file)?.strip_prefix(':')?;
    line.starts_with("error").then(|| mark(place.split(':').next()?, line))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Reason;

    fn seen(verdict: &Verdict, is_verbose: bool) -> Vec<(u32, bool)> {
        let [told, ..] = parts(verdict);
        marks(verdict, &told, "a/x.cu", is_verbose).iter().map(|mark| (mark.line, mark.is_main)).collect()
    }

    fn problem(path: &str, line: u32) -> Problem {
        let at = |line| FilePosition { path: path.into(), line, column: 1, text: String::new() };
        Problem {
            rule: "race-shared".into(),
            title: "t".into(),
            level: Level::Error,
            message: "m".into(),
            at: Some(at(line)),
            related: vec![(at(line), "(2) b".into()), (at(line + 2), "(1) a".into())],
            kernel: "k".into(),
            fingerprint: "k".into(),
            fix: Vec::new(),
        }
    }

    #[test]
    fn a_race_is_marked_at_both_its_lines_and_other_files_are_not_this_one() {
        let problems = vec![problem("a/x.cu", 5), problem("a/x.cu", 8), problem("b/x.cu", 9)];
        let verdict = Verdict { problems, ..Verdict::unsolved(&[Reason::Answer], "told\n", "line", "more") };
        assert_eq!(seen(&verdict, false), [(5, true), (5, false), (7, false)]);
        assert_eq!(seen(&verdict, true).len(), 6);
    }

    #[test]
    fn what_compilers_say_is_marked_at_its_line() {
        let log = "a/x.cu(12): error: expected a \";\"\n  y\na/x.cu(3): warning: unused\na/y.cu(4): error: no\n";
        assert_eq!(seen(&Verdict::unsolved(&[Reason::Compile], log, "l", ""), false), [(12, true)]);
        let log = "error[E0425]: cannot find `x`\n --> a/x.cu:7:5\n  |\nwarning: unused\n --> a/x.cu:9:1\n";
        assert_eq!(seen(&Verdict::unsolved(&[Reason::Compile], log, "l", ""), false), [(7, true)]);
    }

    #[test]
    fn a_verdict_falls_into_its_parts() {
        let verdict = Verdict::unsolved(&[Reason::Answer], "told\n\n", "x.cu (answer)", "more\n");
        assert_eq!(parts(&verdict), ["told\n\n", "not solved yet: x.cu (answer)", "more\n"]);
        let without = Verdict { text: "why".into(), ..Verdict::default() };
        assert_eq!(parts(&without), ["why", "", ""]);
    }
}
