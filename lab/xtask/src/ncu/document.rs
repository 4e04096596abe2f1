//! `docs/counters.md`: both sides' numbers, and why they differ where they do.

use super::{Launch, Metric};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One launch on both sides.
pub struct Compared {
    title: String,
    lines: Vec<Line>,
}

struct Line {
    metric: &'static str,
    emulator: f64,
    gpu: f64,
    /// `None` where the two are equal.
    why: Option<Option<&'static str>>,
}

/// Why a metric may differ; where a kernel is named, for it alone. The first that fits counts.
const REASONS: &[(&str, &str, &str)] = &[
    ("", "smsp__inst_executed.sum", "PTX against SASS"),
    ("", "smsp__thread_inst_executed_per_inst_executed.ratio", "PTX against SASS"),
    ("", "smsp__sass_branch_targets_threads_divergent.sum", "the assembler turns short branches into guards"),
    ("", "smsp__inst_executed_op_shared_ld.sum", GUARDED),
    ("", "smsp__inst_executed_op_shared_st.sum", GUARDED),
    ("histogram_global", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", ONE_BY_ONE),
    ("filter_correct", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ANY_ORDER),
    ("filter_warp", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ANY_ORDER),
];

const GUARDED: &str =
    "the assembler made a guard of a branch: the GPU also counts instructions with no active lane; they make no pass";
/// Seen on an H200: the sum, over the sectors of a request, of the most lanes that meet at one address in it.
const ONE_BY_ONE: &str =
    "lanes with the same address access its sector one after the other; the emulator counts it once";
const ANY_ORDER: &str = "the element of a store depends on the order in which blocks add to the counter";

impl Compared {
    pub fn of(
        launch: &Launch,
        metrics: &[Metric],
        emulator: &BTreeMap<String, f64>,
        gpu: &BTreeMap<String, f64>,
    ) -> Compared {
        let size = launch.n.map_or(String::new(), |n| format!(", {n} elements"));
        let which = if launch.nth == 0 { String::new() } else { format!(", launch {} of its run", launch.nth + 1) };
        let title = format!("{} ({}{size}{which})", launch.kernel, launch.lesson);
        let mut lines = Vec::new();
        for Metric { ours: metric, theirs: name } in metrics {
            let metric: &'static str = metric;
            // A sum that is not named is zero; the emulator gives sums without their ending.
            let ours = emulator.get(metric).or_else(|| emulator.get(metric.trim_end_matches(".sum")));
            let ours = ours.copied().unwrap_or(0.0);
            let Some(&theirs) = gpu.get(name) else { continue };
            if ours == 0.0 && theirs == 0.0 {
                continue;
            }
            let why = (!is_equal(ours, theirs)).then(|| reason(launch.kernel, metric));
            lines.push(Line { metric, emulator: ours, gpu: theirs, why });
        }
        Compared { title, lines }
    }

    /// Differences without a reason.
    pub fn open(&self) -> usize {
        self.lines.iter().filter(|line| line.why == Some(None)).count()
    }
}

/// The profiler rounds ratios to two digits.
fn is_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= if a.fract() == 0.0 && b.fract() == 0.0 { 0.0 } else { 0.0051 }
}

fn reason(kernel: &str, metric: &str) -> Option<&'static str> {
    let fits = |&&(only, name, _): &&(&str, &str, &str)| name == metric && (only.is_empty() || only == kernel);
    REASONS.iter().find(fits).map(|&(_, _, why)| why)
}

pub fn text(compared: &[Compared], device: &str) -> String {
    let lines = || compared.iter().flat_map(|one| &one.lines);
    let equal = lines().filter(|line| line.why.is_none()).count();
    let mut out = format!(
        "# Counters: the emulator beside a GPU\n\n\
         Written by `cargo xtask ncu`; not by hand. Each kernel was launched twice with the same input: on the \
         emulator, in\n\
         order (`--counters`), and on a GPU under NVIDIA Nsight Compute. {device}.\n\n\
         {} launches, {} numbers: {equal} equal, {} not.\n\n\
         Both count in the same way what the program asks for: requests, sectors, passes through shared memory, \
         atomics.\n\
         Instructions differ. The emulator runs PTX. A GPU runs SASS, which NVIDIA's assembler makes from PTX: it \
         merges,\n\
         moves and drops instructions, and turns short branches into guards. So compare the instructions of two \
         kernels on\n\
         the same side only. A metric that is 0 on both sides is left out.\n",
        compared.len(),
        lines().count(),
        lines().count() - equal
    );
    for one in compared {
        let _ = write!(out, "\n## {}\n\n| metric | emulator | GPU | |\n|---|---|---|---|\n", one.title);
        for line in &one.lines {
            let why = match line.why {
                None => "equal",
                Some(Some(why)) => why,
                Some(None) => "**not explained**",
            };
            let (ours, theirs) = (number(line.emulator), number(line.gpu));
            let _ = writeln!(out, "| `{}` | {ours} | {theirs} | {why} |", line.metric);
        }
    }
    out
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(emulator: &[(&str, f64)], gpu: &[(&str, f64)]) -> Compared {
        let map = |pairs: &[(&str, f64)]| pairs.iter().map(|&(name, value)| (name.to_string(), value)).collect();
        let launch = Launch { lesson: "lesson01", row: "ladder", kernel: "ladder_int", n: Some(64), nth: 0 };
        let metrics = ["smsp__inst_executed.sum", "l1tex__requests.sum", "sectors.ratio", "launch__grid_size"];
        let metrics = metrics.map(|name| Metric { ours: name, theirs: name.to_string() });
        Compared::of(&launch, &metrics, &map(emulator), &map(gpu))
    }

    #[test]
    fn equal_explained_and_open_are_told_apart() {
        let one = compared(
            &[("smsp__inst_executed", 100.0), ("l1tex__requests", 7.0), ("sectors.ratio", 10.0 / 3.0)],
            &[
                ("smsp__inst_executed.sum", 90.0),
                ("l1tex__requests.sum", 8.0),
                ("sectors.ratio", 3.33),
                ("launch__grid_size", 0.0),
            ],
        );
        assert_eq!(
            one.lines.iter().map(|line| line.why).collect::<Vec<_>>(),
            [Some(Some("PTX against SASS")), Some(None), None]
        );
        assert_eq!(one.open(), 1);
        let text = text(&[one], "a GPU");
        assert!(text.contains("1 launches, 3 numbers: 1 equal, 2 not."), "{text}");
        assert!(text.contains("| `l1tex__requests.sum` | 7 | 8 | **not explained** |"), "{text}");
    }

    #[test]
    fn a_metric_that_the_gpu_does_not_give_is_left_out() {
        assert!(compared(&[("l1tex__requests", 7.0)], &[]).lines.is_empty());
    }
}
