//! Masks, widths, bounds, calls that move, and several edits at once.

use crate::text::{after, at, becomes, before, edited, kernel, load, place, refused, store, update};
use finding::{AtomicAccess, Edit, Scope};

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
    refused("d[i] = 1;", &[Edit::BoundIndex { at: at(2), below: Some(4) }]);
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
