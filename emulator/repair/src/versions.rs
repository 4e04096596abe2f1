//! Many changed versions of one kernel, compiled in one go: a compiler takes longer to start than to compile a kernel.
//!
//! Each version's functions stand behind the source under names of their own. Its lines have numbers that tell which
//! version they are of, which the compiler's PTX and its errors repeat.

use crate::source::{SourceFile, apply_keeping_lines, line_starts, offset};
use finding::{TextEdit, plain_name};
use std::collections::BTreeMap;
use std::ops::Range;

/// The lines of version v have numbers from v times this on.
const LINES: u64 = 100_000;
/// Versions of the first compilation, and of any other: those that are likeliest come first.
const FIRST: usize = 6;
const MOST: usize = 12;

/// The PTX of each changed source that was asked for, compiled together with those that may be asked for next.
#[derive(Default)]
pub struct Versions {
    known: BTreeMap<Vec<TextEdit>, Option<String>>,
    next: Vec<Vec<TextEdit>>,
    /// Starts of the compiler that are left: each takes a second or three, and somebody waits.
    starts: usize,
}

impl Versions {
    /// The compiler may be started so often.
    pub fn with_starts(starts: usize) -> Versions {
        Versions { starts, ..Versions::default() }
    }

    /// Returns true if the compiler may be started once more.
    pub fn may_start(&self) -> bool {
        self.starts > 0
    }

    /// Returns true if the compiler was started for any version.
    pub fn was_compiled(&self) -> bool {
        !self.known.is_empty()
    }

    /// These may be asked for soon, in this order.
    pub fn expect(&mut self, edits: impl IntoIterator<Item = Vec<TextEdit>>) {
        let edits = edits.into_iter().filter(|edits| !self.known.contains_key(edits));
        self.next.extend(edits);
    }

    /// Returns true if the compiler's next start takes more versions than are expected.
    pub fn has_room(&self) -> bool {
        self.next.len() < MOST
    }

    /// The PTX of `kernel` in the changed source; none where that does not compile. `compile` gives PTX, or what the
    /// compiler says.
    pub fn ptx(
        &mut self,
        source: &str,
        kernel: &str,
        edits: &[TextEdit],
        mut compile: impl FnMut(&str) -> Result<String, String>,
    ) -> Option<String> {
        if let Some(known) = self.known.get(edits) {
            return known.clone();
        }
        let mut asked = vec![edits.to_vec()];
        if self.starts == 0 {
            return None;
        }
        let most = if self.known.is_empty() { FIRST } else { MOST };
        for next in std::mem::take(&mut self.next) {
            match asked.len() < most && !asked.contains(&next) && !self.known.contains_key(&next) {
                true => asked.push(next),
                false => self.next.push(next),
            }
        }
        self.next.retain(|next| !asked.contains(next));
        let mut copies: Vec<(usize, Vec<TextEdit>)> = (1..).zip(asked).collect();
        let texts = |copies: &[(usize, Vec<TextEdit>)]| -> Option<Vec<String>> {
            copies.iter().map(|(number, edits)| copy(source, kernel, edits, *number)).collect()
        };
        // Edits that change more than functions are compiled alone.
        copies.retain(|one| one.1 == edits || texts(std::slice::from_ref(one)).is_some());
        while copies.len() > 1 {
            let Some(texts) = texts(&copies) else { break };
            self.starts = self.starts.saturating_sub(1);
            match compile(&format!("{source}\n{}", texts.concat())) {
                Ok(ptx) => {
                    for (number, edits) in copies {
                        self.known.insert(edits, Some(version(&ptx, kernel, number)));
                    }
                    return self.known.get(edits)?.clone();
                }
                Err(said) => {
                    let refused = refused(&said);
                    let is_refused = |one: &(usize, Vec<TextEdit>)| refused.contains(&one.0);
                    // If all copies are refused, or none, the fault lies in compiling copies together.
                    if copies.iter().all(is_refused) || !copies.iter().any(is_refused) {
                        break;
                    }
                    for (_, edits) in copies.extract_if(.., |one| is_refused(one)) {
                        self.known.insert(edits, None);
                    }
                    if self.known.contains_key(edits) {
                        break;
                    }
                }
            }
        }
        if let Some(known) = self.known.get(edits) {
            self.next.splice(..0, copies.into_iter().map(|(_, edits)| edits));
            return known.clone();
        }
        self.starts = self.starts.checked_sub(1)?;
        let alone = compile(&apply_keeping_lines(source, edits)).ok();
        self.known.insert(edits.to_vec(), alone.clone());
        alone
    }
}

fn suffix(number: usize) -> String {
    format!("_tried_as_{number}_")
}

/// The functions that `kernel` reaches, changed, under other names; none where more is changed than these.
fn copy(source: &str, kernel: &str, edits: &[TextEdit], number: usize) -> Option<String> {
    let (before, text) = (SourceFile::parse(source).ok()?, apply_keeping_lines(source, edits));
    let after = SourceFile::parse(&text).ok()?;
    let lines = line_starts(source);
    let inside = |edit: &TextEdit| {
        let at = offset(source, &lines, edit.start)..offset(source, &lines, edit.end);
        before.functions(kernel).iter().any(|(_, own)| own.start <= at.start && at.end <= own.end)
    };
    let functions = after.functions(kernel);
    if !edits.iter().all(inside) || !functions.iter().any(|(name, _)| *name == plain_name(kernel)) {
        return None;
    }
    let mut names: Vec<&str> = functions.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    let mut copy: String = names.iter().map(|name| format!("#define {name} {name}{}\n", suffix(number))).collect();
    for (_, Range { start, end }) in &functions {
        let line = numbered(&text[..*start]);
        let own = text[*start..*end].lines().map(|line| marked(line, number)).collect::<Vec<_>>().join("\n");
        copy += &format!("#line {}\n{own}\n", number as u64 * LINES + line);
    }
    copy += &names.iter().map(|name| format!("#undef {name}\n")).collect::<String>();
    Some(copy)
}

/// The number of the line that follows a text, where `#line`s change it.
fn numbered(text: &str) -> u64 {
    let own = |line: &str| line.strip_prefix("#line ").and_then(|number| number.trim().parse::<u64>().ok());
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.iter().enumerate().rev().find_map(|(at, line)| Some((at, own(line)?)));
    // The last part is the line itself.
    last.map_or(lines.len() as u64, |(at, number)| number + (lines.len() - at - 2) as u64)
}

fn marked(line: &str, number: usize) -> String {
    match line.strip_prefix("#line ").and_then(|line| line.trim().parse::<u64>().ok()) {
        Some(line) => format!("#line {}", number as u64 * LINES + line),
        None => line.to_string(),
    }
}

/// The versions whose lines a compiler names.
fn refused(said: &str) -> Vec<usize> {
    let in_brackets = said.split('(').filter_map(|part| part.split_once("): error")?.0.parse::<u64>().ok());
    in_brackets.map(|line| (line / LINES) as usize).collect()
}

/// One version's own PTX: without the other versions, and with its kernel under the name it has.
fn version(ptx: &str, kernel: &str, number: usize) -> String {
    let own = suffix(number);
    let is_other = |name: &str| (name.contains("_tried_as_") && !name.contains(&own)) || name == kernel;
    let is_kernel = |name: &&str| plain_name(name) == format!("{}{own}", plain_name(kernel));
    let (mut kept, mut name) = (String::new(), None);
    // Assembly within a function may have braces in lines of their own.
    let (mut is_left_out, mut depth) = (false, 0);
    for line in ptx.lines() {
        let is_function = [".visible .entry", ".entry", ".visible .func", ".func", ".weak .func", ".weak .entry"]
            .iter()
            .any(|start| line.starts_with(start));
        if is_function {
            let mut words = line.split(['(', ' ', '\t', ')']);
            is_left_out = words.clone().any(is_other);
            name = name.or(words.find(is_kernel));
        }
        if !is_left_out {
            kept += &unmarked(line);
            kept.push('\n');
        }
        let code = line.split("//").next().unwrap_or_default();
        depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
        // A declaration has no body.
        is_left_out &= depth > 0 || !matches!(line, "}" | ";");
    }
    name.map_or_else(String::new, |name| renamed(&kept, name, kernel))
}

/// A word, and not a part of one.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let (mut result, mut done) = (String::new(), 0);
    for (at, _) in text.match_indices(from) {
        let is_whole = !text[..at].ends_with(is_word) && !text[at + from.len()..].starts_with(is_word);
        if is_whole {
            result += &text[done..at];
            result += to;
            done = at + from.len();
        }
    }
    result + &text[done..]
}

/// With the line that the source has.
fn unmarked(line: &str) -> String {
    if !line.trim_start().starts_with(".loc") {
        return line.to_string();
    }
    let own = |word: &str| match word.parse::<u64>() {
        Ok(number) if number > LINES => (number % LINES).to_string(),
        _ => word.to_string(),
    };
    line.split(' ').map(|part| part.split('\t').map(own).collect::<Vec<_>>().join("\t")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::TextPosition;

    const SOURCE: &str = "__global__ void k(int* d) {\n    d[0] = 1;\n}\n";

    fn becomes(text: &str) -> Vec<TextEdit> {
        let at = |column| TextPosition { line: 2, column };
        vec![TextEdit { start: at(12), end: at(13), text: text.to_string() }]
    }

    fn entry(name: &str, line: u32) -> String {
        format!(".visible .entry {name}(\n)\n{{\n.loc 1 {line} 5\nret;\n}}\n")
    }

    #[test]
    fn versions_are_compiled_at_once_and_taken_apart() {
        let mut versions = Versions::with_starts(8);
        versions.expect([becomes("3")]);
        // Assembly in braces, whose last one is in a line of its own.
        let asm = |name, line| entry(name, line).replace("{\n", "{\n\t{\n\tnop;\n}\n");
        let mut texts = Vec::new();
        let mut compile = |text: &str| {
            texts.push(text.to_string());
            Ok(asm("k", 2) + &asm("k_tried_as_1_", 100_002) + &asm("k_tried_as_2_", 200_002))
        };
        for edits in [becomes("2"), becomes("3")] {
            let ptx = versions.ptx(SOURCE, "k", &edits, &mut compile);
            assert_eq!(ptx, Some(asm("k", 2)));
        }
        let [text] = &texts[..] else { panic!("{texts:?}") };
        assert!(text.starts_with(SOURCE) && text.contains("#define k k_tried_as_2_\n#line 200001\n"), "{text}");
        assert!(text.contains("d[0] = 2;") && text.contains("d[0] = 3;"), "{text}");
    }

    #[test]
    fn one_that_does_not_compile_spoils_no_other() {
        let mut versions = Versions::with_starts(8);
        versions.expect([becomes("none"), becomes("3")]);
        let mut compile = |text: &str| match text.contains("none") {
            true => Err("k.cu(200002): error: identifier \"none\" is undefined".to_string()),
            false => Ok(entry("k_tried_as_1_", 100_002) + &entry("k_tried_as_3_", 300_002)),
        };
        assert_eq!(versions.ptx(SOURCE, "k", &becomes("2"), &mut compile), Some(entry("k", 2)));
        assert_eq!(versions.ptx(SOURCE, "k", &becomes("none"), |_| panic!("it is known")), None);
        assert_eq!(versions.ptx(SOURCE, "k", &becomes("3"), |_| panic!("it is known")), Some(entry("k", 2)));
        // An edit outside of functions is compiled alone.
        let at = TextPosition { line: 1, column: 1 };
        let header = vec![TextEdit { start: at, end: at, text: "#include \"a.h\"\n".to_string() }];
        let alone = versions.ptx(SOURCE, "k", &header, |text| Ok(text.to_string()));
        assert!(alone.is_some_and(|text| text.starts_with("#include") && !text.contains("tried_as")));
    }
}
