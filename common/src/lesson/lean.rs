//! `--lean`: the synchronisation that a kernel does without, at the size that was explored.
//!
//! Each barrier, fence and scope of a proved kernel is changed in its PTX, alone, and all executions are visited again.
//! If none is wrong, it was not needed at this size. That says nothing about larger ones. Instructions of functions
//! that are inlined through several files have no line here, and stay.

use super::executions::Exhausted;
use serde::Serialize;
use std::collections::BTreeMap;

/// A change of a kernel's synchronisation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeanChange {
    /// The instruction is left out.
    Removed,
    /// The block is its scope.
    BlockScope,
}

/// Instructions of one source line that are changed together: copies of one, where the compiler has unrolled a loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LeanSite {
    /// In the kernel's file, from 1.
    pub line: u32,
    /// Without operands: `bar.sync`.
    pub instruction: String,
    pub change: LeanChange,
}

/// A change that leaves all executions right.
#[derive(Clone, Debug, Serialize)]
pub struct Needless {
    #[serde(flatten)]
    pub site: LeanSite,
    pub executions: u64,
}

/// Returns the changes of a kernel that leave all executions right; `None` if it has nothing to change. `search`
/// explores changed PTX, until it returns `None`.
pub fn needless(
    ptx: &str,
    kernel: &str,
    mut search: impl FnMut(String) -> anyhow::Result<Option<Exhausted>>,
) -> anyhow::Result<Option<Vec<Needless>>> {
    let sites = sites(ptx, kernel);
    if sites.is_empty() {
        return Ok(None);
    }
    let mut all: Vec<Needless> = Vec::new();
    for (site, lines) in sites {
        // An instruction that is not needed needs no scope either.
        if all.iter().any(|known| known.site.line == site.line && known.site.instruction == site.instruction) {
            continue;
        }
        let Some(found) = search(changed(ptx, &lines, &site.change))? else { break };
        if found.is_proved() {
            all.push(Needless { site, executions: found.executions });
        }
    }
    Ok(Some(all))
}

/// Returns all changes of a kernel's synchronisation, each with the lines of the PTX that it is about, from 0.
fn sites(ptx: &str, kernel: &str) -> BTreeMap<LeanSite, Vec<usize>> {
    let mut all: BTreeMap<LeanSite, Vec<usize>> = BTreeMap::new();
    let mut source = None;
    for (number, text) in body(ptx, kernel) {
        let mut words = text.split_whitespace().skip_while(|word| word.starts_with('@'));
        let Some(instruction) = words.next().map(|word| word.trim_end_matches(';')) else { continue };
        if instruction == ".loc" {
            source = source_line(text);
        } else if let Some(line) = source {
            for change in changes(instruction) {
                all.entry(LeanSite { line, instruction: instruction.to_string(), change }).or_default().push(number);
            }
        }
    }
    all
}

/// Returns the lines of a kernel's body.
fn body<'a>(ptx: &'a str, kernel: &str) -> impl Iterator<Item = (usize, &'a str)> {
    let head = format!(".entry {kernel}(");
    let lines = ptx.lines().enumerate().skip_while(move |(_, line)| !line.contains(&head));
    lines.take_while(|(_, line)| *line != "}")
}

/// Returns the line of the kernel's own file that a `.loc` names, which is its file 1.
fn source_line(loc: &str) -> Option<u32> {
    let own = |mut words: std::str::SplitWhitespace| (words.next()? == "1").then(|| words.next()?.parse().ok())?;
    let loc = loc.trim().strip_prefix(".loc")?;
    let (place, inlined) = loc.split_once("inlined_at").unwrap_or((loc, ""));
    own(place.split_whitespace()).or_else(|| own(inlined.split_whitespace()))
}

fn changes(instruction: &str) -> Vec<LeanChange> {
    let starts = |heads: &[&str]| heads.iter().any(|head| instruction.starts_with(head));
    let mut all = Vec::new();
    if starts(&["bar.sync", "barrier.sync", "bar.warp.sync", "fence.", "membar."]) {
        all.push(LeanChange::Removed);
    }
    if narrowed(instruction).is_some() {
        all.push(LeanChange::BlockScope);
    }
    all
}

/// Returns an instruction with block scope. `None` if it has no wider one.
fn narrowed(instruction: &str) -> Option<String> {
    let (head, _) = instruction.split_once('.')?;
    match head {
        "membar" => (!instruction.ends_with(".cta")).then(|| "membar.cta".to_string()),
        "fence" | "ld" | "st" | "atom" | "red" => {
            let wide = [".gpu", ".sys"].into_iter().find(|&scope| instruction.contains(scope));
            // Without a scope an atomic operation is relaxed, and has that of the device.
            let bare = || instruction.strip_prefix(head).map(|rest| format!("{head}.relaxed.cta{rest}"));
            let is_bare = ["atom", "red"].contains(&head) && !instruction.contains(".cta");
            wide.map(|scope| instruction.replacen(scope, ".cta", 1)).or_else(|| is_bare.then(bare).flatten())
        }
        _ => None,
    }
}

fn changed(ptx: &str, lines: &[usize], change: &LeanChange) -> String {
    let line = |(number, text): (usize, &str)| {
        let is_it = lines.binary_search(&number).is_ok();
        let instruction = text.split_whitespace().find(|word| !word.starts_with('@')).unwrap_or_default();
        match change {
            _ if !is_it => text.to_string(),
            LeanChange::Removed => String::new(),
            LeanChange::BlockScope => {
                let bare = instruction.trim_end_matches(';');
                text.replacen(bare, &narrowed(bare).unwrap_or_default(), 1)
            }
        }
    };
    ptx.lines().enumerate().map(line).fold(String::new(), |all, line| all + &line + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.visible .entry other(
)
{
\t.loc\t1 3 5
\tbar.sync \t0;
}
.visible .entry k(
)
{
\t.loc\t1 7 5
\tbar.sync \t0;
\t.loc\t2 90 1, function_name $L__info_string0, inlined_at 1 8 5
\tmembar.gl;
\tbar.sync \t0;
\t.loc\t1 9 5
\t@%p1 atom.global.add.u32 \t%r1, [%rd1], 1;
\tst.relaxed.gpu.global.u32 \t[%rd1], %r1;
\t.loc\t1 7 5
\tbar.sync \t0;
}
";

    #[test]
    fn each_line_of_the_kernel_is_changed_alone() {
        let found: Vec<(u32, String, usize)> =
            sites(PTX, "k").into_iter().map(|(site, lines)| (site.line, site.instruction, lines.len())).collect();
        let names = found.iter().map(|(line, name, count)| (*line, name.as_str(), *count)).collect::<Vec<_>>();
        assert_eq!(
            names,
            [
                (7, "bar.sync", 2),
                (8, "bar.sync", 1),
                (8, "membar.gl", 1),
                (8, "membar.gl", 1),
                (9, "atom.global.add.u32", 1),
                (9, "st.relaxed.gpu.global.u32", 1)
            ]
        );
    }

    #[test]
    fn a_change_keeps_the_rest() {
        let all = sites(PTX, "k");
        let text = |name: &str, change: LeanChange| {
            let (site, lines) =
                all.iter().find(|(site, _)| site.instruction == name && site.change == change).expect("a site");
            changed(PTX, lines, &site.change)
        };
        assert!(
            text("atom.global.add.u32", LeanChange::BlockScope).contains("@%p1 atom.relaxed.cta.global.add.u32 \t%r1")
        );
        assert!(text("st.relaxed.gpu.global.u32", LeanChange::BlockScope).contains("\tst.relaxed.cta.global.u32 \t"));
        assert_eq!(text("bar.sync", LeanChange::Removed).matches("bar.sync").count(), 2);
    }
}
