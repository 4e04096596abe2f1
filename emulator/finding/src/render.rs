//! A finding as text, in the manner of rustc: both ends numbered on their source lines, then why and what would help.
//!
//! Pure: the caller looks the sources up and says what only it knows (luck over many runs, how to replay).

use super::{Access, Finding, SourceLocation, ThreadName, parameter_name};
use std::fmt::Write;

/// Whether the text carries colours (ANSI SGR codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Ansi,
}

/// A source file as the reader knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The path to show, which may be shorter than the one in the PTX.
    pub path: &'a str,
    pub text: &'a str,
}

/// What the caller adds to a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// How lucky this run was among others.
    pub luck: Option<String>,
    /// The command that makes the same run again.
    pub replay: Option<String>,
    /// The smallest run that shows it, and its command.
    pub smallest: Option<String>,
    /// It is no finding, and shown as a note without a slug.
    pub is_hint: bool,
    /// The command that tells what this kind of finding is.
    pub explain: Option<String>,
}

const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const BLUE: &str = "1;34";
const BOLD: &str = "1";

/// The finding's report, ending in a line break. `source` finds a file by the name that the PTX gives it.
pub fn render<'a>(
    finding: &Finding,
    source: impl Fn(&str) -> Option<Source<'a>>,
    remarks: &Remarks,
    paint: Paint,
) -> String {
    let finding = &with_names(finding, &source);
    let ends = ends(finding, &source);
    // As wide as the largest line number, and two at least.
    let width = ends.iter().map(|end| end.line.to_string().len()).max().unwrap_or(0).max(2);
    let gutter = |text: &str| paint.with(BLUE, &format!("{text:>width$} |"));
    let mut out = String::new();

    let (word, colour) = if finding.benign || remarks.is_hint { ("note", YELLOW) } else { ("error", RED) };
    let word = if remarks.is_hint { word.to_string() } else { format!("{word}[{}]", finding.slug) };
    let head = paint.with(colour, &word);
    put(&mut out, format_args!("{head}{}", paint.with(BOLD, &format!(": {}", finding.message))));

    let mut file = None;
    let mut line = 0;
    // As a rule the header names the end that the run came to last; the lines below follow the source.
    let named = finding.headline.and_then(|index| ends.iter().find(|end| end.number == index + 1));
    if let Some(last) = named.or_else(|| ends.iter().max_by_key(|end| end.number)) {
        put(&mut out, format_args!("{:>width$}{} {}:{}", "", paint.with(BLUE, "-->"), last.path, last.line));
        file = Some(last.path.as_str());
    }
    for end in &ends {
        if file != Some(end.path.as_str()) {
            put(&mut out, format_args!("{:>width$}{} {}:{}", "", paint.with(BLUE, ":::"), end.path, end.line));
            file = Some(end.path.as_str());
            line = 0;
        }
        if line != end.line {
            line = end.line;
            if let Some(text) = &end.text {
                put(&mut out, format_args!("{} {text}", gutter(&line.to_string())));
            }
        }
        let mark = paint.with(colour, &format!("^ ({}) {}", end.number, end.action));
        put(&mut out, format_args!("{} {:indent$}{mark}", gutter(""), "", indent = end.indent));
    }
    for (number, access) in (1..).zip(&finding.accesses) {
        if access.location.is_none() {
            let action = action(access, are_in_several_blocks(finding));
            let place = match access.ptx_line {
                0 => String::new(), // The host's own.
                line => format!("line {line} of the PTX: "),
            };
            put(&mut out, format_args!("{} ({number}) {place}{action}", gutter("")));
        }
    }

    // The lines above follow the source, the numbers the run.
    let is_plain = ends.is_sorted_by_key(|end| end.number);
    // Of threads that wait for one another the numbers are names.
    let is_plain = is_plain || finding.slug.is_wait();
    let order = (!is_plain).then(|| "the numbers say which came first in this run".to_string());
    let launched = launches(finding, &source);
    let lines = [
        ("order", order.as_ref()),
        ("where", Some(&finding.place)),
        ("launched", Some(&launched)),
        ("why", Some(&finding.why)),
        ("luck", remarks.luck.as_ref()),
        ("help", Some(&finding.help)),
        ("replay", remarks.replay.as_ref()),
        ("smallest", remarks.smallest.as_ref()),
        ("explain", remarks.explain.as_ref()),
    ];
    for (label, text) in lines {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let equals = paint.with(BLUE, &format!("{:>width$} =", ""));
            put(&mut out, format_args!("{equals} {} {text}", paint.with(BOLD, &format!("{label}:"))));
        }
    }
    out
}

/// What is no finding, as a note: without a slug, and without a way to make its run again.
pub fn hint<'a>(hint: &Finding, source: impl Fn(&str) -> Option<Source<'a>>, paint: Paint) -> String {
    render(hint, source, &Remarks { is_hint: true, ..Remarks::default() }, paint)
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Plain => text.to_string(),
            Paint::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// One numbered end with its source line.
struct End {
    /// In the order of the run, from 1.
    number: usize,
    path: String,
    line: u32,
    /// `None` where the source is not at hand.
    text: Option<String>,
    /// Columns before the mark.
    indent: usize,
    action: String,
}

/// The ends that have a place, by file (the last end's first), line and number.
fn ends<'a>(finding: &Finding, source_of: &impl Fn(&str) -> Option<Source<'a>>) -> Vec<End> {
    let names_block = are_in_several_blocks(finding);
    let mut ends: Vec<End> = (1..)
        .zip(&finding.accesses)
        .filter_map(|(number, access)| {
            let location = access.location.as_ref()?;
            let source = source_of(&location.file);
            let written = source.and_then(|source| source.text.lines().nth((location.line as usize).checked_sub(1)?));
            Some(End {
                number,
                path: source.map_or(location.file.as_str(), |source| source.path).to_string(),
                line: location.line,
                text: written.map(|text| expand_tabs(text.trim_end())),
                indent: written.map_or(0, |text| indent(text, location.column)),
                action: action(access, names_block) + &callers(access, location, source_of),
            })
        })
        .collect();
    let first_file = ends.last().map(|end| end.path.clone());
    ends.sort_by_key(|end| (Some(&end.path) != first_file.as_ref(), end.path.clone(), end.line, end.number));
    ends
}

/// `, called from line 30 of lock.cu`: the lines that led into the function where an access stands.
fn callers<'a>(access: &Access, at: &SourceLocation, source: &impl Fn(&str) -> Option<Source<'a>>) -> String {
    let mut text = String::new();
    for caller in &access.called_from {
        let path = source(&caller.file).map_or(caller.file.as_str(), |source| source.path);
        let _ = match caller.file == at.file {
            true => write!(text, ", called from line {}", caller.line),
            false => write!(text, ", called from {path}:{}", caller.line),
        };
    }
    text
}

/// How kernels launched the grids of the ends: `(1) by ... at line 30`.
fn launches<'a>(finding: &Finding, source: &impl Fn(&str) -> Option<Source<'a>>) -> String {
    let mut all: Vec<String> = Vec::new();
    for (number, access) in (1..).zip(&finding.accesses) {
        let mut text = String::new();
        for (nth, site) in access.launched_by.iter().enumerate().take(DEEPEST + 1) {
            let place = match &site.location {
                Some(at) => format!("{}:{}", source(&at.file).map_or(at.file.as_str(), |it| it.path), at.line),
                None => format!("line {} of the PTX", site.ptx_line),
            };
            let _ = match nth {
                0 => write!(
                    text,
                    "({number}) is in `{}`, launched at {place} by {}",
                    site.kernel,
                    who(site.thread, true)
                ),
                DEEPEST => write!(text, ", and so on, {} deep", access.launched_by.len()),
                _ => write!(text, ", in `{}`, launched at {place} by {}", site.kernel, who(site.thread, true)),
            };
        }
        all.extend(Some(text).filter(|text| !text.is_empty()));
    }
    all.join("; ")
}

/// Launches of a chain that are told one by one.
const DEEPEST: usize = 4;

/// The finding with the kernel's own names for arguments, where a source tells them.
pub fn with_names<'a>(finding: &Finding, source: impl Fn(&str) -> Option<Source<'a>>) -> Finding {
    finding.with_arguments_named(|number| {
        let mut files = finding.accesses.iter().filter_map(|access| access.location.as_ref());
        files.find_map(|at| parameter_name(source(&at.file)?.text, &finding.kernel, number))
    })
}

const TAB: &str = "    ";

fn expand_tabs(text: &str) -> String {
    text.replace('\t', TAB)
}

/// Columns before `column` (in bytes, from 1) once tabs are expanded; a column beyond the line counts as its end.
fn indent(text: &str, column: u32) -> usize {
    let before = (column.max(1) - 1) as usize;
    text.char_indices().take_while(|&(at, _)| at < before).map(|(_, c)| if c == '\t' { TAB.len() } else { 1 }).sum()
}

fn are_in_several_blocks(finding: &Finding) -> bool {
    let mut blocks = finding.accesses.iter().filter_map(|access| access.thread).map(|thread| thread.block);
    let first = blocks.next();
    blocks.any(|block| Some(block) != first)
}

fn action(access: &Access, names_block: bool) -> String {
    match access.thread {
        None => access.action.clone(),
        Some(thread) => format!("{} {}", who(thread, names_block), access.action),
    }
}

/// `thread 128 (warp 4, lane 0)`; block and three dimensions only where they tell something.
fn who(ThreadName { block, thread, linear }: ThreadName, names_block: bool) -> String {
    let triple = |[x, y, z]: [u32; 3]| if (y, z) == (0, 0) { x.to_string() } else { format!("({x},{y},{z})") };
    let mut text = format!("thread {} (warp {}, lane {})", triple(thread), linear / 32, linear % 32);
    if names_block {
        text.insert_str(0, &format!("block {}, ", triple(block)));
    }
    text
}

fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("a String takes every line");
}

#[cfg(test)]
mod tests {
    use super::super::{Argument, Slug};
    use super::*;

    const BLOCK_SUM: &str = "\
// a sum
    partial[t] = in[blockIdx.x * 256 + t];
    for (unsigned half = 128; half > 0; half /= 2) {
\tif (t < half) partial[t] += partial[t + half];
";

    fn access(line: u32, column: u32, block: u32, thread: u32, action: &str) -> Access {
        Access {
            location: Some(SourceLocation { file: "/src/cuda/lesson02/block_sum.cu".to_string(), line, column }),
            called_from: Vec::new(),
            launched_by: Vec::new(),
            ptx_line: 77,
            thread: Some(ThreadName { block: [block, 0, 0], thread: [thread, 0, 0], linear: thread }),
            action: action.to_string(),
        }
    }

    fn finding(accesses: Vec<Access>) -> Finding {
        Finding {
            slug: Slug::RaceShared,
            kernel: "block_sum_broken".to_string(),
            message: "a store and a load of `partial[128]` are not ordered".to_string(),
            headline: None,
            accesses,
            place: "block (0,0,0), 4 bytes at shared+0x200".to_string(),
            why: "neither thread has passed a barrier yet".to_string(),
            help: "put a `__syncthreads()` between lines 2 and 4".to_string(),
            count: 128,
            benign: false,
            arguments: Vec::new(),
        }
    }

    fn show(finding: &Finding) -> String {
        let source = |file: &str| {
            file.ends_with("block_sum.cu").then_some(Source { path: "cuda/lesson02/block_sum.cu", text: BLOCK_SUM })
        };
        let remarks = Remarks {
            luck: Some("in 11 of 64 schedules (2) ran first".to_string()),
            replay: Some("cargo run -p lesson02-sync -- --replay block_sum/broken/random/7/256".to_string()),
            ..Remarks::default()
        };
        render(finding, source, &remarks, Paint::Plain)
    }

    #[test]
    fn both_ends_stand_on_their_lines() {
        let race = finding(vec![access(2, 5, 0, 128, "stored 128.0"), access(4, 2, 0, 0, "loaded 0.0")]);
        assert_eq!(
            show(&race),
            "\
error[race-shared]: a store and a load of `partial[128]` are not ordered
  --> cuda/lesson02/block_sum.cu:4
 2 |     partial[t] = in[blockIdx.x * 256 + t];
   |     ^ (1) thread 128 (warp 4, lane 0) stored 128.0
 4 |     if (t < half) partial[t] += partial[t + half];
   |     ^ (2) thread 0 (warp 0, lane 0) loaded 0.0
   = where: block (0,0,0), 4 bytes at shared+0x200
   = why: neither thread has passed a barrier yet
   = luck: in 11 of 64 schedules (2) ran first
   = help: put a `__syncthreads()` between lines 2 and 4
   = replay: cargo run -p lesson02-sync -- --replay block_sum/broken/random/7/256
"
        );
    }

    #[test]
    fn lines_follow_the_source_and_numbers_follow_the_run() {
        let race = finding(vec![access(4, 2, 0, 0, "loaded 0.0"), access(2, 5, 0, 128, "stored 128.0")]);
        let text = show(&race);
        let (two, four) = (text.find(" 2 | ").unwrap(), text.find(" 4 | ").unwrap());
        assert!(two < four, "{text}");
        assert!(text.contains("(2) thread 128") && text.contains("(1) thread 0"), "{text}");
    }

    #[test]
    fn of_threads_that_wait_the_numbers_are_names_and_no_order_is_told() {
        let ends = || vec![access(4, 2, 0, 0, "waits"), access(2, 5, 0, 128, "waits")];
        let told = |slug| show(&Finding { slug, ..finding(ends()) }).contains("= order:");
        assert_eq!(Slug::ALL.into_iter().filter(|slug| !told(*slug)).count(), 4);
        assert!(!told(Slug::Livelock) && !told(Slug::BarrierDivergence) && told(Slug::RaceShared));
    }

    #[test]
    fn one_line_with_both_ends_is_printed_once_and_blocks_are_told_apart() {
        let race = finding(vec![access(2, 5, 0, 3, "stored 1"), access(2, 5, 7, 3, "loaded 0")]);
        let text = show(&race);
        assert_eq!(text.matches("partial[t] = in").count(), 1, "{text}");
        assert!(text.contains("   |     ^ (1) block 0, thread 3 (warp 0, lane 3) stored 1\n"), "{text}");
        assert!(text.contains("   |     ^ (2) block 7, thread 3 (warp 0, lane 3) loaded 0\n"), "{text}");
    }

    #[test]
    fn a_function_of_the_users_is_shown_with_the_lines_that_called_it() {
        let mut race = finding(vec![access(2, 5, 0, 3, "stored 1"), access(2, 5, 0, 4, "loaded 0")]);
        race.accesses[0].called_from = vec![race.accesses[0].location.clone().unwrap()];
        race.accesses[0].called_from[0].line = 4;
        let other = SourceLocation { file: "other.cuh".to_string(), line: 9, column: 1 };
        race.accesses[1].called_from = vec![other];
        let text = show(&race);
        assert!(text.contains("(1) thread 3 (warp 0, lane 3) stored 1, called from line 4\n"), "{text}");
        assert!(text.contains("(2) thread 4 (warp 0, lane 4) loaded 0, called from other.cuh:9\n"), "{text}");
    }

    #[test]
    fn an_argument_is_called_as_the_source_calls_it() {
        let words = "element 5 of what argument 2 points to";
        let mut race = finding(vec![access(2, 5, 0, 3, "stored 1"), access(2, 5, 0, 4, "loaded 0")]);
        race.message = format!("a store and a load of {words} are not ordered");
        race.place = "byte 20 of the 4096-byte buffer that argument 2 points to".to_string();
        race.arguments = vec![Argument { number: 2, words: words.to_string(), index: Some(5) }];
        let kernel = "__global__ void block_sum_broken(const float* in, float* out) {\n\n";
        let source = |_: &str| Some(Source { path: "a.cu", text: kernel });
        let text = render(&race, source, &Remarks::default(), Paint::Plain);
        assert!(text.contains("a store and a load of `out[5]` are not ordered"), "{text}");
        assert!(text.contains("20 of the 4096-byte buffer that `out` points to"), "{text}");
        assert!(show(&race).contains(words));
    }

    #[test]
    fn an_end_without_a_line_names_its_ptx_line() {
        let mut race = finding(vec![access(2, 5, 0, 3, "stored 1"), access(2, 5, 0, 4, "loaded 0")]);
        race.accesses[1].location = None;
        let text = show(&race);
        assert!(text.contains("   | (2) line 77 of the PTX: thread 4 (warp 0, lane 4) loaded 0\n"), "{text}");
    }

    #[test]
    fn the_hosts_own_read_has_no_line_at_all() {
        let mut copied = finding(vec![access(2, 5, 0, 3, "stored 1")]);
        copied.accesses.push(Access::of_host("the host read 4 bytes".into()));
        assert!(show(&copied).contains("   | (2) the host read 4 bytes\n"), "{}", show(&copied));
    }

    #[test]
    fn a_file_that_is_not_at_hand_still_has_its_name() {
        let mut race = finding(vec![access(2, 5, 0, 3, "stored 1")]);
        race.accesses[0].location.as_mut().unwrap().file = "elsewhere.cuh".to_string();
        let text = show(&race);
        assert!(text.contains("--> elsewhere.cuh:2\n   | ^ (1) thread 3"), "{text}");
    }

    #[test]
    fn places_beyond_the_source_do_no_harm() {
        for (line, column) in [(0, 0), (1, 4000), (u32::MAX, u32::MAX)] {
            assert!(show(&finding(vec![access(line, column, 0, 0, "stored 1")])).contains("(1) thread 0"));
        }
    }

    #[test]
    fn colour_changes_no_word() {
        let race = finding(vec![access(2, 5, 0, 128, "stored 128.0"), access(4, 2, 0, 0, "loaded 0.0")]);
        let source = |_: &str| Some(Source { path: "a.cu", text: BLOCK_SUM });
        let plain = render(&race, source, &Remarks::default(), Paint::Plain);
        let ansi = render(&race, source, &Remarks::default(), Paint::Ansi);
        assert!(ansi.contains("\x1b[1;31merror[race-shared]\x1b[0m"));
        let mut stripped = String::new();
        let mut rest = ansi.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            stripped.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        stripped.push_str(rest);
        assert_eq!(stripped, plain);
    }

    #[test]
    fn a_hint_has_no_slug() {
        let race = finding(vec![access(2, 5, 0, 3, "stored 1"), access(2, 5, 0, 4, "stored 2")]);
        let remarks = Remarks { is_hint: true, ..Remarks::default() };
        let text = render(&race, |_| None, &remarks, Paint::Plain);
        assert!(text.starts_with("note: "), "{text}");
    }

    #[test]
    fn two_equal_stores_are_a_note() {
        let mut race = finding(vec![access(2, 5, 0, 3, "stored 1"), access(2, 5, 0, 4, "stored 1")]);
        race.benign = true;
        assert!(show(&race).starts_with("note[race-shared]: "));
    }
}
