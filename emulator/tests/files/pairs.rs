//! The table of what is and is not a finding (`docs/findings.md`), line by line: each line is a pair of small PTX
//! programs, `fail/<slug>/<name>.ptx` and its near miss `pass/<name>.ptx`. `header.rs` and `machine.rs` say what their
//! headers hold beside the lines of a conformance file.

use crate::header::Header;
use crate::machine::{Emulated, Loaded};
use crate::schedules::under_each;
use crate::{files, plain, read, stem, tests, trial};
use emulator::Policy;
use emulator::finding::Slug;
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Random schedules by seed, beside the one in order.
const SEEDS: u64 = 32;
/// The seeds under which a broken program runs twice, and must be told the same.
const REPEATED: [u64; 3] = [0, 1, 7];

/// Thread instructions: the programs need some thousands, unless a schedule lets them spin for a while. One that never
/// ends is proven to do so long before.
const FUEL: u64 = 1 << 24;

fn seeds() -> u64 {
    skipped::share(SEEDS / 4, SEEDS)
}

/// Broken programs are found on their lines on every schedule; the same schedule and seed give the same findings.
fn judge_broken(slug: Slug, path: &Path) -> Result<(), String> {
    let loaded = Loaded::new(read(path));
    let header = Header::of(&loaded.text)?;
    let finding = format!("finding={slug}");
    if !loaded.text.contains(&finding) {
        return Err(format!("the file does not expect {finding}"));
    }
    under_each(header.seeds.unwrap_or_else(seeds), |policy| {
        let repeats = is_repeated(&policy);
        let mut machine = Emulated::checked(&loaded, policy.clone(), FUEL);
        let mut failures = machine.check();
        failures.extend(header.differences(&machine.findings));
        if repeats {
            let mut again = Emulated::checked(&loaded, policy, FUEL);
            again.check();
            if format!("{:#?}", machine.findings) != format!("{:#?}", again.findings) {
                failures.push("a second run is told otherwise".to_string());
            }
        }
        failures
    })
}

fn is_repeated(policy: &Policy) -> bool {
    match policy {
        Policy::InOrder | Policy::Reverse => true,
        Policy::Random { seed } | Policy::Pct { seed, .. } | Policy::Adversarial { seed } => REPEATED.contains(seed),
        _ => false,
    }
}

/// Near misses are silent on every schedule.
fn judge_near_miss(path: &Path) -> Result<(), String> {
    let loaded = Loaded::new(read(path));
    let header = Header::of(&loaded.text)?;
    // The one thing a correct program may show is a note.
    let mut findings = loaded.text.split_whitespace().filter(|word| word.starts_with("finding="));
    if !findings.all(|word| word.ends_with("-note")) {
        return Err("the file expects a finding".to_string());
    }
    under_each(header.seeds.unwrap_or_else(seeds), |policy| {
        let mut machine = Emulated::checked(&loaded, policy, FUEL);
        let mut failures = machine.check();
        failures.extend(header.differences(&machine.findings));
        failures
    })
}

/// `fail/` with its slugs: the files by name.
pub fn failing() -> BTreeMap<String, (Slug, PathBuf)> {
    let mut all = BTreeMap::new();
    for folder in std::fs::read_dir(tests().join("fail")).expect("the folder is there") {
        let folder = folder.expect("readable").path();
        let slug = Slug::ALL.into_iter().find(|slug| folder.ends_with(slug.as_str()));
        let slug = slug.unwrap_or_else(|| panic!("{} is no slug", folder.display()));
        for path in files(&folder, "ptx") {
            assert!(all.insert(stem(&path), (slug, path.clone())).is_none(), "{} is there twice", path.display());
        }
    }
    all
}

fn passing() -> BTreeMap<String, PathBuf> {
    files(&tests().join("pass"), "ptx").into_iter().map(|path| (stem(&path), path)).collect()
}

fn every_line_of_the_table_is_a_pair_and_every_pair_a_line() {
    let table = read(&tests().join("../../docs/findings.md"));
    let mut lines = BTreeMap::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, verdict, _, _, _, pair] = cells[..] else { continue };
        let Some(pair) = pair.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) else { continue };
        assert!(lines.insert(pair.to_string(), verdict.trim_matches('`').to_string()).is_none(), "{pair} twice");
    }
    let fail: BTreeMap<String, String> =
        failing().into_iter().map(|(name, (slug, _))| (name, slug.to_string())).collect();
    assert_eq!(lines, fail, "the table and tests/fail/");
    assert!(lines.keys().eq(passing().keys()), "the table and tests/pass/");
}

/// Which code is cooperative groups' own is told by its file alone: the instructions may be anyone's.
fn only_a_header_of_the_toolkit_may_take_its_shuffles_for_order() {
    let text = read(&tests().join("fail/race-shared/acquired_by_one_lane.ptx"));
    for (file, is_theirs) in [
        ("/opt/cuda/include/cooperative_groups/details/memory.h", true),
        ("/course/include/cooperative_groups_lab.cuh", false),
        ("/course/cooperative_groups/include/tiles.cuh", false),
        ("/course/cooperative_groups.cu", false),
    ] {
        let located = text.replacen("    ld.param", "    .loc 1 10 1\n    ld.param", 1);
        let located = Loaded::new(format!("{located}\n.file 1 \"{file}\"\n"));
        assert!(located.text.contains(".loc 1 10 1"), "the program begins otherwise");
        let mut machine = Emulated::checked(&located, Policy::InOrder, FUEL);
        let said = machine.check();
        // The program says of itself that it races.
        assert_eq!(!said.is_empty(), is_theirs, "{file}: {said:?}");
        assert_eq!(machine.findings.is_empty(), is_theirs, "{file}");
    }
}

fn a_header_that_says_nothing_is_refused() {
    let header = |line: &str| Header::of(&format!("// about\n{line}\n.version 8.3\n"));
    for line in ["// source:", "// source: ten", "// seeds: few"] {
        assert!(header(line).is_err(), "{line}");
    }
    assert!(header("// source: 10 12").is_ok());
}

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        plain("pairs/every_line_of_the_table_is_one", every_line_of_the_table_is_a_pair_and_every_pair_a_line),
        plain("pairs/only_a_header_of_the_toolkit", only_a_header_of_the_toolkit_may_take_its_shuffles_for_order),
        plain("pairs/a_header_that_says_nothing", a_header_that_says_nothing_is_refused),
    ];
    trials.extend(
        failing()
            .into_iter()
            .map(|(name, (slug, path))| trial(format!("fail/{slug}/{name}"), move || judge_broken(slug, &path))),
    );
    trials.extend(
        passing().into_iter().map(|(name, path)| trial(format!("pass/{name}"), move || judge_near_miss(&path))),
    );
    trials
}
