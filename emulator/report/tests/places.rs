//! Tests of the names of memory and kernels, and of which advice fits the line.

use finding::{
    Access, AccessKind, AccessValue, Action, AtomicOperation, BetweenThreads, Cause, Distance, Finding, MemoryAccess,
    MemoryPlace, Narrow, NarrowPart, Polled, Relation, Scope, Severity, Slug, SourceLocation, Space, Synchroniser,
    ThreadName, Unordered, ValueType, Where,
};
use report::{Language, Paint, Reader, Remarks, Source, fix, message, named_place, render};

fn access(line: u32, block: u32, kind: AccessKind, action: Action) -> Access {
    Access {
        location: Some(SourceLocation { file: "a.cu".into(), line, column: 1 }),
        thread: Some(ThreadName { block: [block, 0, 0], thread: [0; 3], linear: 0 }),
        memory: Some(MemoryAccess { kind, space: Space::Global, scope: None, bytes: 4 }),
        called_from: Vec::new(),
        launched_by: Vec::new(),
        ptx_line: 7,
        action,
    }
}

fn value(bits: u64, unwritten: bool) -> Option<AccessValue> {
    Some(AccessValue { bits, ty: ValueType::U32, stale: false, unwritten })
}

fn written_and_read(place: MemoryPlace, relation: Relation) -> Finding {
    Finding {
        slug: Slug::RaceGlobal,
        severity: Severity::Error,
        kernel: "_Z1kP4NodePi".into(),
        accesses: vec![
            access(3, 0, AccessKind::Store, Action::Stored { value: value(7, false) }),
            access(4, 1, AccessKind::Load, Action::Loaded { value: value(7, true) }),
        ],
        headline: None,
        place: Where::Nowhere,
        cause: Cause::Unordered(Box::new(Unordered::new(place, Distance::Grid, relation))),
        remedies: Vec::new(),
        count: 1,
    }
}

fn threads(pair: BetweenThreads) -> Relation {
    Relation::Threads(Box::new(pair))
}

const SOURCE: &str = "struct Node { int value; Node* next; }; __device__ Node pool[4]; __device__ Node one;
__global__ void k(Node* list, int* out) {
    list[1].value = 1;
    *out = one.value + pool[0].value;
}
";

fn source(_: &str) -> Option<Source<'static>> {
    Some(Source { path: "a.cu", text: SOURCE })
}

#[test]
fn arrays_have_their_names_in_python() {
    let text = "@cuda.jit\ndef k(a, n, grid,\n      x=(1, 2), flag=True, out=None):\n    pass\n";
    let source = |_: &str| Some(Source { path: "a.py", text });
    let named = |place: MemoryPlace| {
        let mut race = written_and_read(place.clone(), threads(BetweenThreads::default()));
        race.kernel = "_ZN8__main__1kB2v2B3abcE5ArrayIfLi1E1C7mutable7alignedEx5ArrayIxLi2E1C7mutable7alignedEdb\
                       5ArrayIfLi1E1C7mutable7alignedE"
            .into();
        race.accesses.iter_mut().filter_map(|access| access.location.as_mut()).for_each(|at| at.file = "a.py".into());
        named_place(&place, &Reader::of(&race, source, Language::English))
    };
    let argument = |number, index| MemoryPlace::Argument { number, index };
    for (place, want) in [
        (argument(24, Some(7)), "`out[7]`"),
        (argument(13, Some(7)), "element 7 of `grid`"),
        (argument(5, None), "`a`"),
        (MemoryPlace::Part { of: Box::new(argument(5, None)), byte: 3 }, "byte 3 of `a`"),
        (argument(25, None), "what argument 25 points to"),
    ] {
        assert_eq!(named(place), want);
    }
}

#[test]
fn a_part_of_an_element_is_named_by_its_member_or_its_byte() {
    let argument = || MemoryPlace::Argument { number: 1, index: None };
    let variable = |name: &str| MemoryPlace::Variable { name: name.into(), index: None };
    let named = |of: MemoryPlace, byte, text: &'static str| {
        let place = MemoryPlace::Part { of: Box::new(of), byte };
        let finding = written_and_read(place.clone(), threads(BetweenThreads::default()));
        let source = |_: &str| Some(Source { path: "a.cu", text });
        named_place(&place, &Reader::of(&finding, source, Language::English))
    };
    assert_eq!(named(argument(), 24, SOURCE), "`list[1].next`");
    assert_eq!(named(argument(), -16, SOURCE), "`list[-1].value`");
    assert_eq!(named(argument(), 4, SOURCE), "byte 4 of `list`");
    assert_eq!(named(argument(), 24, ""), "byte 24 of what argument 1 points to");
    assert_eq!(named(variable("pool"), 24, SOURCE), "`pool[1].next`");
    assert_eq!(named(variable("pool"), 24, ""), "byte 24 of `pool`");
    assert_eq!(named(variable("one"), 8, SOURCE), "`one.next`");
    let by_arrow =
        "struct Node { int value; Node* next; };\n__global__ void k(Node* list, int* out) { list->value = 1; }";
    assert_eq!(named(argument(), 8, by_arrow), "`list->next`");
    assert_eq!(named(argument(), 24, by_arrow), "`list[1].next`");
    let numbers = "__global__ void k(int* list, int* out) {}";
    assert_eq!(named(argument(), 24, numbers), "`list[6]`");
}

#[test]
fn one_byte_is_the_same_byte() {
    let told = |bytes| {
        message(
            &written_and_read(MemoryPlace::Unnamed { bytes }, threads(BetweenThreads::default())),
            &Reader::default(),
        )
    };
    assert!(told(1).starts_with("data race on the same byte:"), "{}", told(1));
    assert!(told(4).starts_with("data race on the same 4 bytes:"), "{}", told(4));
}

#[test]
fn a_child_is_called_as_in_the_source() {
    let child = Relation::ParentAndChild { child: "_Z5childPii".into() };
    let told = message(&written_and_read(MemoryPlace::Own, child), &Reader::default());
    assert!(told.contains("child `child` may run"), "{told}");
}

#[test]
fn what_the_first_has_written_is_not_called_unwritten() {
    let finding = written_and_read(MemoryPlace::Own, threads(BetweenThreads::default()));
    let told = render(&finding, source, &Remarks::default(), Paint::Plain);
    assert!(told.contains("reads 7 (this time, the value that (1) wrote)"), "{told}");
    let mut other = finding;
    other.accesses[0].action = Action::Stored { value: value(8, false) };
    let told = render(&other, source, &Remarks::default(), Paint::Plain);
    assert!(told.contains("reads 7 (never written)"), "{told}");
}

#[test]
fn barriers_that_diverge_name_their_block() {
    let mut finding = written_and_read(MemoryPlace::Own, threads(BetweenThreads::default()));
    finding.accesses.iter_mut().for_each(|access| access.thread = None);
    finding.slug = Slug::BarrierDivergence;
    finding.place = Where::Warp { block: [1, 0, 0], warp: 1 };
    let told = render(&finding, source, &Remarks { names_kernel: true, ..Remarks::default() }, Paint::Plain);
    assert!(told.contains("kernel `k`, block 1\n"), "{told}");
}

#[test]
fn the_scope_of_an_object_is_in_its_type() {
    let told = |of_object| {
        let what = Synchroniser::Atomic { operation: AtomicOperation::Add };
        let part = NarrowPart { at: None, what, has: Scope::Block, of_object };
        fix(
            &written_and_read(MemoryPlace::Own, Relation::ScopeTooNarrow(Narrow { parts: vec![part] })),
            &Reader::default(),
        )
    };
    assert!(
        told(true).ends_with("`cuda::thread_scope_device` in place of `cuda::thread_scope_block`"),
        "{}",
        told(true)
    );
    assert!(told(false).contains("the function with `_block`"), "{}", told(false));
}

#[test]
fn a_flag_is_set_to_the_value_that_it_has() {
    let told = |bits, strong| {
        let pair = BetweenThreads { polled: Some(Polled::Again), strong, ..BetweenThreads::default() };
        let mut finding = written_and_read(MemoryPlace::Own, threads(pair));
        finding.accesses[0].action = Action::Stored { value: value(bits, false) };
        fix(&finding, &Reader::default())
    };
    assert!(told(1, None).starts_with("`atomicExch(p, 1)` to set the flag and"), "{}", told(1, None));
    assert!(told(3, Some(1)).starts_with("`atomicExch(p, v)` to set the flag to v and"), "{}", told(3, Some(1)));
    // It is set atomically already.
    assert!(told(1, Some(0)).starts_with("`atomicAdd(p, 0)` to read the flag. Add"), "{}", told(1, Some(0)));
}

#[test]
fn a_word_of_16_bytes_is_read_by_a_compare_and_swap() {
    let told = |bytes| {
        let pair = BetweenThreads { strong: Some(0), compares: true, ..BetweenThreads::default() };
        let mut finding = written_and_read(MemoryPlace::Own, threads(pair));
        let memory = finding.accesses[0].memory.as_mut().expect("an access of memory");
        (memory.scope, memory.bytes) = (Some(Scope::Device), bytes);
        fix(&finding, &Reader::default())
    };
    assert_eq!(told(8), "make (2) atomic: `atomicAdd(p, 0)` is an atomic read of `*p`");
    assert_eq!(told(16), "make (2) atomic: `atomicCAS(p, x, x)` is an atomic read of `*p`");
}

#[test]
fn a_read_beside_a_copy_in_one_line_waits_for_the_copy() {
    let pair = BetweenThreads { one_access: true, one_line: true, ..BetweenThreads::default() };
    let mut finding = written_and_read(MemoryPlace::Own, threads(pair));
    finding.accesses.reverse();
    finding.accesses[1] = access(4, 1, AccessKind::AsyncCopy, Action::StartedCopyTo);
    let told = fix(&finding, &Reader::default());
    assert!(told.starts_with("let the thread that copies wait for its copy, then `__syncthreads()`"), "{told}");
}

#[test]
fn two_calls_of_a_function_are_parted_between_the_calls() {
    let told = |calls: [u32; 2]| {
        let pair = BetweenThreads { cooperative: true, ..BetweenThreads::default() };
        let mut finding = written_and_read(MemoryPlace::Own, threads(pair));
        for (access, line) in finding.accesses.iter_mut().zip(calls) {
            access.called_from = vec![SourceLocation { file: "a.cu".into(), line, column: 5 }];
        }
        fix(&finding, &Reader::default())
    };
    assert!(told([20, 24]).starts_with("`grid.sync()` between lines 20 and 24, reached"), "{}", told([20, 24]));
    assert!(told([24, 20]).starts_with("`grid.sync()` between lines 20 and 24, reached"), "{}", told([24, 20]));
    // One call, in the rounds of a loop.
    assert!(told([20, 20]).starts_with("`grid.sync()` between lines 3 and 4, reached"), "{}", told([20, 20]));
}

#[test]
fn a_cooperative_launch_is_told_of_its_own_barrier_first() {
    let told = |cooperative| {
        let pair = BetweenThreads { cooperative, ..BetweenThreads::default() };
        fix(&written_and_read(MemoryPlace::Own, threads(pair)), &Reader::default())
    };
    assert!(told(true).starts_with("`grid.sync()` between lines 3 and 4, reached by every thread"), "{}", told(true));
    assert!(told(false).starts_with("split the kernel into two launches"), "{}", told(false));
}
