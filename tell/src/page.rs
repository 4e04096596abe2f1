//! A run as one page, which a browser opens from disk (docs/web.md).
//!
//! The player is built from `web/` and stored; here it gets its run, as data. A page has every text in all languages,
//! because its reader may choose another one.

use crate::game::Game;
use crate::said::Bilingual;
use base64::prelude::{BASE64_STANDARD, Engine};
use emulator::Policy;
use emulator::finding::Finding;
use report::{Reader, deed_of};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use trace::{ArrayName, Trace};
use trial::{Kept, RunId};
use words::Language;

/// The page without its run: `cargo xtask web` makes it.
static PLAYER: &str = include_str!("../../web/dist/player.html");

/// The placeholder of the run.
const PLACE: &str = "{{run}}";

/// The emulator as WebAssembly, packed, for a page whose reader may choose the schedule: `cargo xtask web --emulator`
/// makes it.
static EMULATOR: &[u8] = include_bytes!("../../web/dist/emulator.wasm.gz");

/// The placeholder of the emulator.
const EMULATORS_PLACE: &str = "{{emulator}}";

/// The place of the run in a command: `web/src/live/token.ts` fills it in.
pub const RUN: &str = "{run}";

/// The data that `web/src/page.ts` reads.
#[derive(Serialize)]
pub struct PageData<'a> {
    pub version: u32,
    pub language: &'static str,
    pub lesson: &'a str,
    pub kernel: &'a str,
    pub command: String,
    /// The same for any run, which stands in it as [`RUN`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub any_command: Option<String>,
    pub run: Bilingual,
    pub answer: PageAnswer,
    pub findings: Vec<FindingSaid>,
    /// The name of each array of the trace in the source.
    pub arrays: Vec<String>,
    pub sources: Vec<SourceText<'a>>,
    pub trace: &'a Trace,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made: Option<PageRequest<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'a Game>,
    /// Said at the top if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Bilingual>,
}

/// The request of a page to its emulator to make this run.
#[derive(Serialize)]
pub struct PageRequest<'a> {
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

impl PageRequest<'_> {
    pub fn of(run: &RunId) -> PageRequest<'_> {
        let kind = run.schedule.as_str();
        let (seed, depth) = match run.schedule.policy(run.seed) {
            Policy::Random { seed } | Policy::Adversarial { seed } => (Some(seed), None),
            Policy::Steps { seed, .. } => (seed, None),
            Policy::Pct { seed, depth } => (Some(seed), Some(depth)),
            _ => (None, None),
        };
        let policy = PolicyAsked { kind, seed, depth };
        PageRequest { policy, fuel: trial::fuel(run.size), keep: run.keep.as_ref().and_then(Kept::numbers) }
    }
}

#[derive(Serialize)]
pub struct PageAnswer {
    pub is_right: bool,
    pub said: Bilingual,
}

#[derive(Serialize)]
pub struct FindingSaid {
    message: Bilingual,
    why: Bilingual,
    deeds: Vec<Bilingual>,
    report: Bilingual,
    /// The text of a fix, or of what may fix it; absent where a student is to think first.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Bilingual>,
}

#[derive(Serialize)]
pub struct SourceText<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// First and last line of each kernel that ran.
    pub kernels: Vec<(u32, u32)>,
}

/// For the command line: whether a page can have this name.
pub fn has_form(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
}

impl FindingSaid {
    pub fn of(
        finding: &Finding,
        reader: impl Fn(Language) -> Reader,
        report: impl FnMut(Language) -> String,
    ) -> FindingSaid {
        let deed = |access| Bilingual::of(|language| deed_of(finding, access, &reader(language)));
        FindingSaid {
            message: Bilingual::of(|language| report::message(finding, &reader(language))),
            why: Bilingual::of(|language| report::why(finding, &reader(language))),
            deeds: finding.accesses.iter().map(deed).collect(),
            report: Bilingual::of(report),
            fix: None,
        }
    }

    pub fn with(self, fix: Bilingual) -> FindingSaid {
        FindingSaid { fix: Some(fix), ..self }
    }
}

/// The player with a run, from [`run_page::json`](crate::run_page::json) or a lesson's. `is_live`: with the emulator,
/// for a page that makes runs itself.
pub fn filled(json: &str, is_live: bool) -> String {
    whole(json, &if is_live { BASE64_STANDARD.encode(EMULATOR) } else { String::new() })
}

/// The player with its run. In the data `<` is written as an escape, so that no text can end the element that holds it.
fn whole(json: &str, emulator: &str) -> String {
    PLAYER.replacen(EMULATORS_PLACE, emulator, 1).replacen(PLACE, &json.replace('<', "\\u003c"), 1)
}

/// Returns the name of a trace's array in the source. `parameter` names a kernel's parameter by its number.
pub fn array_name(name: &ArrayName, parameter: impl Fn(&str, usize) -> Option<String>) -> String {
    match name {
        ArrayName::Shared { name, .. } | ArrayName::Variable { name } => name.clone(),
        ArrayName::Argument { number, kernel } => {
            parameter(kernel, *number).unwrap_or_else(|| say!("page-argument", number = *number))
        }
    }
}

/// Those that ran.
pub fn kernels(trace: &Trace) -> BTreeSet<&str> {
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
        let page = filled(&json, true);
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
