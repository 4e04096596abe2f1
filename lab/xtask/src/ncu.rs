//! `cargo xtask ncu`: kernels of the course under NVIDIA Nsight Compute, beside what the emulator counts of the same
//! launch.
//!
//! For a machine with a GPU and `ncu`. The lessons' programs are run as they are: once under the profiler, which looks
//! at one launch, once on the emulator with `--counters`. The outcome is `docs/counters.md`; what the profiler wrote
//! stays in `target/ncu/`. Rust need not be there: `--built` names a folder of programs, as for a soak.

mod document;
mod table;

use crate::lessons::Lessons;
use anyhow::{Context, Result, bail, ensure};
use document::Compared;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One launch to compare.
pub struct Launch {
    lesson: &'static str,
    row: &'static str,
    kernel: &'static str,
    /// Elements; `None` for a row of fixed size.
    n: Option<u32>,
    /// Which launch of that kernel in a run, from 0.
    nth: usize,
}

const fn launch(lesson: &'static str, row: &'static str, kernel: &'static str, n: u32) -> Launch {
    Launch { lesson, row, kernel, n: Some(n), nth: 0 }
}

/// Enough to meet every counter: widths, tails, strides and offsets; shared memory, barriers, shuffles; atomics on one
/// address, on few and on many, in global and in shared memory.
const LAUNCHES: &[Launch] = &[
    launch("lesson01", "ladder", "ladder_int", 1 << 20),
    launch("lesson01", "ladder", "ladder_int2", 1 << 20),
    launch("lesson01", "ladder", "ladder_int4", 1 << 20),
    launch("lesson01", "ladder", "ladder_four", 1 << 20),
    launch("lesson01", "int4_tail", "int4_tail_correct", 600_000),
    launch("lesson01", "int4_offset", "int4_offset_correct", 300_000),
    // The strides are 1, 2, 3, 4, 6, 8, 16 and 32; the offsets 0, 1, ...
    Launch { lesson: "lesson01", row: "access", kernel: "access_strided", n: Some(1 << 14), nth: 2 },
    Launch { lesson: "lesson01", row: "access", kernel: "access_strided", n: Some(1 << 14), nth: 5 },
    Launch { lesson: "lesson01", row: "access", kernel: "access_offset", n: Some(1 << 14), nth: 1 },
    launch("lesson02", "block_sum", "block_sum_correct", 1 << 18),
    launch("lesson02", "globalreverse", "globalreverse_correct", 1 << 18),
    launch("lesson03", "transpose", "transpose_correct", 4096),
    launch("lesson03", "block_reduce_sum", "block_reduce_sum_correct", 1 << 16),
    launch("lesson04", "counter", "counter_correct", 1_000_000),
    launch("lesson04", "vector_sum", "vector_sum_correct", 1 << 17),
    launch("lesson04", "vector_sum", "vector_sum_block", 1 << 17),
    launch("lesson04", "histogram", "histogram_correct", 1 << 17),
    launch("lesson04", "histogram", "histogram_global", 1 << 17),
    launch("lesson04", "filter", "filter_correct", 1 << 17),
    launch("lesson04", "filter", "filter_warp", 1 << 17),
    launch("lesson06", "async_copy", "async_copy_correct", 1 << 16),
    launch("lesson06", "async_copy", "async_copy_stages", 1 << 16),
];

/// Those that both sides count, by name; all but the launch's own and the ratios are sums over the chip.
const METRICS: &[&str] = &[
    "launch__grid_size",
    "smsp__warps_launched.sum",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__inst_executed_op_global_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "smsp__inst_executed_op_global_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__inst_executed_op_global_atom.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "smsp__inst_executed_op_global_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "smsp__inst_executed_op_ldgsts.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "smsp__sass_branch_targets_threads_divergent.sum",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NcuOptions {
    built: Option<PathBuf>,
    /// The profiler's program.
    ncu: PathBuf,
}

/// `--built FOLDER` and `--ncu PROGRAM`, in any order.
pub fn options(mut words: &[&str]) -> Option<NcuOptions> {
    let mut options = NcuOptions { built: None, ncu: "ncu".into() };
    while let [name, value, rest @ ..] = words {
        match *name {
            "--built" => options.built = Some(value.into()),
            "--ncu" => options.ncu = value.into(),
            _ => return None,
        }
        words = rest;
    }
    words.is_empty().then_some(options)
}

pub fn run(root: &Path, options: &NcuOptions) -> Result<String> {
    let lessons = match &options.built {
        Some(folder) => Lessons::built(folder)?,
        None => Lessons::of(root)?,
    };
    let metrics = known(&options.ncu)?;
    let kept = root.join("target/ncu");
    fs::create_dir_all(&kept).with_context(|| format!("cannot make {}", kept.display()))?;
    let mut compared = Vec::new();
    for launch in LAUNCHES {
        let package = lessons.packages.iter().find(|package| package.split('-').next() == Some(launch.lesson));
        let package = package.with_context(|| format!("{} is not there", launch.lesson))?;
        println!("{package}: {}, launch {}", launch.kernel, launch.nth);
        let file = kept.join(format!("{}-{}.csv", launch.kernel, launch.nth));
        profile(&lessons, package, launch, &metrics, &options.ncu, &file)?;
        let text = fs::read_to_string(&file).with_context(|| format!("no report in {}", file.display()))?;
        let gpu = table::metrics(&text).with_context(|| format!("in {}", file.display()))?;
        let emulator = emulated(&lessons, package, launch)?;
        compared.push(Compared::of(launch, &metrics, &emulator, &gpu));
    }
    let text = document::text(&compared, &device(&options.ncu));
    let open: usize = compared.iter().map(Compared::open).sum();
    let path = root.join("docs/counters.md");
    let path = if root.join("docs").is_dir() { path } else { root.join("counters.md") };
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    ensure!(open == 0, "{open} differences are not explained; see {}", path.display());
    Ok(format!("{} kernels are in {}", compared.len(), path.display()))
}

/// A metric's name here, and what this profiler calls it on this GPU.
pub struct Metric {
    ours: &'static str,
    theirs: String,
}

/// Instructions by kind are counted by the hardware on some GPUs, and by patching the code on others.
const PREFIXES: [&str; 3] = ["smsp__inst_executed_op_", "smsp__sass_inst_executed_op_", "sm__sass_inst_executed_op_"];

/// Returns the names that a metric may have.
fn names(metric: &str) -> Vec<String> {
    match metric.strip_prefix(PREFIXES[0]) {
        Some(rest) => PREFIXES.iter().map(|prefix| format!("{prefix}{rest}")).collect(),
        None => vec![metric.to_string()],
    }
}

/// Those of [`METRICS`] that this profiler has for the GPU that is there. A launch's own are not in its list.
fn known(ncu: &Path) -> Result<Vec<Metric>> {
    let output = Command::new(ncu).arg("--query-metrics").output();
    let output = output.with_context(|| format!("cannot run {}", ncu.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let there = of_list(&text);
    let is_missing = |metric: &&&str| !there.iter().any(|known| known.ours == **metric);
    METRICS.iter().filter(is_missing).for_each(|metric| println!("not known to this profiler: {metric}"));
    if there.len() < 5 {
        bail!("{} knows almost none of the metrics: {text}", ncu.display());
    }
    Ok(there)
}

/// `list` is what `--query-metrics` prints: a name first on each line, without its ending.
fn of_list(list: &str) -> Vec<Metric> {
    let listed: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let is_there = |name: &String| {
        let base = name.trim_end_matches(".sum").trim_end_matches(".ratio");
        base.starts_with("launch__") || listed.contains(&base)
    };
    METRICS.iter().filter_map(|ours| Some(Metric { ours, theirs: names(ours).into_iter().find(is_there)? })).collect()
}

fn arguments(launch: &Launch) -> Vec<String> {
    let mut words = vec!["--only".to_string(), launch.row.to_string()];
    words.extend(launch.n.into_iter().flat_map(|n| ["--n".to_string(), n.to_string()]));
    words
}

fn profile(
    lessons: &Lessons,
    package: &str,
    launch: &Launch,
    metrics: &[Metric],
    ncu: &Path,
    file: &Path,
) -> Result<()> {
    let mut command = Command::new(ncu);
    command.args(["--csv", "--print-units", "base", "--target-processes", "application-only", "--force-overwrite"]);
    command.args(["--cache-control", "none", "--clock-control", "none"]);
    command.arg("--kernel-name").arg(format!("regex:^{}$", launch.kernel));
    command.args(["--launch-skip", &launch.nth.to_string(), "--launch-count", "1"]);
    let names: Vec<&str> = metrics.iter().map(|metric| metric.theirs.as_str()).collect();
    command.arg("--metrics").arg(names.join(",")).arg("--log-file").arg(file);
    command.arg(lessons.program(package)?).args(["--device", "gpu"]).args(arguments(launch));
    let output = command.output().with_context(|| format!("cannot run {}", ncu.display()))?;
    // The lesson's own status counts elsewhere; what counts here is whether there is a report.
    if !file.is_file() {
        bail!("no report of {}: {}", launch.kernel, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// The counters and ratios of the same launch on the emulator, by name.
fn emulated(lessons: &Lessons, package: &str, launch: &Launch) -> Result<BTreeMap<String, f64>> {
    let words = arguments(launch);
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.extend(["--counters", "--seeds", "0..1"]);
    let answer = lessons.ask(package, &words)?;
    let rows = answer["rows"].as_array().into_iter().flatten();
    let row = rows.into_iter().find(|row| row["kernel"] == launch.kernel);
    let launches = row.and_then(|row| row["counters"]["launches"].as_array());
    let mut its = launches.into_iter().flatten().filter(|one| one["kernel"] == launch.kernel);
    let one = its.nth(launch.nth).with_context(|| format!("the emulator did not count {}", launch.kernel))?;
    let numbers = |part: &Value| -> Vec<(String, f64)> {
        let object = part.as_object().into_iter().flatten();
        object.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect()
    };
    Ok(numbers(&one["counters"]).into_iter().chain(numbers(&one["ratios"])).collect())
}

/// Returns the names of the GPU and the profiler.
fn device(ncu: &Path) -> String {
    let first = |program: &Path, words: &[&str], wanted: &str| {
        let output = Command::new(program).args(words).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().find(|line| line.contains(wanted)).map(|line| line.trim().to_string())
    };
    let query = ["--query-gpu=name,driver_version", "--format=csv,noheader"];
    let gpu = first(Path::new("nvidia-smi"), &query, "").unwrap_or_else(|| "an NVIDIA GPU".to_string());
    let version = first(ncu, &["--version"], "Version").unwrap_or_else(|| "version unknown".to_string());
    format!("{gpu} (name, driver); Nsight Compute {version}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let both = options(&["--ncu", "/opt/ncu", "--built", "out"]).unwrap();
        assert_eq!(both, NcuOptions { built: Some("out".into()), ncu: "/opt/ncu".into() });
        assert_eq!(options(&[]).unwrap().ncu, Path::new("ncu"));
        assert_eq!(options(&["--built"]), None);
        assert_eq!(options(&["--only", "lesson01"]), None);
    }

    #[test]
    fn a_metric_may_have_another_name() {
        let list = "Device GPU\nsmsp__inst_executed  Counter  inst  # of instructions\n\
                    sm__sass_inst_executed_op_global_ld  Counter\n";
        let known = of_list(list);
        let names: Vec<_> = known.iter().map(|metric| (metric.ours, metric.theirs.as_str())).collect();
        assert_eq!(
            names,
            [
                ("launch__grid_size", "launch__grid_size"),
                ("smsp__inst_executed.sum", "smsp__inst_executed.sum"),
                ("smsp__inst_executed_op_global_ld.sum", "sm__sass_inst_executed_op_global_ld.sum"),
            ]
        );
    }

    #[test]
    fn a_launch_is_asked_for_by_row_and_size() {
        assert_eq!(arguments(&LAUNCHES[0]), ["--only", "ladder", "--n", "1048576"]);
        assert!(LAUNCHES.len() >= 12);
    }
}
