//! Remedies written as C++.

use crate::text::{after, at, barrier, becomes, kernel, refused};
use finding::{BarrierKind, Edit, Position};
use repair::source::SourceFile;

fn guard(line: u32, condition: &str) -> Edit {
    Edit::Guard { at: at(line), condition: condition.into() }
}

fn rewrite(line: u32, old: &str, new: &str) -> Edit {
    Edit::Rewrite { at: at(line), old: old.into(), new: new.into() }
}

fn insert(text: &str, line: u32) -> Edit {
    Edit::Insert { statement: text.into(), at: Position::After { at: at(line) } }
}

fn split(line: u32) -> Edit {
    Edit::SplitUpdate { at: at(line), barrier: BarrierKind::Warp { mask: u32::MAX } }
}

#[test]
fn a_statement_gets_a_condition() {
    becomes("    d[i] = p[i];", &[guard(2, "i < n")], "    if (i < n) d[i] = p[i];");
    becomes("    if (c) d[i] = 1;", &[guard(2, "i < n")], "    if (c && i < n) d[i] = 1;");
    becomes("    if (c || e) d[i] = 1;", &[guard(2, "i < n")], "    if ((c || e) && i < n) d[i] = 1;");
    becomes("    if (d[i] > 0) return;", &[guard(2, "i < n")], "    if (i < n && d[i] > 0) return;");
    becomes(
        "    for (int j = 0; j < n; j++) d[i + j] = 0;",
        &[guard(2, "i + j < n")],
        "    for (int j = 0; j < n; j++) if (i + j < n) d[i + j] = 0;",
    );
    // A variable that it declares would be known in the body only.
    refused("    int x = p[i];", &[guard(2, "i < n")]);
    refused("    if (c)\n        d[i] = 1;\n    else\n        d[0] = 1;", &[guard(3, "i < n")]);
    refused("    // d[i] = 1;", &[guard(2, "i < n")]);
}

#[test]
fn words_of_a_line_become_others() {
    becomes("    d[0]=p[ n ]; // p[n]", &[rewrite(2, "p[n]", "0")], "    d[0]=0; // p[n]");
    becomes("    if (n >= 4) return;\n    f();", &[rewrite(2, "if (n >= 4) return;", "")], "    f();");
    becomes("    for (int i = 16; i > 0;) {}", &[rewrite(2, "i = 16", "i = 8")], "    for (int i = 8; i > 0;) {}");
    refused("    d[0] = p[n] + p[n];", &[rewrite(2, "p[n]", "0")]);
    refused("    // p[n]\n    f(\"p[n]\");", &[rewrite(2, "p[n]", "0")]);
    refused("    // p[n]\n    f(\"p[n]\");", &[rewrite(3, "p[n]", "0")]);
    refused("    d[0] = pp[n];", &[rewrite(2, "p[n]", "0")]);
    refused("    d[0] = p[n];", &[rewrite(2, "p[n]", "p[n]")]);
}

#[test]
fn a_statement_is_put_between() {
    becomes("    f();\n    g();", &[insert("h(n);", 2)], "    f();\n    h(n);\n    g();");
    becomes("    f();", &[insert("h(n);", 2), barrier(after(2))], "    f();\n    h(n);\n    __syncthreads();");
    becomes("    if (n)\n        f();", &[insert("h();", 3)], "    if (n) {\n        f();\n        h();\n    }");
}

#[test]
fn an_update_is_split() {
    becomes(
        "    d[n] += d[n + 1];",
        &[split(2)],
        "    const auto sum = d[n] + d[n + 1];\n    __syncwarp();\n    d[n] = sum;",
    );
    becomes(
        "    int sum = 0;\n    d[n] -= p[0] - 1; // less",
        &[split(3), barrier(after(3))],
        "    int sum = 0;\n    const auto difference = d[n] - (p[0] - 1);\n    __syncwarp();\n    d[n] = difference; \
         // less\n    \
         __syncthreads();",
    );
    becomes(
        "    int sum = 0;\n    d[n] += p[0];",
        &[split(3)],
        "    int sum = 0;\n    const auto sum2 = d[n] + p[0];\n    __syncwarp();\n    d[n] = sum2;",
    );
    becomes(
        "    d[n] = max(d[n], d[n + 1]);",
        &[split(2)],
        "    const auto updated = max(d[n], d[n + 1]);\n    __syncwarp();\n    d[n] = updated;",
    );
    becomes(
        "    for (;;) d[n] += d[n + 1];",
        &[split(2)],
        "    for (;;) { const auto sum = d[n] + d[n + 1]; __syncwarp(); d[n] = sum; }",
    );
    becomes(
        "    if (c) {\n        d[n] *= 2;\n    }",
        &[split(3)],
        "    const auto product = c ? d[n] * 2 : 0;\n    __syncwarp();\n    if (c) d[n] = product;",
    );
    becomes(
        "    for (;;) if (n > 1) d[n] -= d[n + 1] | 1;",
        &[split(2)],
        "    for (;;) { const auto difference = n > 1 ? d[n] - (d[n + 1] | 1) : 0; __syncwarp(); if (n > 1) d[n] = \
         difference; }",
    );
    becomes(
        "    if (c) {\n        d[n] *= 2;\n        n++;\n    }",
        &[split(3)],
        "    if (c) {\n        const auto product = d[n] * 2;\n        __syncwarp();\n        d[n] = \
         product;\n        n++;\n    }",
    );
    refused("    if (f(c)) d[n] += d[n + 1];", &[split(2)]);
    refused("    if (c) d[n] += d[n + 1];\n    else f();", &[split(2)]);
    refused("    if (c) f();\n    else d[n] += d[n + 1];", &[split(3)]);
    refused("    int x = d[n];", &[split(2)]);
    refused("    d[f(n)] += 1;", &[split(2)]);
}

#[test]
fn a_lambda_has_statements() {
    let body = "    auto f = [&](int v) -> int {\n        d[v] = n;\n        return v;\n    };\n    f(3);";
    let within = body.replace("= n;", "= n;\n        __syncthreads();");
    becomes(body, &[barrier(after(3))], &within);
    becomes(body, &[barrier(after(2))], &body.replace("};", "};\n    __syncthreads();"));
    becomes(body, &[guard(3, "v < n")], &body.replace("d[v]", "if (v < n) d[v]"));
    // The branch is not around what the lambda does where it is called.
    let text = kernel("    if (n) {\n        f([=] {\n            d[0] = 1;\n        });\n    }");
    let source = SourceFile::parse(&text).unwrap();
    assert!(source.branches(4).is_empty() && source.branches(3).len() == 1);
    // Elements and attributes are none.
    becomes(
        "    [[maybe_unused]] int x[2]{};\n    f();",
        &[barrier(after(2))],
        "    [[maybe_unused]] int x[2]{};\n    __syncthreads();\n    f();",
    );
}

#[test]
fn a_wait_for_copies_is_written_as_the_text_has_it() {
    let wait = Edit::InsertWait { at: after(2) };
    let copy = "    __pipeline_memcpy_async(s, d, 4);";
    becomes(copy, std::slice::from_ref(&wait), &format!("{copy}\n    __pipeline_commit(); __pipeline_wait_prior(0);"));
    becomes("    f();", &[wait], "    f();\n    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");");
}

#[test]
fn a_barrier_has_another_count() {
    let edit = [Edit::ChangeCount { at: at(2), threads: 64 }];
    becomes("    __barrier_sync_count(1, n / 2);", &edit, "    __barrier_sync_count(1, 64);");
    becomes("    asm volatile(\"bar.sync 1, 48;\");", &edit, "    asm volatile(\"bar.sync 1, 64;\");");
    for other in
        ["    asm volatile(\"bar.sync 1;\");", "    asm(\"bar.sync 1, %0;\" :: \"r\"(n));", "    __syncthreads();"]
    {
        refused(other, &edit);
    }
}
