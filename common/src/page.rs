//! `--web FILE.html`: the traced run as one page, which a browser opens from disk (docs/web.md).
//!
//! The player is built from `web/` and stored; here it gets its run, as data. A page has every text in all languages, because
//! its reader may choose another one.

use crate::game::Game;
use crate::kept::Kept;
use crate::kernel_file::KernelFile;
use crate::lesson::Lesson;
use crate::outcome::{Key, Merged};
use crate::report::{self, Reported, Setting, json, text};
use crate::run_id::RunId;
use crate::token::{Schedule, Token};
use crate::traced::Traced;
use crate::trial;
use ::report::{Paint, Reader, Remarks, deed_of, labelled, parameter_name, render};
use anyhow::Context as _;
use base64::prelude::{BASE64_STANDARD, Engine};
use driver::emulator::Policy;
use driver::emulator::finding::Finding;
use serde::Serialize;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use trace::{Array, ArrayName, Trace};
use words::Language;

/// The page without its run: `cargo xtask web` makes it.
static PLAYER: &str = include_str!("../../web/dist/player.html");

/// Where the run stands in it.
const PLACE: &str = "{{run}}";

/// The emulator as WebAssembly, packed, for a page whose reader may choose the schedule: `cargo xtask web --emulator` makes it.
static EMULATOR: &[u8] = include_bytes!("../../web/dist/emulator.wasm.gz");

/// Where it stands.
const EMULATORS_PLACE: &str = "{{emulator}}";

/// Where a command has its run: `web/src/live/token.ts` fills it in.
const RUN: &str = "{run}";

/// A text in each language.
#[derive(Clone, Debug, Serialize)]
pub struct Said {
    pub en: String,
    es: String,
}

impl Said {
    /// `text` is called once for each language, while this thread speaks it.
    pub fn of(mut text: impl FnMut(Language) -> String) -> Said {
        let Ok(said) = Said::try_of(|language| Ok::<_, Infallible>(text(language)));
        said
    }

    /// As [`Said::of`], for a text that may be missing.
    pub fn try_of<E>(mut text: impl FnMut(Language) -> Result<String, E>) -> Result<Said, E> {
        let mut in_language = |language: Language| language.during(|| text(language));
        let (en, es) = (in_language(Language::English), in_language(Language::Spanish));
        Ok(Said { en: en?, es: es? })
    }
}

/// What `web/src/page.ts` reads.
#[derive(Serialize)]
pub(crate) struct Page<'a> {
    pub version: u32,
    pub language: &'static str,
    pub lesson: &'a str,
    pub kernel: &'a str,
    pub command: String,
    /// The same for any run, which stands in it as [`RUN`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_command: Option<String>,
    pub run: Said,
    pub answer: Answer,
    pub findings: Vec<FindingSaid>,
    /// What the source calls each array of the trace.
    pub arrays: Vec<String>,
    pub sources: Vec<SourceText<'a>>,
    pub trace: &'a Trace,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<Made<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'a Game>,
    /// Said at the top if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Said>,
}

/// What a page asks of its emulator to make this run.
#[derive(Serialize)]
pub(crate) struct Made<'a> {
    policy: PolicyAsked,
    fuel: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<&'a [u64]>,
}

#[derive(Serialize)]
struct PolicyAsked {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

impl Made<'_> {
    fn of(token: &Token) -> Made<'_> {
        let kind = token.run.schedule.as_str();
        let (seed, depth) = match token.run.schedule.policy(token.run.seed) {
            Policy::Random { seed } | Policy::Adversarial { seed } => (Some(seed), None),
            Policy::Steps { seed, .. } => (seed, None),
            Policy::Pct { seed, depth } => (Some(seed), Some(depth)),
            _ => (None, None),
        };
        let policy = PolicyAsked { kind, seed, depth };
        Made { policy, fuel: trial::fuel(token.run.size), keep: token.run.keep.as_ref().and_then(Kept::numbers) }
    }
}

#[derive(Serialize)]
pub(crate) struct Answer {
    pub is_right: bool,
    pub said: Said,
}

#[derive(Serialize)]
pub(crate) struct FindingSaid {
    message: Said,
    why: Said,
    deeds: Vec<Said>,
    report: Said,
    /// What fixes it, or may; absent where a student is to think first.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Said>,
}

#[derive(Serialize)]
pub(crate) struct SourceText<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// First and last line of each kernel that ran.
    pub kernels: Vec<(u32, u32)>,
}

/// For the command line: whether a page can have this name.
pub fn has_form(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
}

impl Lesson {
    /// Writes the page of what has been traced to the file that `--web` names, if it names one.
    pub(crate) fn write_page(&self) -> anyhow::Result<()> {
        let Some(path) = &self.options.web else { return Ok(()) };
        let traced = self.traced.borrow();
        let traced = traced.as_ref().with_context(|| say!("nothing-to-trace"))?;
        let reported = self.reported.borrow();
        let reported = reported.iter().find(|reported| reported.kernel.name == traced.kernel.name);
        let reported = reported.with_context(|| say!("nothing-to-trace"))?;
        let shown = || path.display().to_string();
        let emulator = if traced.game.is_some() { BASE64_STANDARD.encode(EMULATOR) } else { String::new() };
        let page = whole(&json(traced, reported, &self.setting()), &emulator);
        fs::write(path, page).with_context(|| say!("page-unwritable", path = shown()))?;
        if self.is_talking() {
            report::say(&format!("\n{}\n", say!("page-is-in", path = shown(), run = traced.token.to_string())));
        }
        Ok(())
    }
}

/// The player with a run, from [`crate::run_page::json`].
pub fn filled(json: &str) -> String {
    whole(json, &BASE64_STANDARD.encode(EMULATOR))
}

impl Lesson {
    /// For `--site`: what the page of a kernel holds, as a file of its own. A kernel that is not run has none.
    pub(crate) fn write_page_data(&self, reported: &Reported) -> anyhow::Result<()> {
        let Some(folder) = &self.options.site else { return Ok(()) };
        let traced = self.traced.borrow();
        let name = &reported.kernel.name;
        let Some(traced) = traced.as_ref().filter(|traced| traced.kernel.name == *name) else { return Ok(()) };
        let path = folder.join(format!("{name}.json"));
        let data = json(traced, reported, &self.setting());
        fs::write(&path, data).with_context(|| say!("page-unwritable", path = path.display().to_string()))
    }
}

/// The player with its run. In the data `<` is written as an escape, so that no text can end the element that holds it.
fn whole(json: &str, emulator: &str) -> String {
    PLAYER.replacen(EMULATORS_PLACE, emulator, 1).replacen(PLACE, &json.replace('<', "\\u003c"), 1)
}

fn json(traced: &Traced, reported: &Reported, setting: &Setting) -> String {
    let Traced { kernel, token, trace, wrong, answer, game, .. } = traced;
    let page = Page {
        version: 1,
        language: Language::current().code(),
        lesson: setting.lesson,
        kernel: &kernel.name,
        command: text::replay(setting, reported, token.clone()),
        any_command: Some(any_command(setting, reported, token)),
        run: Said::of(|_| say!("page-run", schedule = token.run.schedule.as_str(), size = token.run.size)),
        answer: Answer { is_right: wrong.is_none(), said: answer.clone() },
        findings: trace.findings.iter().map(|found| finding(&found.finding, traced, reported, setting)).collect(),
        arrays: trace.arrays.iter().map(|array| array_name(array, setting.files)).collect(),
        sources: sources(trace, setting.files),
        trace,
        made: Some(Made::of(token)),
        game: game.as_ref(),
        title: None,
    };
    let named = |file: &str| match setting.files.iter().find(|known| known.is_at(file)) {
        Some(known) => known.source_path.to_string(),
        None => file.to_string(),
    };
    json::with_files_named(&page, &named).to_string()
}

fn finding(finding: &Finding, traced: &Traced, reported: &Reported, setting: &Setting) -> FindingSaid {
    let source = |path: &str| setting.source(path);
    let reader = |language| Reader::of(finding, source, language);
    let of_this_run = of_this_run(finding, traced, reported);
    let whole = |language| match &of_this_run {
        Some(merged) => text::report(setting, reported, merged, Paint::Plain, true),
        None => render(finding, source, &Remarks { language, ..Remarks::default() }, Paint::Plain),
    };
    let told = of_this_run.as_ref().map_or(::report::Fix::Idea, |merged| merged.fix.told(reported.kernel.file.source));
    // The page has the whole source beside it.
    let shown: Vec<u32> = match &told {
        ::report::Fix::Tried { changes, .. } => changes.iter().map(|change| change.line).collect(),
        _ => Vec::new(),
    };
    let fix = Said::of(|language| {
        let reader = reader(language);
        let (label, text) = labelled(&told, ::report::fix(finding, &reader), finding.is_error(), &shown, &reader);
        format!("{label}: {}", text.replace('\n', " "))
    });
    FindingSaid { fix: Some(fix), ..FindingSaid::of(finding, reader, whole) }
}

impl FindingSaid {
    pub fn of(
        finding: &Finding,
        reader: impl Fn(Language) -> Reader,
        report: impl FnMut(Language) -> String,
    ) -> FindingSaid {
        let deed = |access| Said::of(|language| deed_of(finding, access, &reader(language)));
        FindingSaid {
            message: Said::of(|language| ::report::message(finding, &reader(language))),
            why: Said::of(|language| ::report::why(finding, &reader(language))),
            deeds: finding.accesses.iter().map(deed).collect(),
            report: Said::of(report),
            fix: None,
        }
    }
}

/// The command that makes a run of this kernel at this size again, with a place for its schedule, seed and choices.
fn any_command(setting: &Setting, reported: &Reported, token: &Token) -> String {
    let steps = Token { run: RunId { schedule: Schedule::Steps, ..RunId::in_order(token.run.size) }, ..token.clone() };
    text::replay(setting, reported, steps).replacen("/steps/0/", &format!("/{RUN}/"), 1)
}

/// The finding as this run has it, with what all runs say of it: how often it was found, and what fixes it.
fn of_this_run(finding: &Finding, traced: &Traced, reported: &Reported) -> Option<Merged> {
    let key = Key::of(finding);
    let merged = reported.outcome.findings.iter().find(|merged| Key::of(&merged.finding) == key)?.clone();
    let (run, wrong) = (traced.token.run.clone(), traced.wrong.clone());
    Some(Merged { finding: finding.clone(), run, wrong, smallest: None, ..merged })
}

fn array_name(array: &Array, files: &[KernelFile]) -> String {
    match &array.name {
        ArrayName::Shared { name, .. } | ArrayName::Variable { name } => name.clone(),
        ArrayName::Argument { number, kernel } => {
            let named = files.iter().find_map(|file| parameter_name(file.source, kernel, *number));
            named.unwrap_or_else(|| say!("page-argument", number = *number))
        }
    }
}

/// The kernel files that the trace's sites name; no headers of the toolkit.
fn sources(trace: &Trace, files: &'static [KernelFile]) -> Vec<SourceText<'static>> {
    let places = trace.sites.iter().flat_map(|site| site.location.iter().chain(&site.called_from));
    let named: BTreeSet<&str> = places.map(|place| place.file.as_str()).collect();
    let kernels = kernels(trace);
    let ran = files.iter().filter(|file| named.iter().any(|name| file.is_at(name)));
    let extents = |file: &KernelFile| kernels.iter().filter_map(|kernel| file.extent(kernel)).collect::<Vec<_>>();
    ran.map(|file| SourceText {
        path: file.source_path,
        text: file.source,
        kernels: extents(file).into_iter().map(|lines| (*lines.start(), *lines.end())).collect(),
    })
    .collect()
}

/// Those that ran.
pub(crate) fn kernels(trace: &Trace) -> BTreeSet<&str> {
    trace.launches.iter().flat_map(|launch| &launch.grids).map(|grid| grid.kernel.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_has_one_place_for_a_run_and_names_nothing_outside() {
        assert_eq!((PLAYER.matches(PLACE).count(), PLAYER.matches(EMULATORS_PLACE).count()), (1, 1));
        assert!(PLAYER.contains("default-src 'none'") && !PLAYER.contains("unsafe-inline"));
        // The one address is the name of SVG's elements.
        assert_eq!(PLAYER.matches("://").count(), PLAYER.matches("http://www.w3.org/2000/svg").count());
    }

    #[test]
    fn no_text_of_a_run_is_markup() {
        let hostile = "</script><script>alert(1)</script><!-- \u{2028} & ]]>";
        let json = serde_json::to_string(&[hostile]).unwrap();
        let page = filled(&json);
        let data = page.split("id=\"run\">").nth(1).unwrap();
        let (data, rest) = data.split_once("</script>").unwrap();
        assert_eq!(serde_json::from_str::<Vec<String>>(data).unwrap(), [hostile]);
        assert_eq!(rest, PLAYER.split(PLACE).nth(1).unwrap().strip_prefix("</script>").unwrap());
    }

    #[test]
    fn a_page_is_html() {
        for (name, is_page) in [("a.html", true), ("dir/A.HTML", true), ("a.htm", false), ("html", false)] {
            assert_eq!(has_form(Path::new(name)), is_page, "{name}");
        }
    }
}
