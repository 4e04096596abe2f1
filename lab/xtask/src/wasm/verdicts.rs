//! Every kernel of the lessons under every schedule, and counted: the same answers in WebAssembly, byte by byte.

use crate::site::recorded::{self, Lesson};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Seeds of each schedule that has one.
const SEEDS: u64 = 8;

/// A sample asks for every sixteenth kernel, always the same.
pub const EVERY: usize = 16;

/// The questions, and the answers of this machine's own code.
pub struct VerdictRequests {
    folder: TempDir,
    pub kernels: usize,
    /// Those of kernels that cannot be recorded.
    pub without: Vec<String>,
    pub runs: usize,
    /// For each page its kernel, the line of its own run's answer, and the trace that the lesson made of that run.
    pages: Vec<(String, usize, Value)>,
}

impl VerdictRequests {
    /// Asks for every kernel that has a recording, or for a sample of them.
    pub fn of(root: &Path, lessons: &[Lesson], is_sample: bool) -> Result<VerdictRequests> {
        let folder = tempfile::tempdir().context("cannot create a folder")?;
        let mut asked = VerdictRequests { folder, kernels: 0, without: Vec::new(), runs: 0, pages: Vec::new() };
        let mut text = String::new();
        let every = if is_sample { EVERY } else { 1 };
        for kernel in lessons.iter().flat_map(|lesson| &lesson.kernels).step_by(every) {
            let Some(page) = &kernel.page else { continue };
            let Some(game) = page.get("game") else {
                asked.without.push(kernel.name.clone());
                continue;
            };
            text +=
                &format!("{}\n", json!({ "do": "load", "recording": game["recording"], "sources": game["sources"] }));
            asked.kernels += 1;
            let mut own = page["made"].clone();
            own["do"] = "run".into();
            own["trace"] = json!({ "events": 1 << 16, "bytes": 1 << 23 });
            asked.pages.push((kernel.name.clone(), asked.kernels + asked.runs, page["trace"].clone()));
            for run in [own].into_iter().chain(runs()) {
                text += &format!("{run}\n");
                asked.runs += 1;
            }
        }
        ensure!(asked.kernels > 0, "the lessons have recorded nothing");
        fs::write(asked.requests(), text)?;
        let program = recorded::program(root, "answer")?;
        answer(&mut Command::new(program), &asked.requests(), &asked.here())?;
        let here = fs::read_to_string(asked.here())?;
        let is_run = |answer: &&str| answer.starts_with(r#"{"kind":"ran""#);
        let (answers, ran) = (here.lines().count(), here.lines().filter(is_run).count());
        ensure!(answers == asked.kernels + asked.runs, "{answers} answers to {} runs", asked.runs);
        ensure!(ran == asked.runs, "{} runs were refused", asked.runs - ran);
        let answers: Vec<&str> = here.lines().collect();
        for (kernel, line, trace) in &asked.pages {
            let answer: Value = serde_json::from_str(answers[*line])?;
            ensure!(answer["trace"] == *trace, "{kernel}: a page shows another run than its lesson");
        }
        Ok(asked)
    }

    /// A request in each line.
    pub fn requests(&self) -> PathBuf {
        self.folder.path().join("requests")
    }

    /// An answer in each line.
    pub fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    /// Fails at the first answer that is another one in WebAssembly.
    fn compare(&self, there: &Path) -> Result<()> {
        let (here, there) = (fs::read_to_string(self.here())?, fs::read_to_string(there)?);
        let (here, there): (Vec<&str>, Vec<&str>) = (here.lines().collect(), there.lines().collect());
        ensure!(here.len() == there.len(), "{} answers here and {} in WebAssembly", here.len(), there.len());
        let Some(at) = (0..here.len()).find(|at| here[*at] != there[*at]) else { return Ok(()) };
        let requests = fs::read_to_string(self.requests())?;
        let request: String = requests.lines().nth(at).unwrap_or_default().chars().take(200).collect();
        let differs = here[at].bytes().zip(there[at].bytes()).take_while(|(one, other)| one == other).count();
        let near = |text: &str| text.chars().skip(differs.saturating_sub(60)).take(160).collect::<String>();
        bail!("another answer in WebAssembly to {request}\nhere:  {}\nthere: {}", near(here[at]), near(there[at]))
    }
}

impl fmt::Display for VerdictRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerdictRequests { runs, kernels, without, .. } = self;
        write!(f, "{runs} runs of {kernels} kernels have the same findings, counters, values and traces")?;
        if !without.is_empty() {
            write!(f, " (not recorded: {})", without.join(", "))?;
        }
        Ok(())
    }
}

/// In Node.js.
pub fn compare(root: &Path, module: &Path) -> Result<VerdictRequests> {
    let asked = VerdictRequests::of(root, &recorded::all(root)?, false)?;
    let there = asked.folder.path().join("there");
    let script = root.join("emulator/browser/answer.mjs");
    answer(Command::new("node").arg(script).arg(module), &asked.requests(), &there)?;
    asked.compare(&there)?;
    Ok(asked)
}

/// Returns the runs that are asked of each kernel.
fn runs() -> Vec<Value> {
    let seeded = (0..SEEDS).flat_map(|seed| {
        [
            json!({ "kind": "random", "seed": seed }),
            json!({ "kind": "pct", "seed": seed, "depth": 3 }),
            json!({ "kind": "adversarial", "seed": seed }),
        ]
    });
    let policies = [json!({ "kind": "in-order" }), json!({ "kind": "reverse" }), json!({ "kind": "steps" })];
    let checked = policies.into_iter().chain(seeded).map(|policy| {
        // Traces of some: they are long.
        let trace = (policy["seed"] != 0).then(|| json!({ "events": 300, "bytes": 1 << 20 }));
        json!({ "do": "run", "policy": policy, "trace": trace })
    });
    let counted = json!({ "do": "run", "policy": { "kind": "in-order" }, "counts": true });
    checked.chain([counted]).collect()
}

fn answer(command: &mut Command, requests: &Path, answers: &Path) -> Result<()> {
    let status = command.stdin(File::open(requests)?).stdout(File::create(answers)?).stderr(Stdio::inherit()).status();
    ensure!(status.with_context(|| format!("cannot run {:?}", command.get_program()))?.success(), "{command:?} failed");
    Ok(())
}
