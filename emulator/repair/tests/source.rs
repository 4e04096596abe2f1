//! Remedies applied to source text: before and after.
//!
//! It is long because every kind of edit has its traps.

use finding::{AtomicAccess, AtomicOperation, BarrierKind, Edit, Position, Scope, SourceLocation};
use repair::Unfit;
use repair::source::{Source, apply, text_edits};
use std::path::{Path, PathBuf};

fn at(line: u32) -> SourceLocation {
    place(line, 1)
}

fn place(line: u32, column: u32) -> SourceLocation {
    SourceLocation { file: "k.cu".into(), line, column }
}

fn before(line: u32) -> Position {
    Position::Before { at: at(line) }
}

fn after(line: u32) -> Position {
    Position::After { at: at(line) }
}

fn barrier(at: Position) -> Edit {
    Edit::InsertBarrier { barrier: BarrierKind::Block, at }
}

/// The body's lines begin at line 2.
fn kernel(body: &str) -> String {
    format!("__global__ void k(int* d, int* p, int n) {{\n{body}\n}}\n")
}

fn edited(source: &str, remedy: &[Edit]) -> Result<String, Unfit> {
    let edits = text_edits(source, "k", remedy)?;
    for pair in edits.windows(2) {
        assert!(pair[0].end < pair[1].start, "{edits:?}");
    }
    Ok(apply(source, &edits))
}

#[track_caller]
fn becomes(body: &str, remedy: &[Edit], want: &str) {
    let got = edited(&kernel(body), remedy);
    assert_eq!(got.as_deref(), Ok(kernel(want).as_str()), "{}", got.clone().unwrap_or_default());
}

#[track_caller]
fn refused(body: &str, remedy: &[Edit]) {
    assert!(edited(&kernel(body), remedy).is_err(), "{}", edited(&kernel(body), remedy).unwrap_or_default());
}

#[test]
fn a_barrier_gets_a_line_of_its_own() {
    let sync = "    __syncthreads();\n";
    becomes("    a();\n    b();", &[barrier(before(3))], &format!("    a();\n{sync}    b();"));
    becomes("    a();\n    b();", &[barrier(after(2))], &format!("    a();\n{sync}    b();"));
    becomes("    a(); // why\n    b();", &[barrier(after(2))], &format!("    a(); // why\n{sync}    b();"));
    becomes(
        "    if (n) {\n        a();\n    }",
        &[barrier(after(2))],
        "    if (n) {\n        a();\n    }\n    __syncthreads();",
    );
    becomes("    if (n < 3) d[0] += d[n];", &[barrier(after(2))], "    if (n < 3) d[0] += d[n];\n    __syncthreads();");
    // All of a statement over several lines, from any of its lines.
    becomes("    f(n,\n      d);\n    b();", &[barrier(after(3))], &format!("    f(n,\n      d);\n{sync}    b();"));
    becomes("    f(n,\n      d);\n    b();", &[barrier(before(3))], &format!("{sync}    f(n,\n      d);\n    b();"));
    becomes(
        "    while (n) {\n        a();\n    }",
        &[barrier(after(4))],
        "    while (n) {\n        a();\n    }\n    __syncthreads();",
    );
    // Tabs stay tabs.
    becomes("\ta();\n\tb();", &[barrier(before(3))], "\ta();\n\t__syncthreads();\n\tb();");
    // A pragma belongs to its loop.
    becomes(
        "    a();\n#pragma unroll 1\n    for (;;) b();",
        &[barrier(before(4))],
        "    a();\n    __syncthreads();\n#pragma unroll 1\n    for (;;) b();",
    );
}

#[test]
fn statements_that_share_a_line_stay_in_it() {
    becomes("    a(); b();", &[barrier(before(2))], "    __syncthreads();\n    a(); b();");
    becomes("    a(); b();", &[barrier(after(2))], "    a(); b();\n    __syncthreads();");
    becomes(
        "    a(); /* two\n    lines */ b();",
        &[barrier(after(2))],
        "    a(); __syncthreads(); /* two\n    lines */ b();",
    );
    becomes(
        "    a(); /* two\n    lines */ b();",
        &[barrier(before(3))],
        "    a(); /* two\n    lines */ __syncthreads(); b();",
    );
    let line = "__global__ void k() { a(); b(); }\n";
    assert_eq!(edited(line, &[barrier(after(1))]).unwrap(), "__global__ void k() { a(); b(); __syncthreads(); }\n");
    assert_eq!(edited(line, &[barrier(before(1))]).unwrap(), "__global__ void k() { __syncthreads(); a(); b(); }\n");
}

#[test]
fn a_body_without_braces_gets_them() {
    becomes(
        "    for (int i = 0; i < n; i++) // note\n        d[i] = 1;\n    b();",
        &[barrier(after(3))],
        "    for (int i = 0; i < n; i++) { // note\n        d[i] = 1;\n        __syncthreads();\n    }\n    b();",
    );
    becomes(
        "    if (n)\n        a();\n    else\n        b();",
        &[barrier(before(3)), barrier(after(5))],
        "    if (n) {\n        __syncthreads();\n        a();\n    } else {\n        b();\n        __syncthreads();\n    }",
    );
    becomes(
        "    while (n)\n        if (d[0])\n            a();",
        &[barrier(after(3)), barrier(after(4)), barrier(before(4))],
        "    while (n) {\n        if (d[0]) {\n            __syncthreads();\n            a();\n            __syncthreads();\n        }\n        __syncthreads();\n    }",
    );
    becomes(
        "    do\n        a();\n    while (n);",
        &[barrier(after(3))],
        "    do {\n        a();\n        __syncthreads();\n    } while (n);",
    );
    becomes(
        "    for (int i = 0;\n         i < n; i++) a();\n    b();",
        &[barrier(after(3))],
        "    for (int i = 0;\n         i < n; i++) { a(); __syncthreads(); }\n    b();",
    );
    refused("    if (n) {\n        a();\n    } else if (d[0]) {\n        b();\n    }", &[barrier(before(4))]);
    refused("    if (n) {\n        a();\n    } else if (d[0]) {\n        b();\n    }", &[barrier(after(4))]);
}

#[test]
fn each_barrier_and_fence_has_its_words() {
    for (kind, want) in [
        (BarrierKind::Warp { mask: u32::MAX }, "__syncwarp();"),
        (BarrierKind::Warp { mask: 0xf }, "__syncwarp(0x0000000f);"),
        (BarrierKind::Block, "__syncthreads();"),
    ] {
        becomes("    a();", &[Edit::InsertBarrier { barrier: kind, at: before(2) }], &format!("    {want}\n    a();"));
    }
    for (scope, want) in [
        (Scope::Block, "__threadfence_block();"),
        (Scope::Device, "__threadfence();"),
        (Scope::System, "__threadfence_system();"),
    ] {
        let fence = |at| Edit::InsertFence { scope, at };
        becomes(
            "    a();\n    b();",
            &[fence(after(2)), fence(after(3))],
            &format!("    a();\n    {want}\n    b();\n    {want}"),
        );
    }
    let grid = Edit::InsertBarrier { barrier: BarrierKind::Grid, at: before(3) };
    let alias = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k() { a(); }\n";
    assert_eq!(
        edited(alias, std::slice::from_ref(&grid)).unwrap(),
        alias.replace(" a();", " cg::this_grid().sync(); a();")
    );
    let none = "// k.cu\n\n__global__ void k() { a(); }\n";
    assert_eq!(
        edited(none, &[grid]).unwrap(),
        "// k.cu\n\n#include <cooperative_groups.h>\n__global__ void k() { cooperative_groups::this_grid().sync(); a(); }\n"
    );
    let between = Position::Between { first: at(2), second: at(2) };
    refused("    a();", &[barrier(between)]);
}

#[test]
fn comments_strings_and_macros_are_no_code() {
    let body = "    // if (n) { a();\n    p[0] = '{'; /* } */ d[0] = \"}\\\"{\"[n];\n    b();";
    becomes(body, &[barrier(before(4))], &body.replace("    b();", "    __syncthreads();\n    b();"));
    refused("    // a();\n    b();", &[barrier(before(2))]);
    refused("#define A { \\\n    a();\n    b();", &[barrier(before(3))]);
    refused("    a();", &[barrier(before(3))]);
    refused("    a();", &[barrier(before(99))]);
    refused("    if (n) {\n        a(); } b();", &[barrier(before(3))]);
    refused("    a(); }}", &[barrier(before(2))]);
    // Characters count, not bytes.
    let unicode = "    /* año ∀ */ a(); b(d[n]++);";
    let edits = text_edits(&kernel(unicode), "k", &[update(2, None)]).unwrap();
    assert_eq!((edits[0].start.line, edits[0].start.column, edits[0].end.column), (2, 24, 30));
    becomes(unicode, &[update(2, None)], "    /* año ∀ */ a(); b(atomicAdd(&d[n], 1));");
}

#[test]
fn line_ends_stay_what_they_are() {
    let source = kernel("    a();\n    if (n)\n        b();").replace('\n', "\r\n");
    let want = kernel("    a();\n    __syncthreads();\n    if (n) {\n        b();\n        __syncthreads();\n    }")
        .replace('\n', "\r\n");
    assert_eq!(edited(&source, &[barrier(after(2)), barrier(after(4))]).unwrap(), want);
}

#[test]
fn a_barrier_goes_with_its_line() {
    let remove = |line| Edit::RemoveBarrier { at: at(line) };
    becomes("    a();\n    __syncthreads(); // all\n    b();", &[remove(3)], "    a();\n    b();");
    becomes("    a();\n    __syncwarp(0xf);\n    b();", &[remove(3)], "    a();\n    b();");
    becomes("    a(); __syncthreads();\n    b();", &[remove(2)], "    a();\n    b();");
    becomes("    a(); cg::sync(tile); // all", &[remove(2)], "    a(); // all");
    becomes("    a(); tile.sync(); b();", &[remove(2)], "    a(); b();");
    becomes("    if (n) __syncthreads();\n    b();", &[remove(2)], "    b();");
    becomes(
        "    if (n)\n        __syncthreads();\n    else b();",
        &[remove(3)],
        "    if (n)\n        {}\n    else b();",
    );
    becomes("    for (;;) __syncthreads();", &[remove(2)], "    for (;;) {}");
    refused("    a();", &[remove(2)]);
    refused("    __syncthreads(); __syncthreads();", &[remove(2)]);
    // Out of the branch.
    becomes(
        "    if (n) {\n        a();\n        __syncthreads();\n    }",
        &[remove(4), barrier(after(2))],
        "    if (n) {\n        a();\n    }\n    __syncthreads();",
    );
}

fn widen(line: u32, to: Scope) -> Edit {
    Edit::WidenScope { at: at(line), to }
}

#[test]
fn scopes_widen() {
    for (line, to, want) in [
        ("while (atomicOr_block(p, 0) == 0) {}", Scope::Device, "while (atomicOr(p, 0) == 0) {}"),
        ("atomicAdd_block(p, 1);", Scope::System, "atomicAdd_system(p, 1);"),
        ("atomicAdd(p, 1);", Scope::System, "atomicAdd_system(p, 1);"),
        ("__threadfence_block();", Scope::Device, "__threadfence();"),
        ("__threadfence();", Scope::System, "__threadfence_system();"),
        (
            "cuda::atomic_ref<int, cuda::thread_scope_block> f(*p);",
            Scope::Device,
            "cuda::atomic_ref<int, cuda::thread_scope_device> f(*p);",
        ),
        (
            "asm volatile(\"st.release.cta.global.s32 [%0], 1;\" ::\"l\"(p) : \"memory\");",
            Scope::Device,
            "asm volatile(\"st.release.gpu.global.s32 [%0], 1;\" ::\"l\"(p) : \"memory\");",
        ),
        ("asm(\"membar.cta;\");", Scope::Device, "asm(\"membar.gl;\");"),
        ("asm(\"membar.gl;\");", Scope::System, "asm(\"membar.sys;\");"),
    ] {
        becomes(line, &[widen(2, to)], want);
    }
    refused("atomicAdd(p, 1);", &[widen(2, Scope::Device)]);
    refused("asm(\"mbarrier.init.shared::cta.b64 [%0], 1;\");", &[widen(2, Scope::Device)]);
    refused("f(\".cta\");", &[widen(2, Scope::Device)]);
    refused("d[0] = atomicAdd_block(p, 1) + atomicAdd_block(d, 1);", &[widen(2, Scope::Device)]);
}

fn load(line: u32) -> Edit {
    Edit::MakeAtomic { at: at(line), access: AtomicAccess::Load }
}

fn store(line: u32) -> Edit {
    Edit::MakeAtomic { at: at(line), access: AtomicAccess::Store }
}

fn update(line: u32, operation: Option<AtomicOperation>) -> Edit {
    Edit::MakeAtomic { at: at(line), access: AtomicAccess::Update { operation } }
}

#[test]
fn a_read_becomes_atomic() {
    for (line, want) in [
        ("int x = *p;", "int x = atomicAdd(p, 0);"),
        ("while (*p == 0) {}", "while (atomicAdd(p, 0) == 0) {}"),
        ("while (p[n] == 0) {}", "while (atomicAdd(&p[n], 0) == 0) {}"),
        ("d[n] = *(p + 1);", "d[n] = atomicAdd(p + 1, 0);"),
        ("if (n > 3 && p[3]) d[0] = 1;", "if (n > 3 && atomicAdd(&p[3], 0)) d[0] = 1;"),
        ("return f(a->b);", "return f(atomicAdd(&a->b, 0));"),
        ("x = n * p[0];", "x = n * atomicAdd(&p[0], 0);"),
    ] {
        becomes(line, &[load(2)], want);
    }
    becomes(
        "__shared__ int flag;\n    while (flag == 0) {}",
        &[load(3)],
        "__shared__ int flag;\n    while (atomicAdd(&flag, 0) == 0) {}",
    );
    refused("x = p[0] + d[0];", &[load(2)]);
    refused("while (n == 0) {}", &[load(2)]);
    refused("p[0] = n;", &[load(2)]);
    becomes(
        "__shared__ volatile int flag;\n    while (flag == 0) {}",
        &[load(3)],
        "__shared__ volatile int flag;\n    while (atomicAdd(const_cast<int*>(&flag), 0) == 0) {}",
    );
    let source = "__device__ void f(volatile int* d) {}\n__global__ void k(int* d, volatile unsigned long long* p) {\n    while (*p == d[0]) {}\n}\n";
    let edit = |column| Edit::MakeAtomic { at: place(3, column), access: AtomicAccess::Load };
    let change = |column, old, new| assert_eq!(edited(source, &[edit(column)]).unwrap(), source.replace(old, new));
    change(12, "(*p", "(atomicAdd(const_cast<unsigned long long*>(p), 0)");
    change(18, "d[0]", "atomicAdd(&d[0], 0)");
    refused("x = &p[3];", &[load(2)]);
    // Which of the two reads, that of the sum or that of the element?
    refused("*p += d[0];", &[load(2)]);
    refused("x = f(d[0]++);", &[load(2)]);
    becomes("x = (int)d[n];", &[load(2)], "x = (int)atomicAdd(&d[n], 0);");
    becomes("x = f(n, *p);", &[load(2)], "x = f(n, atomicAdd(p, 0));");
    becomes("x = n * *p;", &[load(2)], "x = n * atomicAdd(p, 0);");
    becomes("x = n & p[n];", &[load(2)], "x = n & atomicAdd(&p[n], 0);");
    becomes("x = reinterpret_cast<int*>(p)[n];", &[load(2)], "x = atomicAdd(&reinterpret_cast<int*>(p)[n], 0);");
    refused("x = **q;", &[load(2)]);
    let other = "__global__ void other() { __shared__ int sum; }\n__global__ void k() {\n    x = sum;\n}\n";
    assert!(edited(other, &[load(3)]).is_err());
    refused("int now[16], then[16];", &[load(2)]);
    becomes("int x = 0, y = p[n];", &[load(2)], "int x = 0, y = atomicAdd(&p[n], 0);");
    refused("x = f(p)(n);", &[load(2)]);
    // A column tells which.
    let load = Edit::MakeAtomic { at: place(2, 16), access: AtomicAccess::Load };
    becomes("    x = p[0] + d[n];", std::slice::from_ref(&load), "    x = p[0] + atomicAdd(&d[n], 0);");
    becomes("    x = p[0] + d[p[n]];", &[load], "    x = p[0] + atomicAdd(&d[p[n]], 0);");
}

#[test]
fn a_write_becomes_atomic() {
    becomes("*p = 1;", &[store(2)], "atomicExch(p, 1);");
    becomes("if (n == 0) d[n + 1] = p[n];", &[store(2)], "if (n == 0) atomicExch(&d[n + 1], p[n]);");
    refused("int x = 1;", &[store(2)]);
    refused("d[0] = p[0] = 1;", &[store(2)]);
    refused("    d[0] = 1; p[0] = 2;", &[store(2)]);
    let second = Edit::MakeAtomic { at: place(2, 11), access: AtomicAccess::Store };
    becomes("d[0] = 1; p[0] = 2;", &[second], "d[0] = 1; atomicExch(&p[0], 2);");
    refused("d[0] += 1;", &[store(2)]);
}

#[test]
fn an_update_becomes_one_operation() {
    for (line, want) in [
        ("*p += n;", "atomicAdd(p, n);"),
        ("d[n] -= 2 * n;", "atomicSub(&d[n], 2 * n);"),
        ("if (n) d[n]++;", "if (n) atomicAdd(&d[n], 1);"),
        ("++*p;", "atomicAdd(p, 1);"),
        ("--d[n];", "atomicSub(&d[n], 1);"),
        ("(*p)++;", "atomicAdd(p, 1);"),
        ("const unsigned place = (*p)++;", "const unsigned place = atomicAdd(p, 1);"),
        ("d[(*p)++] = n;", "d[atomicAdd(p, 1)] = n;"),
        ("x = ++*p;", "x = (atomicAdd(p, 1) + 1);"),
        ("d[0] |= 1 << n;", "atomicOr(&d[0], 1 << n);"),
        ("d[0] &= n;", "atomicAnd(&d[0], n);"),
        ("d[0] ^= n;", "atomicXor(&d[0], n);"),
        ("d[0] = d[0] + n;", "atomicAdd(&d[0], n);"),
        ("d[0] = d[0] + n - x * y;", "atomicAdd(&d[0], n - x * y);"),
        ("d[0] = n + d[0];", "atomicAdd(&d[0], n);"),
        ("d[0] = d[0] - n;", "atomicSub(&d[0], n);"),
        ("*p = max(*p, n);", "atomicMax(p, n);"),
        ("*p = min(n, *p);", "atomicMin(p, n);"),
        ("if (n > *p) *p = n;", "atomicMax(p, n);"),
        ("if (*p < n) *p = n;", "atomicMax(p, n);"),
        ("if (n < d[1]) {\n        d[1] = n;\n    }", "atomicMin(&d[1], n);"),
        ("if (d[1] > f[n])\n    d[1] = f[n];", "atomicMin(&d[1], f[n]);"),
        ("if (x && n > *p) *p = n;", "if (x) atomicMax(p, n);"),
        ("if (x && n > *p && y) {\n    *p = n; // why\n}", "if (x && y) {\n    atomicMax(p, n); // why\n}"),
        ("h->counts[n]++;", "atomicAdd(&h->counts[n], 1);"),
        ("s[t][n] += p[n];", "atomicAdd(&s[t][n], p[n]);"),
    ] {
        becomes(line, &[update(2, None)], want);
    }
    for line in [
        "d[0] = d[0] - n - 1;",
        "d[0] = n - d[0];",
        "d[0] = d[0] * 2;",
        "d[0] = d[0] + 1 < n;",
        "d[0] = d[0] * 2 + 1;",
        "d[0] = d[0] + d[0];",
        "d[0] *= 2;",
        "x = d[0] += 2;",
        "n++;",
        "int x = 1;",
        "    d[0]++; p[0]++;",
        "*p++;",
        "if (x || n > *p) *p = n;",
        "if (x++ > *p) *p = x++;",
        "if (n > d[x++]) d[x++] = n;",
        "if (n > *p) *p = 1;",
        "if (n > *p) d[0] = n;",
        "if (n > *p) *p = n; else d[0] = 1;",
    ] {
        refused(line, &[update(2, None)]);
    }
    becomes("d[0] -= 1;", &[update(2, Some(AtomicOperation::Add))], "atomicSub(&d[0], 1);");
    refused("d[0] -= 1;", &[update(2, Some(AtomicOperation::Max))]);
}

fn width_of(width: u32) -> Edit {
    Edit::ChangeWidth { at: at(2), width }
}

#[test]
fn masks_and_widths_change() {
    let mask = |mask| Edit::ChangeMask { at: at(2), mask };
    becomes("x += __shfl_down_sync(m, x, 1);", &[mask(u32::MAX)], "x += __shfl_down_sync(0xffffffff, x, 1);");
    becomes("__syncwarp(f(1, 2));", &[mask(0xff)], "__syncwarp(0x000000ff);");
    becomes("__syncwarp();", &[mask(0xff)], "__syncwarp(0x000000ff);");
    becomes("if (__any_sync(m, n)) a();", &[mask(1)], "if (__any_sync(0x00000001, n)) a();");
    refused("__syncwarp();", &[mask(u32::MAX)]);
    refused("__syncwarp(0xFFFFFFFFu);", &[mask(u32::MAX)]);
    refused("x = __shfl_sync(m, x, 1, 8);", &[width_of(8)]);
    refused("x = __shfl_sync(m, __shfl_sync(m, x, 1), 1);", &[mask(1)]);
    refused("a();", &[mask(1)]);
    let width = width_of;
    becomes("x += __shfl_down_sync(m, x, 1);", &[width(8)], "x += __shfl_down_sync(m, x, 1, 8);");
    becomes("x += __shfl_xor_sync(m, x, 1, 32);", &[width(8)], "x += __shfl_xor_sync(m, x, 1, 8);");
    becomes("x = __shfl_sync(m, x, 1);", &[width(8), mask(u32::MAX)], "x = __shfl_sync(0xffffffff, x, 1, 8);");
    refused("x = __ballot_sync(m, x);", &[width(8)]);
}

#[test]
fn an_index_is_bounded() {
    let bound = |line| Edit::BoundIndex { at: at(line), below: Some(2) };
    for (line, want) in [
        ("d[i] = p[i];", "if (i < n) d[i] = p[i];"),
        ("d[n / 2] = x;", "if (n / 2 < n) d[n / 2] = x;"),
        ("d[i & 3] = x;", "if ((i & 3) < n) d[i & 3] = x;"),
        ("if (i <= n) d[i] = p[i];", "if (i < n) d[i] = p[i];"),
        ("if (x && n >= i) d[i] = p[i];", "if (x && n > i) d[i] = p[i];"),
        ("for (int i = 0; i <= n; i++) d[i] = 1;", "for (int i = 0; i < n; i++) d[i] = 1;"),
        ("if (x) d[i] = p[i];", "if (x && i < n) d[i] = p[i];"),
        ("if (x || y) d[i] = p[i];", "if ((x || y) && i < n) d[i] = p[i];"),
        ("if (d[i] > 0) a();", "if (i < n && d[i] > 0) a();"),
        ("while (d[i] || x) i++;", "while (i < n && (d[i] || x)) i++;"),
        ("for (;;) d[i] = 1;", "for (;;) if (i < n) d[i] = 1;"),
        ("if (!(i <= n)) d[i] = p[i];", "if (!(i <= n) && i < n) d[i] = p[i];"),
        ("do d[i] = 1; while (i <= n);", "do if (i < n) d[i] = 1; while (i <= n);"),
        ("if (i <= n + 1) d[i] = p[i];", "if (i <= n + 1 && i < n) d[i] = p[i];"),
    ] {
        becomes(line, &[bound(2)], want);
    }
    for line in [
        "int x = d[i];",
        "return d[i];",
        "d[i] = p[i + 1];",
        "d[i++] = 1;",
        "d[atomicAdd(p, 1)] = 1;",
        "if (x) d[i] = 1; else a();",
        "if (x) for (;;) d[i] = 1; else a();",
        "if (d[i]) a(); else b();",
        "int v[4];",
        "a();",
    ] {
        refused(line, &[bound(2)]);
    }
    let column = Edit::BoundIndex { at: place(2, 8), below: Some(2) };
    becomes("d[i] = p[i + 1];", &[column], "if (i + 1 < n) d[i] = p[i + 1];");
    refused("d[i] = 1;", &[Edit::BoundIndex { at: at(2), below: None }]);
    refused("d[i] = 1;", &[Edit::BoundIndex { at: at(2), below: Some(3) }]);
    refused("d[i] = 1;", &[Edit::BoundIndex { at: at(2), below: Some(1) }]); // A pointer.
    let helper = "__device__ void f(int* d, int i) {\n    d[i] = 1;\n}\n".to_string() + &kernel("    f(d, 3);");
    assert!(edited(&helper, &[bound(2)]).is_err());
}

#[test]
fn a_collective_call_moves_before_its_branch() {
    let hoist = |at_line, above| Edit::Hoist { at: at(at_line), above: at(above) };
    becomes(
        "    if (t < n) {\n        x += __shfl_down_sync(m, x, 1);\n    }",
        &[hoist(3, 2)],
        "    const auto from_lane = __shfl_down_sync(m, x, 1);\n    if (t < n) {\n        x += from_lane;\n    }",
    );
    let both = [hoist(2, 2), Edit::ChangeMask { at: at(2), mask: u32::MAX }];
    let want = "    const auto votes = __ballot_sync(0xffffffff, x);\n    if (n) d[0] = votes;";
    becomes("    if (n) d[0] = __ballot_sync(m, x);", &both, want);
    becomes("    if (n) d[0] = __ballot_sync(m, x);", &[both[1].clone(), both[0].clone()], want);
    becomes(
        "    int any;\n    if (n && tile.any(x)) a();",
        &[hoist(3, 3)],
        "    int any;\n    const auto any2 = tile.any(x);\n    if (n && any2) a();",
    );
    becomes(
        "    if (n) x = cg::reduce(tile, x, cg::plus<int>());",
        &[hoist(2, 2)],
        "    const auto reduced = cg::reduce(tile, x, cg::plus<int>());\n    if (n) x = reduced;",
    );
    for body in [
        "    if (n) { int y = d[n];\n x = __shfl_sync(m, y, 0); }",
        "    if (n) { y = d[n];\n x = __shfl_sync(m, y, 0); }",
        "    if (n) { y++;\n x = __shfl_sync(m, y, 0); }",
        "    if (n) { for (;;)\n x = __shfl_sync(m, y, 0); }",
        "    if (n) a();\n x = __shfl_sync(m, y, 0);",
        "    if (n) a();\n else b();",
    ] {
        refused(body, &[hoist(3, 2)]);
    }
}

#[test]
fn what_an_atomic_operation_returned_is_used() {
    let returned = |at_line, of| Edit::UseReturned { at: at(at_line), of: at(of) };
    becomes(
        "    atomicAdd(p, 1);\n    d[n] = *p;",
        &[returned(3, 2)],
        "    const auto before = atomicAdd(p, 1);\n    d[n] = before;",
    );
    becomes(
        "    atomicAdd(&d[n], 1);\n    if (x) { int y = d[n] + 1; }",
        &[returned(3, 2)],
        "    const auto before = atomicAdd(&d[n], 1);\n    if (x) { int y = before + 1; }",
    );
    becomes(
        "    int before;\n    atomicAdd(d + n, 1);\n    x = d[n];",
        &[returned(4, 3)],
        "    int before;\n    const auto before2 = atomicAdd(d + n, 1);\n    x = before2;",
    );
    for body in [
        "    if (n) { atomicAdd(p, 1); }\n    d[n] = *p;",
        "    if (n) atomicAdd(p, 1);\n    d[n] = *p;",
        "    x = atomicAdd(p, 1);\n    d[n] = *p;",
        "    atomicAdd(p, 1);\n    d[n] = *q;",
        "    atomicAdd(p, 1);\n    *p = 1;",
    ] {
        refused(body, &[returned(3, 2)]);
    }
    refused("    d[n] = *p;\n    atomicAdd(p, 1);", &[returned(2, 3)]);
    // The operation is made by the same remedy.
    for body in ["    *p += 1;\n    d[n] = *p;", "    (*p)++;\n    d[n] = *p;", "    *p = *p + 1;\n    d[n] = *p;"] {
        let want = "    const auto before = atomicAdd(p, 1);\n    d[n] = before;";
        becomes(body, &[returned(3, 2), update(2, None)], want);
        refused(body, &[returned(3, 2)]);
    }
}

#[test]
fn edits_of_one_remedy_go_together_or_not_at_all() {
    let fences = [
        Edit::InsertFence { scope: Scope::Device, at: before(3) },
        store(3),
        Edit::InsertFence { scope: Scope::Device, at: after(3) },
    ];
    becomes(
        "    if (n)\n        *p = 1;",
        &fences,
        "    if (n) {\n        __threadfence();\n        atomicExch(p, 1);\n        __threadfence();\n    }",
    );
    // An edit inside what another one keeps.
    becomes("    d[n] = *p;", &[store(2), load(2)], "    atomicExch(&d[n], atomicAdd(p, 0));");
    refused("    d[0] += 1;", &[update(2, None), Edit::MakeAtomic { at: at(2), access: AtomicAccess::Store }]);
}

#[test]
fn gaps_lie_between_two_lines() {
    let source = kernel(
        "    a();\n    for (;;)\n        if (n) {\n            b();\n        }\n    if (n) return;\n    c();\n    return;",
    );
    let source = Source::parse(&source).unwrap();
    let gaps = |first, last| -> Vec<(Option<u32>, Option<u32>)> {
        let gaps = source.boundaries(first, last).into_iter();
        gaps.map(|gap| (gap.after.map(|at| at.line), gap.before.map(|at| at.line))).collect()
    };
    assert_eq!(gaps(2, 5), [(Some(2), Some(3)), (None, Some(4)), (None, Some(5))]);
    assert_eq!(gaps(5, 7), [(Some(5), None), (Some(4), None), (Some(3), Some(7))]);
    assert_eq!(gaps(2, 2), []);
    // Nothing gets behind a `return`.
    assert_eq!(gaps(8, 10), [(Some(8), Some(9))]);
    for gap in source.boundaries(1, 99) {
        for position in gap.positions("k.cu") {
            source.text_edits("k", &[barrier(position)]).unwrap();
        }
    }
}

#[test]
fn parameters_branches_and_loops_are_told() {
    let text = "template <typename T = int>\n__global__ void __launch_bounds__(32) k(const int* __restrict__ in, T (&v)[4],\n    unsigned long long n = 3) {\n    for (;;) {\n        if (in &&\n            n) {\n            a();\n        } else if (n > 3)\n            b();\n    }\n}\n";
    let source = Source::parse(text).unwrap();
    let parameters = source.parameters("k").unwrap();
    assert_eq!((parameters[0].name.as_str(), parameters[0].ty.as_str()), ("in", "const int* __restrict__"));
    assert_eq!((parameters[2].name.as_str(), parameters[2].ty.as_str()), ("n", "unsigned long long"));
    assert_eq!(source.parameters("_Z1kIiEvPKi").unwrap().len(), 3);
    assert_eq!(source.parameters("other"), None);
    let nested = "__global__ void k(cuda::std::pair<int, array<int, 3>> a, int n) {}";
    let names: Vec<String> =
        Source::parse(nested).unwrap().parameters("k").unwrap().into_iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["a", "n"]);
    let branches = |line| -> Vec<_> {
        let branches = source.branches(line).into_iter();
        branches.map(|branch| (branch.header, branch.in_else, branch.has_else, branch.last_line)).collect()
    };
    assert_eq!(branches(7), [((5, 6), false, true, 9)]);
    assert_eq!(branches(9), [((8, 8), false, false, 9), ((5, 6), true, true, 9)]);
    assert_eq!(branches(6), []);
    assert_eq!(source.loops(7).len(), 1);
    assert_eq!((source.loops(4)[0].at.line, source.loops(4)[0].last_line), (4, 10));
    assert_eq!(source.loops(11), []);
}

#[test]
fn edits_of_several_files_are_refused() {
    let other = SourceLocation { file: "other.cuh".into(), line: 2, column: 1 };
    let remedy = [barrier(before(2)), barrier(Position::Before { at: other })];
    assert_eq!(edited(&kernel("    a();"), &remedy), Err(Unfit::OtherFile { file: "other.cuh".into() }));
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "cu" || end == "cuh") {
            found.push(path);
        }
    }
}

/// A barrier in every gap of every kernel: nothing else changes, and what comes out has the same gaps between more statements.
#[test]
fn what_is_inserted_changes_nothing_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    sources(&root.join("cuda"), &mut files);
    files.retain(|path| path.to_string_lossy().contains("lesson"));
    let mut inserted = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let source = Source::parse(&text).unwrap();
        let gaps = source.boundaries(1, u32::MAX);
        for position in gaps.iter().flat_map(|gap| gap.positions("k.cu")) {
            let edits = source.text_edits("k", &[barrier(position)]).unwrap();
            assert!(edits.iter().all(|edit| edit.start == edit.end), "{}: {edits:?}", path.display());
            let new: String = edits.iter().map(|edit| edit.text.as_str()).collect();
            let new = new.replace("__syncthreads();", "").replace(['{', '}'], "");
            assert_eq!(new.trim(), "", "{}", path.display());
            let result = apply(&text, &edits);
            assert_eq!(result.matches("__syncthreads();").count(), text.matches("__syncthreads();").count() + 1);
            inserted += 1;
        }
        let all = gaps.iter().map(|gap| barrier(gap.positions("k.cu")[0].clone()));
        let edits = source.text_edits("k", &all.collect::<Vec<_>>()).unwrap();
        let result = apply(&text, &edits);
        let more = Source::parse(&result).unwrap().boundaries(1, u32::MAX).len();
        assert!(more >= 2 * gaps.len(), "{}: {more}, {}:\n{result}", path.display(), gaps.len());
    }
    assert!(inserted > 500, "{inserted}");
}

/// Every edit at every line of the lessons' kernels: refused, or a text that is read again and has the same kernels.
#[test]
fn no_edit_breaks_a_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cuda");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.retain(|path| path.to_string_lossy().contains("lesson"));
    let mut fit = std::collections::BTreeMap::new();
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let source = Source::parse(&text).unwrap();
        let kernel = text.split("__global__ void ").nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
        for (line, words) in (1u32..).zip(text.lines()) {
            let begin = words.len() - words.trim_start().len() + 1;
            for column in [begin as u32, words.len() as u32 / 2 + 1] {
                let at = place(line, column);
                let edits = [
                    Edit::MakeAtomic { at: at.clone(), access: AtomicAccess::Load },
                    Edit::MakeAtomic { at: at.clone(), access: AtomicAccess::Store },
                    Edit::MakeAtomic { at: at.clone(), access: AtomicAccess::Update { operation: None } },
                    Edit::WidenScope { at: at.clone(), to: Scope::System },
                    Edit::ChangeMask { at: at.clone(), mask: 1 },
                    Edit::ChangeWidth { at: at.clone(), width: 2 },
                    Edit::BoundIndex { at: at.clone(), below: Some(2) },
                    Edit::RemoveBarrier { at: at.clone() },
                    Edit::Hoist {
                        at: at.clone(),
                        above: place(source.branches(line).first().map_or(line, |branch| branch.at.line), 1),
                    },
                    Edit::UseReturned { at: place(line + 1, 1), of: at },
                ];
                for edit in edits {
                    let Ok(changed) = source.text_edits(kernel, std::slice::from_ref(&edit)) else { continue };
                    let result = apply(&text, &changed);
                    assert_ne!(result, text, "{}: {edit:?}", path.display());
                    let again = Source::parse(&result).unwrap_or_else(|_| panic!("{}: {edit:?}", path.display()));
                    assert_eq!(again.parameters(kernel), source.parameters(kernel), "{}: {edit:?}", path.display());
                    *fit.entry(edit.kind()).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(fit.len() >= 9, "{fit:?}");
}
