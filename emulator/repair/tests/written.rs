//! Remedies written as C++, and what a line's own words suggest: before and after.

use finding::{BarrierKind, Edit, Position, Remedy, SourceLocation};
use repair::Unfit;
use repair::candidates::Places;
use repair::source::{Source, apply, text_edits};

fn at(line: u32) -> SourceLocation {
    SourceLocation { file: "k.cu".into(), line, column: 1 }
}

/// The body's lines begin at line 2.
fn kernel(body: &str) -> String {
    format!("__global__ void k(int* d, const int* p, int n, unsigned m) {{\n{body}\n}}\n")
}

fn edited(source: &str, remedy: &[Edit]) -> Result<String, Unfit> {
    Ok(apply(source, &text_edits(source, "k", remedy)?))
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

fn barrier(line: u32) -> Edit {
    Edit::InsertBarrier { barrier: BarrierKind::Block, at: Position::After { at: at(line) } }
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
    // What it declares would be known in the body only.
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
    becomes("    f();", &[insert("h(n);", 2), barrier(2)], "    f();\n    h(n);\n    __syncthreads();");
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
        &[split(3), barrier(3)],
        "    int sum = 0;\n    const auto difference = d[n] - (p[0] - 1);\n    __syncwarp();\n    d[n] = difference; // less\n    \
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
        "    if (c) {\n        const auto product = d[n] * 2;\n        __syncwarp();\n        d[n] = product;\n    }",
    );
    refused("    if (c) d[n] += d[n + 1];", &[split(2)]);
    refused("    if (c) f();\n    else d[n] += d[n + 1];", &[split(3)]);
    refused("    int x = d[n];", &[split(2)]);
    refused("    d[f(n)] += 1;", &[split(2)]);
}

#[test]
fn a_lambda_has_statements() {
    let body = "    auto f = [&](int v) -> int {\n        d[v] = n;\n        return v;\n    };\n    f(3);";
    let within = body.replace("= n;", "= n;\n        __syncthreads();");
    becomes(body, &[barrier(3)], &within);
    becomes(body, &[barrier(2)], &body.replace("};", "};\n    __syncthreads();"));
    becomes(body, &[guard(3, "v < n")], &body.replace("d[v]", "if (v < n) d[v]"));
    // The branch is not around what the lambda does where it is called.
    let text = kernel("    if (n) {\n        f([=] {\n            d[0] = 1;\n        });\n    }");
    let source = Source::parse(&text).unwrap();
    assert!(source.branches(4).is_empty() && source.branches(3).len() == 1);
    // Elements and attributes are none.
    becomes(
        "    [[maybe_unused]] int x[2]{};\n    f();",
        &[barrier(2)],
        "    [[maybe_unused]] int x[2]{};\n    __syncthreads();\n    f();",
    );
}

#[track_caller]
fn source(body: &str) -> Source {
    Source::parse(&kernel(body)).unwrap()
}

#[test]
fn names_in_an_index_are_compared_with_parameters() {
    let guards = |body: &str| source(body).guards_of(2);
    assert_eq!(guards("    d[i] = p[i];"), ["i < n", "i < m"]);
    assert_eq!(guards("    d[y * n + x] = 1;"), ["y < m", "x < n"]);
    assert_eq!(guards("    d[y * n + x] = 1; if (x >= n) f();"), ["y < m"]);
    assert_eq!(guards("    d[SIZE + threadIdx.x] = f(n);"), [""; 0]);
}

trait Conditions {
    fn guards_of(&self, line: u32) -> Vec<String>;
}

impl Conditions for Source {
    fn guards_of(&self, line: u32) -> Vec<String> {
        let condition = |edit| match edit {
            Edit::Guard { condition, .. } => condition,
            other => panic!("{other:?}"),
        };
        Places::guards(self, &at(line)).into_iter().map(condition).collect()
    }
}

fn texts(edits: Vec<Edit>) -> Vec<String> {
    let text = |edit| match edit {
        Edit::Rewrite { old, new, .. } => format!("{old} -> {new}"),
        Edit::Insert { statement, at: Position::After { at } } => format!("{} after {}", statement, at.line),
        other => panic!("{other:?}"),
    };
    edits.into_iter().map(text).collect()
}

#[test]
fn a_read_has_a_bound() {
    let reads = |body: &str| texts(source(body).bounded_reads(&at(2)));
    assert_eq!(reads("    f(p[i]);"), ["p[i] -> i < n ? p[i] : 0", "p[i] -> i < m ? p[i] : 0"]);
    assert_eq!(
        reads("    d[0] = 1 + p[i & 3];"),
        ["p[i & 3] -> ((i & 3) < n ? p[i & 3] : 0)", "p[i & 3] -> ((i & 3) < m ? p[i & 3] : 0)"]
    );
    assert_eq!(reads("    d[i] = 1;"), [""; 0]);
}

#[test]
fn a_loop_ends_earlier_or_begins_lower() {
    let body = "    for (int i = 0; i <= n; i++)\n        if (i <= m) d[i] = 1;";
    assert_eq!(texts(source(body).strict(&at(3))), ["i <= m -> i < m", "i <= n -> i < n"]);
    let body = "    for (int half = warpSize / 2; half > 0; half /= 2) {\n        x += f(x, half);\n    }";
    assert_eq!(texts(source(body).halved(&at(3), 16).into_iter().collect()), ["half = warpSize / 2 -> half = 8"]);
    assert_eq!(source(body).halved(&at(5), 16), None);
}

#[test]
fn copies_are_waited_for() {
    assert_eq!(texts(source("    cg::memcpy_async(block, d, p, n);").waits(&at(2))), ["cg::wait(block); after 2"]);
    let body = "    __pipeline_memcpy_async(d, p, 4);\n    f();\n    __pipeline_commit();";
    assert_eq!(texts(source(body).waits(&at(2))), ["__pipeline_wait_prior(0); after 4"]);
    assert_eq!(source("    memcpy(d, p, n);").waits(&at(2)), []);
}

#[test]
fn threads_stay_instead_of_leaving() {
    let body = "    for (;;) {\n        if (i >= n) break; // done\n        d[i] = 1;\n        __syncwarp();\n    }";
    let remedies = Places::staying(&source(body), &at(5));
    let want = "    for (;;) {\n        if (i < n) d[i] = 1;\n        __syncwarp();\n    }";
    assert_eq!(remedies.len(), 1);
    becomes(body, &remedies[0], want);
    // What all do together on the way all still do.
    let two = body.replace("__syncwarp", "__syncwarp();\n        __syncthreads");
    let want = want.replace("__syncwarp", "__syncwarp();\n        __syncthreads");
    becomes(&two, &Places::staying(&source(&two), &at(6))[0], &want);
    assert!(Places::staying(&source(&body.replace("d[i] = 1", "int x = 1")), &at(5)).is_empty());
    assert!(Places::staying(&source(&body.replace("i >= n", "i >= n && m")), &at(5)).is_empty());
}

#[test]
fn a_barrier_moves_down_its_list() {
    let body = "    f();\n    __syncwarp();\n    if (n) {\n        g();\n    }\n    h();\n    return;";
    let remedies = source(body).later_barriers(&at(3));
    assert_eq!(remedies.len(), 2);
    becomes(
        body,
        &remedies[0],
        "    f();\n    if (n) {\n        g();\n    }\n    __syncwarp();\n    h();\n    return;",
    );
    becomes(
        body,
        &remedies[1],
        "    f();\n    if (n) {\n        g();\n    }\n    h();\n    __syncwarp();\n    return;",
    );
    assert_eq!(source(&body.replace("__syncwarp()", "__syncwarp(n)")).later_barriers(&at(3)), Vec::<Remedy>::new());
}

#[test]
fn the_lower_element_comes_first() {
    let body = "    take(&d[from]);\n    take(&d[n - 1]);";
    let remedy = source(body).in_order(&at(2), &at(3)).unwrap();
    becomes(body, &remedy, "    take(&d[min(from, n - 1)]);\n    take(&d[max(from, n - 1)]);");
    assert_eq!(source("    take(&d[n]);\n    take(&p[m]);").in_order(&at(2), &at(3)), None);
    assert_eq!(source("    take(&d[n]);\n    give(&d[n]);").in_order(&at(2), &at(3)), None);
}

#[test]
fn one_lanes_value_is_given_to_all() {
    let broadcasts = |body: &str| texts(source(body).broadcasts(&at(2)));
    assert_eq!(broadcasts("    if (tile.thread_rank() == 0) x = f();"), ["x = tile.shfl(x, 0); after 2"]);
    assert_eq!(broadcasts("    if (lane == 0) x = f();"), ["x = __shfl_sync(0xffffffff, x, 0); after 2"]);
    assert_eq!(broadcasts("    if (lane == n) x = f();"), [""; 0]);
    assert_eq!(broadcasts("    if (lane == 0) d[0] = f();"), [""; 0]);
    let body = "    unsigned x;\n    if (lane == 0) x = f();\n    g(x);";
    let edits = source(body).broadcasts(&at(3));
    becomes(body, &edits, &body.replace("f();", "f();\n    x = __shfl_sync(0xffffffff, x, 0);"));
}
