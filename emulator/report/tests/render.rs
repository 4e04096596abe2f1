//! Whole reports: source lines, numbers, remarks.
//!
//! The file is long because all reports are made of the same few pieces.

use finding::{
    Access, AccessKind, AccessValue, Action, Beside, BetweenThreads, Beyond, Buffer, BufferName, Cause, Decision,
    Distance, Finding, LaunchSite, MemoryAccess, MemoryPlace, Missing, NeverWritten, Reached, Relation, Severity, Slug,
    SourceLocation, Space, ThreadName, Unordered, Unwritten, ValueType, Where, Word,
};
use report::{Change, ChangeKind, FixState, Language, Paint, Remarks, Source, render};

const BLOCK_SUM: &str = "\
// a sum
    partial[t] = in[blockIdx.x * 256 + t];
    for (unsigned half = 128; half > 0; half /= 2) {
\tif (t < half) partial[t] += partial[t + half];
";

fn at(line: u32, column: u32) -> SourceLocation {
    SourceLocation { file: "/src/cuda/lesson02/block_sum.cu".to_string(), line, column }
}

fn float(value: f32) -> Option<AccessValue> {
    Some(AccessValue { bits: value.to_bits().into(), ty: ValueType::F32, stale: false, unwritten: false })
}

fn int(value: u32) -> Option<AccessValue> {
    Some(AccessValue { bits: value.into(), ty: ValueType::U32, stale: false, unwritten: false })
}

fn access(line: u32, column: u32, block: u32, thread: u32, action: Action) -> Access {
    let kind = match action {
        Action::Loaded { .. } => AccessKind::Load,
        _ => AccessKind::Store,
    };
    Access {
        location: Some(at(line, column)),
        called_from: Vec::new(),
        launched_by: Vec::new(),
        ptx_line: 77,
        thread: Some(ThreadName { block: [block, 0, 0], thread: [thread, 0, 0], linear: thread }),
        memory: Some(MemoryAccess { kind, space: Space::Shared, scope: None, bytes: 4 }),
        action,
    }
}

fn stored_and_loaded() -> Vec<Access> {
    vec![
        access(2, 5, 0, 128, Action::Stored { value: float(128.0) }),
        access(4, 2, 0, 0, Action::Loaded { value: float(0.0) }),
    ]
}

fn ones_of_a_block() -> Vec<Access> {
    vec![access(2, 5, 0, 3, Action::Stored { value: int(1) }), access(2, 5, 0, 4, Action::Loaded { value: int(0) })]
}

fn finding(accesses: Vec<Access>) -> Finding {
    let place = MemoryPlace::Variable { name: "partial".to_string(), index: Some(128) };
    let race = Unordered::new(place, Distance::Block, Relation::Threads(Box::default()));
    Finding {
        slug: Slug::RaceShared,
        severity: Severity::Error,
        kernel: "block_sum_broken".to_string(),
        accesses,
        headline: None,
        place: Where::Shared { block: [0, 0, 0], bytes: 4, offset: 0x200 },
        cause: Cause::Unordered(Box::new(race)),
        remedies: Vec::new(),
        count: 128,
    }
}

fn show(finding: &Finding) -> String {
    let source = |file: &str| {
        file.ends_with("block_sum.cu").then_some(Source { path: "cuda/lesson02/block_sum.cu", text: BLOCK_SUM })
    };
    let remarks = Remarks {
        luck: Some("in 11 of 64 schedules (2) ran first".to_string()),
        replay: Some("cargo run -p lesson02-sync -- --replay block_sum/broken/random/7/256".to_string()),
        ..Remarks::default()
    };
    render(finding, source, &remarks, Paint::Plain)
}

#[test]
fn both_ends_stand_on_their_lines() {
    let race = finding(stored_and_loaded());
    assert_eq!(
        show(&race),
        "\
error[race-shared]: data race on `partial[128]`: no barrier between a write and a read
  --> cuda/lesson02/block_sum.cu:4
 2 |     partial[t] = in[blockIdx.x * 256 + t];
   |     ^ (1) thread 128 (warp 4) writes 128.0
 4 |     if (t < half) partial[t] += partial[t + half];
   |     ^ (2) thread 0 (warp 0) reads 0.0
   = runs: in 11 of 64 schedules (2) ran first
   = idea: `__syncthreads()` between lines 2 and 4, reached by every thread of the block
   = replay: cargo run -p lesson02-sync -- --replay block_sum/broken/random/7/256
"
    );
}

#[test]
fn lines_follow_the_source_and_numbers_follow_the_run() {
    let race = finding(stored_and_loaded().into_iter().rev().collect());
    let text = show(&race);
    let (two, four) = (text.find(" 2 | ").unwrap(), text.find(" 4 | ").unwrap());
    assert!(two < four, "{text}");
    assert!(text.contains("(2) thread 128") && text.contains("(1) thread 0"), "{text}");
}

#[test]
fn of_threads_that_wait_the_numbers_are_names_and_no_order_is_told() {
    let ends = || stored_and_loaded().into_iter().rev().collect();
    let told = |slug| show(&Finding { slug, ..finding(ends()) }).contains("reads 0.0, before (2) in this run\n");
    assert_eq!(Slug::ALL.into_iter().filter(|slug| !told(*slug)).count(), 4);
    assert!(!told(Slug::Livelock) && !told(Slug::BarrierDivergence) && told(Slug::RaceShared));
    assert!(!show(&finding(stored_and_loaded())).contains("before (2)"));
}

#[test]
fn what_is_subtle_is_told_on_request() {
    let race = finding(stored_and_loaded().into_iter().rev().collect());
    let told = |is_verbose| render(&race, |_| None, &Remarks { is_verbose, ..Remarks::default() }, Paint::Plain);
    for label in ["where", "why"] {
        let line = format!("   = {label}: ");
        assert!(told(true).contains(&line) && !told(false).contains(&line), "{label}: {}", told(true));
    }
}

#[test]
fn one_line_with_both_ends_is_printed_once_and_blocks_are_told_apart() {
    let race = finding(vec![
        access(2, 5, 0, 3, Action::Stored { value: int(1) }),
        access(2, 5, 7, 3, Action::Loaded { value: int(0) }),
    ]);
    let text = show(&race);
    assert_eq!(text.matches("partial[t] = in").count(), 1, "{text}");
    assert!(text.contains("   |     ^ (1) block 0, thread 3 (warp 0) writes 1\n"), "{text}");
    assert!(text.contains("   |     ^ (2) block 7, thread 3 (warp 0) reads 0\n"), "{text}");
}

#[test]
fn a_function_of_the_users_is_shown_with_the_lines_that_called_it() {
    let mut race = finding(ones_of_a_block());
    race.accesses[0].called_from = vec![race.accesses[0].location.clone().unwrap()];
    race.accesses[0].called_from[0].line = 4;
    let other = SourceLocation { file: "other.cuh".to_string(), line: 9, column: 1 };
    race.accesses[1].called_from = vec![other];
    let text = show(&race);
    assert!(text.contains("(1) thread 3 (warp 0, lane 3) writes 1, called from line 4\n"), "{text}");
    assert!(text.contains("(2) thread 4 (warp 0, lane 4) reads 0, called from other.cuh:9\n"), "{text}");
}

#[test]
fn an_argument_is_called_as_the_source_calls_it() {
    let mut race = finding(ones_of_a_block());
    let Cause::Unordered(unordered) = &mut race.cause else { unreachable!("made above") };
    unordered.place = MemoryPlace::Argument { number: 2, index: Some(5) };
    let buffer = Buffer { bytes: 4096, of: BufferName::Argument { number: 2 } };
    race.place = Where::Global { bytes: 4, offset: 20, buffer };
    let kernel = "__global__ void block_sum_broken(const float* in, float* out) {\n\n";
    let source = |_: &str| Some(Source { path: "a.cu", text: kernel });
    let verbose = Remarks { is_verbose: true, ..Remarks::default() };
    let text = render(&race, source, &verbose, Paint::Plain);
    assert!(text.contains("data race on `out[5]`: "), "{text}");
    assert!(text.contains("20 of the 4096-byte buffer of `out`"), "{text}");
    let text = render(&race, |_| None, &verbose, Paint::Plain);
    assert!(text.contains("data race on element 5 of what argument 2 points to: "), "{text}");
    assert!(text.contains("20 of the 4096-byte buffer of argument 2"));
}

#[test]
fn an_end_without_a_line_names_its_ptx_line() {
    let mut race = finding(ones_of_a_block());
    race.accesses[1].location = None;
    let text = show(&race);
    assert!(text.contains("   | (2) line 77 of the PTX: thread 4 (warp 0, lane 4) reads 0\n"), "{text}");
}

#[test]
fn a_smaller_run_is_not_taken_for_the_one_above() {
    let race = finding(stored_and_loaded());
    for (is_smaller, label) in [(false, "see this run"), (true, "see a smaller run")] {
        let remarks = Remarks { see: Some("cargo run".into()), is_smaller, ..Remarks::default() };
        let text = render(&race, |_| None, &remarks, Paint::Plain);
        assert!(text.ends_with(&format!("= {label}: cargo run\n")), "{text}");
    }
}

#[test]
fn the_hosts_own_read_has_no_line_and_is_told_where_there_is_no_other() {
    let mut copied = finding(vec![access(2, 5, 0, 3, Action::Stored { value: int(1) })]);
    let read = || Access::of_host(Action::HostRead { bytes: 4, from: 0 });
    copied.accesses.push(read());
    let told = |finding: &Finding, is_verbose| {
        let remarks = Remarks { is_verbose, ..Remarks::default() };
        render(finding, |_| None, &remarks, Paint::Plain).contains(") the host reads 4 bytes, beginning at byte 0\n")
    };
    assert!(told(&copied, true) && !told(&copied, false));
    assert!(told(&finding(vec![read()]), false));
}

#[test]
fn what_nothing_wrote_is_told_beside_the_line_that_wrote_its_neighbour() {
    let text = "__global__ void block_sum_broken(int* out) {\n    out[threadIdx.x] = 1;\n}\n";
    let at = |line| SourceLocation { file: "a.cu".to_string(), line, column: 5 };
    let copied = |bytes| {
        let from = Unwritten::Copied {
            kernel: Some("block_sum_broken".into()),
            at: Some(at(1)),
            argument: Some(Beyond { argument: 1, offset: 1024 }),
            bytes: 4,
            beside: Some(Beside { at: at(2), offset: 1020, bytes }),
        };
        let cause = Cause::NeverWritten(Box::new(NeverWritten { reached: Reached::Host, from }));
        let accesses = vec![Access::of_host(Action::HostRead { bytes: 1028, from: 0 })];
        Finding { slug: Slug::UndefinedValue, accesses, cause, ..finding(vec![]) }
    };
    let source = |_: &str| Some(Source { path: "a.cu", text });
    assert_eq!(
        render(&copied(4), source, &Remarks::default(), Paint::Plain),
        "\
error[undefined-value]: the host copies `out[256]`, which nothing has written
  --> a.cu:2
 2 |     out[threadIdx.x] = 1;
   |     ^ writes `out[255]`, and never `out[256]`
   = idea: let a thread write `out[256]` too, in line 2 or in a line of its own. Or copy only what was written
"
    );
    let wide = render(&copied(8), source, &Remarks::default(), Paint::Plain);
    assert!(wide.contains("line 2 writes 2 elements at a time, and fewer are left at the end"), "{wide}");
    // The line that a fix changes has its mark, and the header stays where it was.
    let changes = vec![Change { line: 3, code: "{".into(), was: "}".into(), kind: ChangeKind::Changed }];
    let fix = FixState::Tried { changes, runs: 73, is_answer_known: true };
    let tried = render(&copied(4), source, &Remarks { fix, ..Remarks::default() }, Paint::Plain);
    let marked = " 3 | }\n   | ^ with this line as it is, no thread writes `out[256]`\n";
    assert!(tried.contains(marked) && tried.contains("--> a.cu:2\n"), "{tried}");
}

#[test]
fn lines_that_a_report_cites_are_shown_while_twelve_rows_hold_them() {
    let new = |line| Change { line, code: "__syncthreads();".into(), was: String::new(), kind: ChangeKind::New };
    let fix = |changes| FixState::Tried { changes, runs: 73, is_answer_known: true };
    let race = finding(stored_and_loaded());
    let told = |remarks: &Remarks| {
        let source = |_: &str| Some(Source { path: "block_sum.cu", text: BLOCK_SUM });
        render(&race, source, remarks, Paint::Plain)
    };
    let tried = Remarks { fix: fix(vec![new(1), new(3)]), ..Remarks::default() };
    assert_eq!(
        told(&tried),
        "\
error[race-shared]: data race on `partial[128]`: no barrier between a write and a read
  --> block_sum.cu:4
 1 | // a sum
 2 |     partial[t] = in[blockIdx.x * 256 + t];
   |     ^ (1) thread 128 (warp 4) writes 128.0
 3 |     for (unsigned half = 128; half > 0; half /= 2) {
 4 |     if (t < half) partial[t] += partial[t + half];
   |     ^ (2) thread 0 (warp 0) reads 0.0
   = fix (tried, right in 73 of 73 runs): add `__syncthreads();` before line 1 and before line 3
"
    );
    // The remarks leave room for one of the two.
    let long = Remarks { luck: Some("luck ".repeat(50)), replay: Some("cargo run".into()), ..tried };
    assert!(told(&long).contains("// a sum") && !told(&long).contains("for (unsigned half"), "{}", told(&long));
    assert!(told(&Remarks { is_verbose: true, ..long }).contains("for (unsigned half"));
}

#[test]
fn why_fences_are_needed_is_told_where_rows_are_left() {
    let missing =
        Missing::FenceBeforeFlag { first: at(2, 5), set: at(3, 5), look: None, acquired: false, word: Word::Flag };
    let pair = BetweenThreads { missing: Some(missing), ..BetweenThreads::default() };
    let place = MemoryPlace::Variable { name: "partial".to_string(), index: None };
    let race = Unordered::new(place, Distance::Grid, Relation::Threads(Box::new(pair)));
    let race = Finding { cause: Cause::Unordered(Box::new(race)), ..finding(stored_and_loaded()) };
    let told = |remarks: &Remarks| render(&race, |_| None, remarks, Paint::Plain);
    let why = "= why: Line 3 sets the flag after (1)";
    assert!(told(&Remarks::default()).contains(why), "{}", told(&Remarks::default()));
    // One who is to find the fix is not told of the fence.
    let untold = told(&Remarks { fix: FixState::Untold, ..Remarks::default() });
    assert!(untold.contains("the flag (set in line 3) does not order the two accesses"), "{untold}");
    assert!(untold.contains("= why: Line 3 sets the flag after (1). Another") && !untold.contains("fence"), "{untold}");
    let long = Remarks { luck: Some("luck ".repeat(200)), ..Remarks::default() };
    assert!(!told(&long).contains(why) && !show(&finding(stored_and_loaded())).contains("= why"));
}

#[test]
fn a_block_is_named_beside_the_kernel_unless_it_is_the_first() {
    let names_kernel = Remarks { names_kernel: true, ..Remarks::default() };
    let told = |accesses| {
        let text = render(&finding(accesses), |_| None, &names_kernel, Paint::Plain);
        text.lines().nth(1).unwrap_or_default().split_once("kernel ").expect("it is named").1.to_string()
    };
    let one = |block| access(2, 5, block, 3, Action::Loaded { value: None });
    assert_eq!(told(vec![one(0)]), "`block_sum_broken`");
    assert_eq!(told(vec![one(7), one(7)]), "`block_sum_broken`, block 7");
    assert_eq!(told(vec![one(7), one(8)]), "`block_sum_broken`");
}

#[test]
fn a_file_that_is_not_at_hand_still_has_its_name() {
    let mut race = finding(vec![access(2, 5, 0, 3, Action::Stored { value: int(1) })]);
    race.accesses[0].location.as_mut().unwrap().file = "elsewhere.cuh".to_string();
    let text = show(&race);
    assert!(text.contains("--> elsewhere.cuh:2\n   | ^ (1) thread 3"), "{text}");
}

#[test]
fn places_beyond_the_source_do_no_harm() {
    for (line, column) in [(0, 0), (1, 4000), (u32::MAX, u32::MAX)] {
        assert!(
            show(&finding(vec![access(line, column, 0, 0, Action::Stored { value: int(1) })])).contains("(1) thread 0")
        );
    }
}

#[test]
fn colour_changes_no_word() {
    let race = finding(stored_and_loaded());
    let source = |_: &str| Some(Source { path: "a.cu", text: BLOCK_SUM });
    let plain = render(&race, source, &Remarks::default(), Paint::Plain);
    let ansi = render(&race, source, &Remarks::default(), Paint::Ansi);
    assert!(ansi.contains("\x1b[1;31merror[race-shared]\x1b[0m"));
    let mut stripped = String::new();
    let mut rest = ansi.as_str();
    while let Some((before, after)) = rest.split_once("\x1b[") {
        stripped.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn a_hint_has_no_slug() {
    let race = finding(ones_of_a_block());
    let remarks = Remarks { is_hint: true, ..Remarks::default() };
    let text = render(&race, |_| None, &remarks, Paint::Plain);
    assert!(text.starts_with("note: "), "{text}");
}

#[test]
fn a_hint_is_known_by_its_severity_too() {
    let hint = Finding { severity: Severity::Hint, ..finding(ones_of_a_block()) };
    assert!(show(&hint).starts_with("note: "), "{}", show(&hint));
}

#[test]
fn the_kernel_is_named_beside_the_line() {
    let remarks = Remarks { names_kernel: true, ..Remarks::default() };
    let show = |finding: &Finding| render(finding, |_| None, &remarks, Paint::Plain);
    let mut race = finding(ones_of_a_block());
    assert!(show(&race).contains("block_sum.cu:2, kernel `block_sum_broken`\n"), "{}", show(&race));
    race.accesses.iter_mut().for_each(|access| access.location = None);
    assert!(show(&race).contains("   = where: kernel `block_sum_broken`\n"), "{}", show(&race));
    race.kernel.clear();
    assert!(!show(&race).contains("kernel `"), "{}", show(&race));
}

#[test]
fn a_fix_says_what_came_of_trying() {
    let race = finding(stored_and_loaded());
    let told = |fix: FixState, language| {
        let text = render(&race, |_| None, &Remarks { language, fix, ..Remarks::default() }, Paint::Plain);
        // From the last label on.
        let at = text.rfind("\n   = ").expect("it has a label") + 1;
        text[at..].trim_end().to_string()
    };
    let tried = |is_answer_known| FixState::Tried {
        changes: vec![
            Change { line: 4, code: "__syncthreads();".into(), was: String::new(), kind: ChangeKind::New },
            Change { line: 9, code: "atomicAdd(n, 1);".into(), was: "*n += 1;".into(), kind: ChangeKind::Changed },
            Change { line: 12, code: "wait();".into(), was: String::new(), kind: ChangeKind::Removed },
        ],
        runs: 73,
        is_answer_known,
    };
    let english = [
        (
            tried(true),
            "fix (tried, right in 73 of 73 runs): add `__syncthreads();` before line 4 and\n         change line 9 \
             `*n += 1;` to `atomicAdd(n, 1);` and\n         delete line 12 `wait();`",
        ),
        (
            tried(false),
            "fix (tried, no finding in 73 runs; the right answer is not known): add `__syncthreads();` before line 4 \
             and\n         change line 9 `*n += 1;` to `atomicAdd(n, 1);` and\n         delete line 12 `wait();`",
        ),
        (FixState::WithFirst, "fix: the fix above that was tried also fixes this one"),
        (FixState::WithNext, "fix: the fix of a finding below also fixes this one"),
        (FixState::Idea, "idea: `__syncthreads()` between lines 2 and 4, reached by every thread of the block"),
    ];
    for (fix, words) in english {
        assert_eq!(told(fix, Language::English), format!("   = {words}"));
    }
    let spanish = "   = corrección (probada, correcta en 73 de 73 ejecuciones): añade `__syncthreads();` antes de la \
        línea 4 y\n         \
                   cambia la línea 9 `*n += 1;` por `atomicAdd(n, 1);` y\n         \
                   borra la línea 12 `wait();`";
    assert_eq!(told(tried(true), Language::Spanish), spanish);
}

#[test]
fn a_report_is_in_the_readers_language() {
    let race = finding(stored_and_loaded());
    let spanish = Remarks { language: Language::Spanish, luck: Some("siempre".into()), ..Remarks::default() };
    let text = render(&race, |_| None, &spanish, Paint::Plain);
    let words = [
        "condición de carrera en `partial[128]`",
        "el thread 128 (warp 4) escribe 128.0",
        "   = idea: ",
        "   = frecuencia: ",
    ];
    for word in words {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn launches_by_kernels_are_told_from_the_inside_out() {
    let mut race = finding(ones_of_a_block());
    let thread = ThreadName { block: [1, 0, 0], thread: [2, 0, 0], linear: 2 };
    let site = |kernel: &str, location| LaunchSite { kernel: kernel.to_string(), location, ptx_line: 9, thread };
    race.accesses[0].launched_by = vec![site("leaf", Some(at(3, 1))), site("node", None)];
    let told = "= launched: (1) `leaf` at cuda/lesson02/block_sum.cu:3 by block 1, thread 2 (warp 0), `node` at line \
        9 of the PTX by \
                block 1, thread 2 (warp 0)\n";
    assert!(show(&race).contains(told), "{}", show(&race));
    race.accesses[0].launched_by = vec![site("leaf", None); 7];
    assert!(show(&race).contains(", and so on, 7 deep\n"), "{}", show(&race));
}

#[test]
fn two_equal_stores_are_a_note() {
    let mut race = finding(ones_of_a_block());
    race.severity = Severity::Note;
    assert!(show(&race).starts_with("note[race-shared]: "));
}

#[test]
fn a_line_that_changes_is_told_as_it_is_unless_it_is_shown() {
    let change = |line, was: &str| Change { line, code: "f();".into(), was: was.into(), kind: ChangeKind::Changed };
    let fix = FixState::Tried { changes: vec![change(4, "if (t < half)")], runs: 1, is_answer_known: true };
    let race = finding(stored_and_loaded());
    let told = |text, fix: &FixState| {
        let source = |_: &str| Some(Source { path: "block_sum.cu", text });
        render(&race, source, &Remarks { fix: fix.clone(), ..Remarks::default() }, Paint::Plain)
    };
    assert!(told(BLOCK_SUM, &fix).contains("change line 4 to `f();`"));
    assert!(told("", &fix).contains("change line 4 `if (t < half)` to `f();`"), "{}", told("", &fix));
}

#[test]
fn a_pointer_of_another_name_is_shown_where_it_gets_it() {
    let text = "__global__ void k(float* most) {\n    int* bits = (int*)most; // as bits\n\
        \n    int seen = *bits;\n    *bits = 1; }\n";
    let told = |text, kernel: &str| {
        let place = MemoryPlace::Argument { number: 1, index: Some(0) };
        let race = Unordered::new(place, Distance::Grid, Relation::Threads(Box::default()));
        let accesses = vec![
            access(4, 5, 0, 0, Action::Loaded { value: None }),
            access(5, 5, 1, 0, Action::Stored { value: None }),
        ];
        let race = Finding { kernel: kernel.into(), cause: Cause::Unordered(Box::new(race)), ..finding(accesses) };
        render(&race, |_| Some(Source { path: "a.cu", text }), &Remarks::default(), Paint::Plain)
    };
    assert!(told(text, "k").contains(" 2 |     int* bits = (int*)most; // as bits\n 4 | "), "{}", told(text, "k"));
    let by_name = text.replace("seen = *bits", "seen = *most");
    assert!(!told(&by_name, "k").contains(" 2 |"), "{}", told(&by_name, "k"));
    let elsewhere = text.replace("int* bits = (int*)most; // as bits", "int* bits = other; // = most");
    assert!(!told(&elsewhere, "k").contains(" 2 |"), "{}", told(&elsewhere, "k"));
}

#[test]
fn a_function_that_the_source_does_not_name_is_called_by_its_line() {
    let told = |text| {
        let asked = access(1, 1, 0, 0, Action::AskedActiveMask { mask: Some(3) });
        render(&finding(vec![asked]), |_| Some(Source { path: "a.cu", text }), &Remarks::default(), Paint::Plain)
    };
    let inside = told("auto group = cg::coalesced_threads();");
    assert!(
        inside.contains("from `__activemask()`: lanes 0 and 1 run here now (inside of a call in this line)\n"),
        "{inside}"
    );
    assert!(!told("unsigned mask = __activemask();").contains("inside of"));
}

#[test]
fn a_note_on_the_lanes_that_another_function_asks_for_asks_for_no_change() {
    let told = |text| {
        let cause = Cause::ActiveMask { differ: false };
        let asked = access(1, 1, 0, 0, Action::ActiveMaskGave { mask: 3, live: 32 });
        let note = Finding { cause, ..finding(vec![asked]) };
        render(&note, |_| Some(Source { path: "a.cu", text }), &Remarks::default(), Paint::Plain)
    };
    let inside = told("auto group = cg::coalesced_threads();");
    assert!(inside.contains("it calls `__activemask()` inside") && inside.contains("no change is needed"), "{inside}");
    let named = told("unsigned mask = __activemask();");
    assert!(named.contains("]: `__activemask()` names") && !named.contains("no change is needed"), "{named}");
}

#[test]
fn a_variable_that_one_line_assigns_has_its_name() {
    let told = |text, lines: &[u32]| {
        let at = |line| SourceLocation { file: "a.cu".to_string(), line, column: 5 };
        let from = Unwritten::Unknown { writers: lines.iter().map(|line| at(*line)).collect() };
        let reached = Reached::Decision { decision: Decision::Branch };
        let cause = Cause::NeverWritten(Box::new(NeverWritten { reached, from }));
        let used = access(3, 5, 0, 3, Action::UsedUnwritten);
        let used = Finding { slug: Slug::UndefinedValue, cause, ..finding(vec![used]) };
        render(&used, |_| Some(Source { path: "a.cu", text }), &Remarks::default(), Paint::Plain)
    };
    let one = "int first;\nif (rank == 0) first = atomicAdd(count, 1);\nif (first < n) { }\n";
    assert!(
        told(one, &[2]).contains("depends on `first`, which this thread did not write: only line 2"),
        "{}",
        told(one, &[2])
    );
    let two = "int first;\nif (rank == 0) a = 1, first = 2;\nif (first < n) { }\n";
    assert!(told(two, &[2]).contains("depends on a variable"), "{}", told(two, &[2]));
    assert!(told(one, &[1, 2]).contains("depends on a variable"), "{}", told(one, &[1, 2]));
}

#[test]
fn a_value_that_came_in_time_and_a_thread_that_came_back_are_told() {
    let loaded = |value| access(4, 2, 0, 0, Action::Loaded { value: float(value) });
    let stored = || access(2, 5, 0, 128, Action::Stored { value: float(128.0) });
    let in_time = show(&finding(vec![stored(), loaded(128.0)]));
    assert!(in_time.contains("reads 128.0 (this time, the value that (1) wrote)\n"), "{in_time}");
    assert_eq!(in_time.matches("this time").count(), 1, "{in_time}");
    for accesses in [vec![stored(), loaded(0.0)], vec![loaded(128.0), stored()]] {
        assert!(!show(&finding(accesses)).contains("this time"));
    }
    let again = show(&finding(vec![stored(), stored()]));
    assert!(again.contains("(2) thread 128 (warp 4) writes 128.0 again, in a later iteration\n"), "{again}");
    assert!(!show(&finding(ones_of_a_block())).contains("again"));
}
