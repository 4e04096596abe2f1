//! One `.cu` file as the build hands it over: its source, and the PTX that nvcc made of it.

use kernel_build::is_code;
use std::ops::RangeInclusive;
use tell::extents::extents;

/// A file of `cuda/<lesson>/`, as `kernel-build` generates it.
#[derive(Clone, Copy, Debug)]
pub struct KernelFile {
    /// The file's stem: `counter`.
    pub name: &'static str,
    /// From the repository's root: `cuda/lesson04/counter.cu`.
    pub source_path: &'static str,
    pub source: &'static str,
    pub ptx: &'static str,
    /// The PTX that is stored, where the source has been edited since: what the lesson came with.
    pub shipped: Option<&'static str>,
    /// Kernels with the fix that their report tells, where that took nvcc: the kernel's name and the PTX of the changed
    /// file.
    pub fixes: &'static [(&'static str, &'static str)],
}

impl KernelFile {
    /// The names of the kernels that the PTX defines.
    pub fn kernels(&self) -> impl Iterator<Item = &'static str> {
        let ptx = self.ptx;
        ptx.match_indices(".entry ").map(|(at, word)| {
            let rest = ptx[at + word.len()..].trim_start();
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$%".contains(c))).unwrap_or(rest.len());
            &rest[..end]
        })
    }

    /// True if the kernel's code is another than the lesson came with. Comments and moved lines do not count.
    pub fn is_edited(&self, kernel: &str) -> bool {
        let shipped = self.shipped.and_then(|ptx| instructions(ptx, kernel));
        shipped.is_some_and(|shipped| instructions(self.ptx, kernel) != Some(shipped))
    }

    /// True if `path`, as a PTX `.file` or a finding names it, is this file.
    pub fn is_at(&self, path: &str) -> bool {
        let path = path.replace('\\', "/");
        path == self.source_path || path.ends_with(&format!("/{}", self.source_path))
    }

    /// This file's own path, if `path` is it.
    pub fn named<'a>(&'a self, path: &'a str) -> &'a str {
        if self.is_at(path) { self.source_path } else { path }
    }

    /// The `Expect` paragraph of the file's header, on one line; empty where there is none.
    pub fn expect_header(&self) -> String {
        let mut words = Vec::new();
        let mut inside = false;
        for line in self.source.lines() {
            let Some(comment) = line.strip_prefix("//") else { break };
            let comment = comment.strip_prefix(' ').unwrap_or(comment);
            if let Some(rest) = comment.strip_prefix("Expect") {
                inside = true;
                words.extend(rest.split_whitespace());
            } else if comment.starts_with(' ') {
                if inside {
                    words.extend(comment.split_whitespace());
                }
            } else {
                inside = false;
            }
        }
        words.join(" ")
    }

    /// Returns the right answer in the header's `Expect` paragraph, if it names one: `the exact sum in every lane`.
    pub fn wanted(&self) -> Option<String> {
        let expect = self.expect_header();
        // `all others: no findings, the squares`: any name may stand before it.
        let all = |expect: &'_ str| expect.find(": no findings").map(|at| at + ": ".len());
        let at = expect.find("correct: ").map(|at| at + "correct: ".len()).or_else(|| all(&expect))?;
        let correct = &expect[at..];
        // The next kernel's begins with its name and a colon.
        let words: Vec<&str> = correct.split(' ').take_while(|word| !word.ends_with(':')).collect();
        let text = words.join(" ");
        let answer = text
            .strip_prefix("no findings")
            .map_or(text.as_str(), |rest| rest.trim_start_matches([',', ';', '.', ' ']));
        let answer = answer.trim_end_matches('.').trim();
        (!answer.is_empty()).then(|| answer.to_string())
    }

    /// The lines of the source that `kernel` takes up, from its `__global__` to its closing brace.
    pub fn extent(&self, kernel: &str) -> Option<RangeInclusive<u32>> {
        extents(self.source).into_iter().find_map(|(name, lines)| (name == kernel).then_some(lines))
    }

    /// True if `line` is `kernel`'s own, or belongs to a helper outside of every other kernel.
    pub fn line_belongs_to(&self, line: u32, kernel: &str) -> bool {
        line >= 1
            && line as usize <= self.source.lines().count()
            && extents(self.source).iter().all(|(name, lines)| name == kernel || !lines.contains(&line))
    }
}

/// A kernel's PTX without what says where in the source it stands.
fn instructions<'a>(ptx: &'a str, kernel: &str) -> Option<Vec<&'a str>> {
    let entry = format!(".entry {kernel}(");
    let lines = ptx.lines().map(str::trim);
    let mut lines = lines.skip_while(|line| !line.contains(&entry));
    let first = lines.next()?;
    let own = lines.take_while(|line| !line.contains(".entry ") && !line.contains(".func "));
    Some([first].into_iter().chain(own.filter(|line| is_code(line))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: KernelFile = KernelFile {
        name: "counter",
        source_path: "cuda/lesson04/counter.cu",
        source: "\
// lesson04/counter.cu: one counter.
//
// Idea      Three steps, { not one.
// Expect    broken: race-global. correct: no findings,
//           the count is exact.
// PTX       ld; st

__device__ int one() { return 1; }

extern \"C\" __global__ void counter_broken(int* a) {
    // BUG: } is no brace here.
    *a += one();
}

extern \"C\" __global__ void __launch_bounds__(256) counter_correct(
    int* a)
{
    if (*a) { atomicAdd(a, 1); }
}
",
        ptx: ".visible .entry counter_broken(\n.param .u64 p\n)\n{ }\n.entry counter_correct\n(\n)\n{ }",
        shipped: None,
        fixes: &[],
    };

    #[test]
    fn the_kernels_are_those_of_the_ptx() {
        assert_eq!(FILE.kernels().collect::<Vec<_>>(), ["counter_broken", "counter_correct"]);
    }

    #[test]
    fn the_expect_paragraph_runs_on_over_indented_lines() {
        assert_eq!(FILE.expect_header(), "broken: race-global. correct: no findings, the count is exact.");
    }

    #[test]
    fn what_is_wanted_ends_where_the_next_kernels_words_begin() {
        let wanted = |expect: &str| {
            let source = format!("// a.cu: x\n//\n// Expect    {expect}\n").leak();
            KernelFile { source, ..FILE }.wanted()
        };
        assert_eq!(FILE.wanted().as_deref(), Some("the count is exact"));
        assert_eq!(wanted("broken: x. correct: no findings. ring: each slot once.").as_deref(), None);
        assert_eq!(
            wanted("correct: the tickets are 0 .. n-1. ring: once.").as_deref(),
            Some("the tickets are 0 .. n-1")
        );
        assert_eq!(
            wanted("broken: race-global. all others: no findings, the squares.").as_deref(),
            Some("the squares")
        );
        assert_eq!(wanted("broken: race-global."), None);
    }

    #[test]
    fn a_kernel_is_edited_where_its_instructions_are_others() {
        let now = ".entry a(\n)\n{\n .loc 1 5 2\n add;\n\n ret;\n}\n.entry b(\n)\n{\n sub;\n}\n";
        let file = KernelFile { ptx: now, shipped: None, ..FILE };
        assert!(!file.is_edited("a"));
        let shipped = ".entry a(\n)\n{\n .loc 1 9 2\n add;\n ret;\n}\n.entry b(\n)\n{\n add;\n}\n";
        let file = KernelFile { shipped: Some(shipped), ..file };
        assert!(!file.is_edited("a") && file.is_edited("b") && !file.is_edited("c"));
    }

    #[test]
    fn kernels_end_at_their_own_brace() {
        assert_eq!(FILE.extent("counter_broken"), Some(10..=13));
        assert_eq!(FILE.extent("counter_correct"), Some(15..=19));
        assert_eq!(FILE.extent("one"), None);
    }

    #[test]
    fn a_helper_belongs_to_every_kernel_and_a_kernel_to_itself() {
        assert!(FILE.line_belongs_to(12, "counter_broken"));
        assert!(FILE.line_belongs_to(8, "counter_broken"));
        assert!(!FILE.line_belongs_to(18, "counter_broken"));
        assert!(!FILE.line_belongs_to(99, "counter_broken"));
    }

    #[test]
    fn a_path_matches_from_the_repository_root() {
        assert!(FILE.is_at("cuda/lesson04/counter.cu"));
        assert!(FILE.is_at("/somewhere/cuda/lesson04/counter.cu"));
        assert!(!FILE.is_at("/somewhere/xcuda/lesson04/counter.cu"));
        assert!(!FILE.is_at("counter.cu"));
    }
}
