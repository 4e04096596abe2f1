//! What is tried first against a finding, by its cause.

use finding::{
    Absence, AbsentLane, Access, AccessKind, Action, AtomicAccess, BarrierKind, BetweenThreads, Cause, Copies,
    Decision, Distance, Edit, Finding, Livelock, LostUpdate, MemoryAccess, NeverWritten, Place, Polled, Position,
    Reached, Relation, Remedy, Scope, Severity, Side, Slug, SourceLocation, Space, Threads, Unordered, Unwritten,
    Where,
};
use repair::candidates::candidates;
use repair::source::{Source, apply, text_edits};

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
    candidates(finding, &Source::parse(&kernel(body)).unwrap(), "k")
}

/// What comes of the body by each remedy that fits it.
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
    let unordered = Unordered::new(Place::Own, distance, relation);
    finding(Slug::RaceShared, Cause::Unordered(Box::new(unordered)), accesses)
}

#[test]
fn an_access_outside_gets_a_condition() {
    let cause = || Cause::OutOfBounds { kind: AccessKind::Store, bytes: 4, space: Space::Global, side: Side::Past };
    let outside = |line| finding(Slug::OutOfBounds, cause(), vec![access(line, AccessKind::Store)]);
    let body = "    d[y * n + x] = 1;";
    assert_eq!(
        bodies(body, &outside(2)),
        ["    if (y * n + x < n) d[y * n + x] = 1;", "    if (x < n) d[y * n + x] = 1;"]
    );
    let body = "    d[n - i] = 1;";
    assert!(bodies(body, &outside(2)).contains(&"    if (n >= i) d[n - i] = 1;".to_string()));
    let body = "    for (int i = 0; i <= 8; i++) d[2 * i] = p[i];";
    let changed = bodies(body, &outside(2));
    assert!(changed.contains(&body.replace("<=", "<")), "{changed:?}");
    assert!(changed.contains(&body.replace("p[i]", "i < n ? p[i] : 0")), "{changed:?}");
}

#[test]
fn what_nothing_has_written_is_not_read() {
    let cause = |from| {
        let reached = Reached::Decision { decision: Decision::Branch };
        Cause::NeverWritten(Box::new(NeverWritten { reached, from }))
    };
    let loaded = cause(Unwritten::Loaded { place: Place::Own, gone: None });
    let accesses = vec![access(2, AccessKind::Load), access(3, AccessKind::Load)];
    let body = "    int x = p[threadIdx.x];\n    if (x) d[0] = p[0];";
    let changed = bodies(body, &finding(Slug::UndefinedValue, loaded, accesses));
    assert_eq!(changed[0], body.replacen("p[threadIdx.x]", "threadIdx.x < n ? p[threadIdx.x] : 0", 1));
    // Or it is written too late.
    assert!(changed[1..].contains(&format!("    __syncthreads();\n{body}")), "{changed:?}");

    let body = "    if (lane == 0) x = atomicAdd(d, 1);\n    if (x < n) d[x] = 1;";
    let unknown = cause(Unwritten::Unknown { writers: vec![at(2)] });
    let changed = bodies(body, &finding(Slug::UndefinedValue, unknown, vec![access(3, AccessKind::Load)]));
    assert_eq!(changed, [body.replace("\n", "\n    x = __shfl_sync(0xffffffff, x, 0);\n")]);
}

#[test]
fn a_copy_is_waited_for_and_then_by_all() {
    let copies = Relation::Copies { copies: Copies::OtherThread };
    let body = "    __pipeline_memcpy_async(d, p, 4);\n    __pipeline_commit();\n    x = d[1];";
    let found = race(copies, Distance::Block, vec![access(2, AccessKind::AsyncCopy), access(4, AccessKind::Load)]);
    let wait = body.replace("commit();", "commit();\n    __pipeline_wait_prior(0);");
    let both = wait.replace("(0);", "(0);\n    __syncthreads();");
    assert_eq!(bodies(body, &found)[..2], [wait, both]);
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

    // With a line before it that races with it.
    let accesses = vec![access(2, AccessKind::Store), access(3, AccessKind::Load)];
    let mut unordered = Unordered::new(Place::Own, Distance::Warp, threads());
    unordered.lost_update = Some(LostUpdate { in_one_warp: true });
    let found = finding(Slug::RaceShared, Cause::Unordered(Box::new(unordered)), accesses);
    let body = "    d[n] = 1;\n    d[n] += d[n + 1];";
    let want = format!("    d[n] = 1;\n    __syncwarp();\n{}\n    __syncwarp();", halves("__syncwarp()"));
    assert!(bodies(body, &found).contains(&want));
}

#[test]
fn a_flag_is_atomic_and_has_fences() {
    let polled = Some(Polled::Again);
    let threads = |polled| Relation::Threads(Box::new(BetweenThreads { polled, ..BetweenThreads::default() }));
    let accesses = vec![access(3, AccessKind::Store), access(4, AccessKind::Load)];
    let body = "    d[1] = n;\n    d[0] = 1;\n    while (d[0] == 0) {}\n    x = d[1];";
    let atomic = body.replace("d[0] = 1", "atomicExch(&d[0], 1)").replace("d[0] ==", "atomicAdd(&d[0], 0) ==");
    let fences = atomic
        .replace("    atomicExch", "    __threadfence();\n    atomicExch")
        .replace("{}", "{}\n    __threadfence();");
    let found = race(threads(polled), Distance::Grid, accesses.clone());
    assert_eq!(bodies(body, &found)[..2], [atomic.clone(), fences]);
    let fence = |edit: &Edit| matches!(edit, Edit::InsertFence { scope: Scope::Device, .. });
    assert_eq!(remedies(body, &found)[1].iter().filter(|edit| fence(edit)).count(), 2);
    // What nobody waits for is data.
    let loads =
        |remedy: &Remedy| remedy.iter().any(|edit| matches!(edit, Edit::MakeAtomic { access: AtomicAccess::Load, .. }));
    assert!(!remedies(body, &race(threads(None), Distance::Grid, accesses)).iter().any(loads));
}

fn absence(absent: AbsentLane) -> Cause {
    Cause::AbsentLane(Box::new(Absence {
        reached: Reached::Host,
        lane: 16,
        absent,
        taker: 0,
        away: None,
        comes: false,
        asked: false,
    }))
}

#[test]
fn half_a_warp_begins_at_a_quarter() {
    let body = "    for (int by = 16; by > 0; by /= 2) {\n        x += __shfl_down_sync(m, x, by);\n    }";
    let found = |absent| finding(Slug::AbsentLane, absence(absent), vec![access(3, AccessKind::Load)]);
    let lower = body.replace("by = 16", "by = 8");
    let narrow = |body: &str| body.replace("x, by)", "x, by, 16)");
    let changed = bodies(body, &found(AbsentLane::NoThread { threads: 16 }));
    assert_eq!(changed[..3], [narrow(&lower), lower.clone(), narrow(body)]);
    for other in [AbsentLane::NoThread { threads: 20 }, AbsentLane::Exited] {
        assert!(!bodies(body, &found(other)).contains(&lower));
    }
}

#[test]
fn who_waits_may_wait_elsewhere() {
    let livelock = Cause::Livelock(Box::new(Livelock { proven: true, ..Livelock::default() }));
    let body = "    while (atomicCAS(d, 0, 1)) {}\n    __syncwarp();\n    atomicExch(d, 0);";
    let accesses = vec![access(2, AccessKind::Atomic), access(3, AccessKind::Load)];
    let want = "    while (atomicCAS(d, 0, 1)) {}\n    atomicExch(d, 0);\n    __syncwarp();";
    first_is(body, &finding(Slug::Livelock, livelock.clone(), accesses), want);
    let body = "    while (atomicCAS(&d[a], 0, 1)) {}\n    while (atomicCAS(&d[b], 0, 1)) {}";
    let accesses = vec![access(2, AccessKind::Atomic), access(3, AccessKind::Atomic)];
    let want = body.replace("d[a]", "d[min(a, b)]").replace("d[b]", "d[max(a, b)]");
    first_is(body, &finding(Slug::Livelock, livelock, accesses), &want);

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
