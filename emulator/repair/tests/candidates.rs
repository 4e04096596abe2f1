//! Tests of which candidates are tried first against a finding, by its cause.

use finding::{
    Access, AccessKind, Action, BarrierKind, BetweenThreads, BufferSide, Cause, Decision, Distance, Edit, Finding,
    Livelock, MemoryAccess, MemoryPlace, NeverWritten, Position, Reached, Relation, Remedy, Severity, Slug,
    SourceLocation, Space, Threads, Unordered, Unwritten, Where,
};
use repair::candidates::candidates;
use repair::source::{SourceFile, apply, text_edits};

fn at(line: u32) -> SourceLocation {
    SourceLocation { file: "k.cu".into(), line, column: 1 }
}

fn access(line: u32, kind: AccessKind) -> Access {
    let memory = MemoryAccess { kind, space: Space::Global, scope: None, bytes: 4 };
    let access = Access::of_host(Action::Loaded { value: None });
    Access { location: Some(at(line)), memory: Some(memory), ..access }
}

fn finding(slug: Slug, cause: Cause, accesses: Vec<Access>) -> Finding {
    Finding {
        slug,
        severity: Severity::Error,
        kernel: "k".into(),
        accesses,
        headline: None,
        place: Where::Nowhere,
        cause,
        remedies: Vec::new(),
        count: 1,
    }
}

/// The body's lines begin at line 2.
fn kernel(body: &str) -> String {
    format!("__global__ void k(int* d, const int* p, int n) {{\n{body}\n}}\n")
}

fn remedies(body: &str, finding: &Finding) -> Vec<Remedy> {
    candidates(finding, &SourceFile::parse(&kernel(body)).unwrap(), "k")
}

/// Returns the body as changed by each remedy that fits it.
fn bodies(body: &str, finding: &Finding) -> Vec<String> {
    let text = kernel(body);
    let edits = remedies(body, finding).into_iter().filter_map(|remedy| text_edits(&text, "k", &remedy).ok());
    let changed = edits.map(|edits| apply(&text, &edits));
    changed.map(|text| text.lines().skip(1).take_while(|line| *line != "}").collect::<Vec<_>>().join("\n")).collect()
}

#[track_caller]
fn first_is(body: &str, finding: &Finding, want: &str) {
    assert_eq!(bodies(body, finding).first().map(String::as_str), Some(want));
}

fn race(relation: Relation, distance: Distance, accesses: Vec<Access>) -> Finding {
    let unordered = Unordered::new(MemoryPlace::Own, distance, relation);
    finding(Slug::RaceShared, Cause::Unordered(Box::new(unordered)), accesses)
}

#[test]
fn an_access_outside_gets_a_condition() {
    let cause =
        || Cause::OutOfBounds { kind: AccessKind::Store, bytes: 4, space: Space::Global, side: BufferSide::Past };
    let outside = |line| finding(Slug::OutOfBounds, cause(), vec![access(line, AccessKind::Store)]);
    let body = "    d[y * n + x] = 1;";
    assert_eq!(
        bodies(body, &outside(2)),
        [
            "    if (y * n + x < n) d[y * n + x] = 1;",
            "    if (x < n) d[y * n + x] = 1;",
            "    if (y < n) d[y * n + x] = 1;"
        ]
    );
    let body = "    d[n - i] = 1;";
    assert!(bodies(body, &outside(2)).contains(&"    if (n >= i) d[n - i] = 1;".to_string()));
    let body = "    for (int i = 0; i <= 8; i++) d[2 * i] = p[i];";
    let changed = bodies(body, &outside(2));
    assert!(changed.contains(&body.replace("p[i]", "i < n ? p[i] : 0")), "{changed:?}");
}

#[test]
fn what_nothing_has_written_is_not_read() {
    let cause = |from| {
        let reached = Reached::Decision { decision: Decision::Branch };
        Cause::NeverWritten(Box::new(NeverWritten { reached, from }))
    };
    let loaded = cause(Unwritten::Loaded { place: MemoryPlace::Own, gone: None });
    let accesses = vec![access(2, AccessKind::Load), access(3, AccessKind::Load)];
    let body = "    int x = p[threadIdx.x];\n    if (x) d[0] = p[0];";
    let changed = bodies(body, &finding(Slug::UndefinedValue, loaded, accesses));
    assert_eq!(changed[0], body.replacen("p[threadIdx.x]", "threadIdx.x < n ? p[threadIdx.x] : 0", 1));
    // Or it is written too late.
    assert!(changed[1..].contains(&format!("    __syncthreads();\n{body}")), "{changed:?}");
}

#[test]
fn a_line_that_races_with_itself_is_split() {
    let threads = || Relation::Threads(Box::new(BetweenThreads { one_line: true, ..BetweenThreads::default() }));
    let accesses = vec![access(2, AccessKind::Store), access(2, AccessKind::Load)];
    let body = "    d[n] += d[n + 1];";
    let halves = |barrier: &str| format!("    const auto sum = d[n] + d[n + 1];\n    {barrier};\n    d[n] = sum;");
    first_is(body, &race(threads(), Distance::Warp, accesses.clone()), &halves("__syncwarp()"));
    let changed = bodies(body, &race(threads(), Distance::Block, accesses.clone()));
    assert_eq!(changed[..2], [halves("__syncthreads()"), halves("__syncthreads()") + "\n    __syncthreads();"]);
    // No barrier of a block holds another one.
    assert!(!bodies(body, &race(threads(), Distance::Grid, accesses)).iter().any(|text| text.contains("sum")));
}

#[test]
fn who_waits_may_wait_elsewhere() {
    let livelock = Cause::Livelock(Box::new(Livelock { proven: true, ..Livelock::default() }));
    let body = "    while (atomicCAS(d, 0, 1)) {}\n    __syncwarp();\n    atomicExch(d, 0);";
    let accesses = vec![access(2, AccessKind::Atomic), access(3, AccessKind::Load)];
    let want = "    while (atomicCAS(d, 0, 1)) {}\n    atomicExch(d, 0);\n    __syncwarp();";
    first_is(body, &finding(Slug::Livelock, livelock, accesses), want);
    let deadlock = Cause::Deadlock { ended: Threads::default(), more: 0 };
    let body = "    for (;;) {\n        if (i >= n) break;\n        d[i] = 1;\n        __syncthreads();\n    }";
    let want = "    for (;;) {\n        if (i < n) d[i] = 1;\n        __syncthreads();\n    }";
    first_is(body, &finding(Slug::Deadlock, deadlock, vec![access(5, AccessKind::Load)]), want);
}

#[test]
fn barriers_are_tried_where_they_were() {
    let threads = Relation::Threads(Box::default());
    let found = race(threads, Distance::Block, vec![access(2, AccessKind::Store), access(3, AccessKind::Load)]);
    let barrier = Edit::InsertBarrier {
        barrier: BarrierKind::Block,
        at: Position::Before { at: SourceLocation { column: 5, ..at(3) } },
    };
    assert!(remedies("    d[0] = 1;\n    x = d[1];", &found).contains(&vec![barrier]));
}

/// `__syncthreads()` would wait for threads that never come to these lines.
#[test]
fn parts_of_a_block_are_given_a_barrier_of_theirs_first() {
    let threads = Relation::Threads(Box::default());
    let found = race(threads, Distance::Block, vec![access(4, AccessKind::Store), access(5, AccessKind::Load)]);
    let wait = "asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");";
    let body = |between: &str| {
        let other = "    asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");";
        let own = format!("        {wait}\n        d[0] = 1;\n{between}        x = d[1];");
        format!("    if (threadIdx.x < 64) {{\n{own}\n    }}\n{other}")
    };
    first_is(&body(""), &found, &body(&format!("        {wait}\n")));
}

/// Since each is tried, there need be few, and none needs to be clever.
#[test]
fn advice_has_at_most_1500_lines() {
    let files = [
        include_str!("../../diagnose/src/remedies.rs"),
        include_str!("../src/candidates.rs"),
        include_str!("../src/candidates/places.rs"),
        include_str!("../src/search.rs"),
        include_str!("../src/source/guesses.rs"),
        include_str!("../src/source/suggest.rs"),
        include_str!("../src/source/together.rs"),
    ];
    let lines = files.map(|text| text.lines().take_while(|line| *line != "#[cfg(test)]").count());
    assert!(lines.iter().sum::<usize>() <= 1500, "{lines:?}");
}
