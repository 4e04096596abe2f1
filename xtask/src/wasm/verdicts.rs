//! Kernels of the lessons (those of `emulator/tests/lessons/`) under every schedule: the same answers in WebAssembly, byte by byte.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seeds of each schedule that has one.
const SEEDS: u64 = 8;

/// How many runs were compared.
pub fn compare(root: &Path, module: &Path) -> Result<usize> {
    let folder = tempfile::tempdir().context("cannot create a folder")?;
    let recordings = record(root, folder.path())?;
    let requests = folder.path().join("requests");
    let mut text = String::new();
    let mut runs = 0;
    for recording in &recordings {
        let recording: Value = serde_json::from_str(&fs::read_to_string(recording)?)?;
        text += &format!("{}\n", json!({ "do": "load", "recording": recording }));
        for policy in policies() {
            // Traces of some: they are long.
            let trace = (policy["seed"] != 0).then(|| json!({ "events": 300, "bytes": 1 << 20 }));
            text += &format!("{}\n", json!({ "do": "run", "policy": policy, "trace": trace }));
            runs += 1;
        }
    }
    fs::write(&requests, text)?;
    let here = folder.path().join("here");
    let cargo = ["run", "--quiet", "--release", "--package", "browser", "--example", "answer"];
    answer(Command::new("cargo").current_dir(root).args(cargo), &requests, &here)?;
    let there = folder.path().join("there");
    let script = root.join("emulator/browser/answer.mjs");
    answer(Command::new("node").arg(script).arg(module), &requests, &there)?;
    let (here, there) = (fs::read_to_string(here)?, fs::read_to_string(there)?);
    let (here, there): (Vec<&str>, Vec<&str>) = (here.lines().collect(), there.lines().collect());
    ensure!(here.len() == recordings.len() + runs, "{} answers to {runs} runs", here.len());
    ensure!(here.len() == there.len(), "{} answers here and {} in WebAssembly", here.len(), there.len());
    let is_run = |answer: &&str| answer.starts_with(r#"{"kind":"ran""#);
    ensure!(here.iter().filter(|answer| is_run(answer)).count() == runs, "some runs were refused");
    if let Some(at) = (0..here.len()).find(|at| here[*at] != there[*at]) {
        let requests = fs::read_to_string(&requests)?;
        let request = requests.lines().nth(at).unwrap_or_default();
        let differs = here[at].bytes().zip(there[at].bytes()).take_while(|(one, other)| one == other).count();
        let near = |text: &str| text.chars().skip(differs.saturating_sub(60)).take(160).collect::<String>();
        anyhow::bail!(
            "another answer in WebAssembly to {request}\nhere:  {}\nthere: {}",
            near(here[at]),
            near(there[at])
        );
    }
    Ok(runs)
}

/// What the tests ask of the emulator for each kernel of the lessons, as files in a folder.
fn record(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut tests = Command::new("cargo");
    tests.current_dir(root).args(["test", "--quiet", "--package", "emulator", "--test", "files", "recorded/"]);
    let output = tests.env("RECORDINGS", folder).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "recording failed:\n{}", String::from_utf8_lossy(&output.stdout));
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    ensure!(!paths.is_empty(), "the tests have recorded nothing");
    Ok(paths)
}

fn policies() -> Vec<Value> {
    let seeded = (0..SEEDS).flat_map(|seed| {
        [
            json!({ "kind": "random", "seed": seed }),
            json!({ "kind": "pct", "seed": seed, "depth": 3 }),
            json!({ "kind": "adversarial", "seed": seed }),
        ]
    });
    [json!({ "kind": "in-order" }), json!({ "kind": "reverse" }), json!({ "kind": "steps" })]
        .into_iter()
        .chain(seeded)
        .collect()
}

fn answer(command: &mut Command, requests: &Path, answers: &Path) -> Result<()> {
    let status = command.stdin(File::open(requests)?).stdout(File::create(answers)?).stderr(Stdio::inherit()).status();
    ensure!(status.with_context(|| format!("cannot run {:?}", command.get_program()))?.success(), "{command:?} failed");
    Ok(())
}
