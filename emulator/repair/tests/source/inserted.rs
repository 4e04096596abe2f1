//! Barriers and fences that come and go.

use crate::text::{after, at, barrier, becomes, before, edited, kernel, refused, update};
use finding::{BarrierKind, Edit, Position, Scope};
use repair::source::text_edits;

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
        "    if (n) {\n        __syncthreads();\n        a();\n    } else {\n        b();\n        \
         __syncthreads();\n    }",
    );
    becomes(
        "    while (n)\n        if (d[0])\n            a();",
        &[barrier(after(3)), barrier(after(4)), barrier(before(4))],
        "    while (n) {\n        if (d[0]) {\n            __syncthreads();\n            a();\n            \
         __syncthreads();\n        }\n        __syncthreads();\n    }",
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
        "// k.cu\n\n#include <cooperative_groups.h>\n__global__ void k() { cooperative_groups::this_grid().sync(); \
         a(); }\n"
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
