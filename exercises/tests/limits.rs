//! Answers that would hang, flood or crash: each costs its own limit, and the next is judged as if nothing had been.

use learn::child::{Judge, Limits};
use learn::compile::Compiler;
use learn::reason::Reason;
use learn::task::{AnswerKind, Task};
use learn::verdict::Verdict;
use std::path::Path;
use std::time::{Duration, Instant};

const LIMITS: Limits = Limits { time: Duration::from_secs(4), memory: 3 << 30 };

fn ask(judge: &mut Judge, text: &str) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.cu");
    std::fs::write(&file, text).unwrap();
    let task = Task {
        catalog: Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog"),
        exercise: "02_sync/missing_barrier".to_string(),
        file,
        shown: "answer.cu".to_string(),
        replay: None,
        colour: false,
        command: "cargo learn".into(),
        is_built: false,
        is_verbose: false,
        more_by: Default::default(),
        tells_idea: false,
        asked: AnswerKind::Verdict,
        unless_known: None,
    };
    judge.ask(&task).unwrap_or_else(|why| panic!("{why}"))
}

fn kernel(body: &str) -> String {
    format!("extern \"C\" __global__ void turn_round(int* data, int n) {{\n{body}\n}}\n")
}

/// Eight macros, each ten times the one before: 10^9 tokens.
fn bomb() -> String {
    let mut text = String::from("#define A0 data[0]++;\n");
    for level in 1..=9 {
        let ten = format!("A{} ", level - 1).repeat(10);
        text.push_str(&format!("#define A{level} {ten}\n"));
    }
    text + &kernel("    A9")
}

#[test]
fn each_costs_its_own_limit_and_the_next_is_judged_as_ever() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let mut judge = Judge::new(Path::new(env!("CARGO_BIN_EXE_learn")), LIMITS);
    let solution =
        kernel("    const int mine = data[n - 1 - threadIdx.x];\n    __syncthreads();\n    data[threadIdx.x] = mine;");
    let hostile = [
        ("a compiler bomb", bomb(), "limit"),
        ("an endless loop", kernel("    while (true) {}"), "livelock"),
        ("a loop that changes memory", kernel("    for (;;) atomicAdd(data, 1);"), "livelock"),
        ("a flood", kernel("    for (;;) printf(\"%d %d %d\\n\", n, n, n);"), "livelock"),
        ("wild pointers", kernel("    data[(long long)n << 40] = 1;"), "out-of-bounds"),
        ("no text at all", String::from("\u{0}\u{1}"), "compile"),
    ];
    for (what, text, kind) in hostile {
        let begin = Instant::now();
        let verdict = ask(&mut judge, &text);
        assert!(
            verdict.is(kind.parse().unwrap()) || verdict.is(Reason::Limit),
            "{what}: {:?}\n{}",
            verdict.kinds,
            verdict.text
        );
        assert!(!verdict.passed && verdict.text.len() < 100_000, "{what}: {}", verdict.text.len());
        // On a busy machine by the clock.
        assert!(begin.elapsed() < 4 * LIMITS.time + Duration::from_secs(5), "{what}: {:?}", begin.elapsed());
        assert!(ask(&mut judge, &solution).passed, "after {what}");
    }
}
