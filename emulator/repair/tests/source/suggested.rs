//! What a line's own words suggest.

use crate::text::{at, becomes, kernel};
use finding::{Edit, Position, Remedy};
use repair::source::Source;

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
        Source::guards(self, &at(line)).into_iter().map(condition).collect()
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
    assert_eq!(
        reads("    f(p[i]);"),
        ["p[i] -> i < n ? p[i] : 0", "p[i] -> i < m ? p[i] : 0", "p[i] -> p[min(i, n - 1)]"]
    );
    assert_eq!(
        reads("    d[0] = 1 + p[i & 3];"),
        [
            "p[i & 3] -> ((i & 3) < n ? p[i & 3] : 0)",
            "p[i & 3] -> ((i & 3) < m ? p[i & 3] : 0)",
            "p[i & 3] -> p[min(i & 3, n - 1)]"
        ]
    );
    assert!(reads("    f(p[i - 1]);").starts_with(&["p[i - 1] -> i >= 1 ? p[i - 1] : 0".to_string()]));
    assert!(reads("    f(p[i - 1]);").contains(&"p[i - 1] -> p[max(i - 1, 0)]".to_string()));
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
    let together = |body: &str, line| source(body).together(&at(line));
    let body = "    for (;;) {\n        if (i >= n) break; // done\n        d[i] = 1;\n        __syncwarp();\n        d[i]++;\n    }";
    let want = "    for (;;) {\n        if (i < n) d[i] = 1;\n        __syncwarp();\n        if (i < n) d[i]++;\n    }";
    becomes(body, &together(body, 5)[0], want);
    // What all do together on the way all still do.
    let two = |text: &str| text.replace("__syncwarp", "__syncwarp();\n        __syncthreads");
    becomes(&two(body), &together(&two(body), 6)[0], &two(want));
    let with = |written: &str, meant: &str| {
        becomes(
            &body.replace("d[i] = 1", written),
            &together(&body.replace("d[i] = 1", written), 5)[0],
            &want.replace("if (i < n) d[i] = 1", meant),
        );
    };
    with("int x = d[i]", "int x = i < n ? d[i] : 0");
    with("int x = i + 1", "int x = i + 1");
    let body =
        "    if (i >= n && m) return;\n    d[i] = 1;\n    if (m) {\n        __syncthreads();\n        d[0] = 2;\n    }";
    let all = together(body, 5);
    assert_eq!(all.len(), 2);
    becomes(body, &all[0], &body.replace("if (m) {", "{").replace("d[0]", "if (m) d[0]"));
    let guarded = body.replace("    if (i >= n && m) return;\n", "").replace("d[0]", "if (!(i >= n && m)) d[0]");
    becomes(body, &all[1], &guarded.replace("d[i]", "if (!(i >= n && m)) d[i]"));
}

#[test]
fn a_loop_takes_as_long_for_all() {
    let body = "    for (int i = threadIdx.x; i < n; i += 64) {\n        d[i] = sum();\n        x = __shfl_down_sync(m, x, 1);\n        p[i] = __shfl_down_sync(m, x, 2);\n    }";
    let want = body.replace("i < n;", "i - (threadIdx.x) < n;").replace("d[i]", "if (i < n) d[i]").replace(
        "        p[i] = __shfl_down_sync(m, x, 2);",
        "        const auto value = __shfl_down_sync(m, x, 2);\n        if (i < n) p[i] = value;",
    );
    becomes(body, &source(body).together(&at(4))[0], &want);
    assert!(source(&body.replace("threadIdx.x;", "0;")).together(&at(4)).is_empty());
}

#[test]
fn what_is_added_to_is_0_first_and_an_array_has_room() {
    let body = "    __shared__ int bins[SIZE], sum;\n    int own;\n    own += 1;\n    bins[n] += own;\n    sum = 1;";
    let all = source(body).initialised(&at(5));
    assert_eq!(all.len(), 2);
    let zero = "    for (int i = threadIdx.x; i < SIZE; i += blockDim.x) bins[i] = 0;\n    __syncthreads();\n";
    becomes(body, &all[0], &body.replacen("sum;\n", &format!("sum;\n{zero}"), 1));
    becomes(body, &all[1], &body.replace("int own;", "int own = 0;"));
    let zero = "    if (threadIdx.x + threadIdx.y == 0) sum = 0;\n    __syncthreads();\n";
    becomes(body, &source(body).initialised(&at(6))[0], &body.replacen("sum;\n", &format!("sum;\n{zero}"), 1));
    assert_eq!(texts(source(body).larger(&at(5)))[0], "[SIZE] -> [SIZE + 1]");
}

#[test]
fn updates_in_a_row_are_split() {
    let body = "    if (t < 32) {\n        s[t] += s[t + 32];\n        s[t] = s[t] + s[t + 16];\n        t = 0;\n    }";
    let body = &format!("    __shared__ int s[64];\n{body}");
    let warp = finding::BarrierKind::Warp { mask: u32::MAX };
    let edits = source(body).in_step(&at(5), warp).unwrap();
    assert_eq!(edits.len(), 4);
    let half = |name: &str, by: u32| {
        format!(
            "        const auto {name} = s[t] + s[t + {by}];\n        __syncwarp();\n        s[t] = {name};\n        __syncwarp();\n"
        )
    };
    let updates = "        s[t] += s[t + 32];\n        s[t] = s[t] + s[t + 16];\n";
    becomes(body, &edits, &body.replace(updates, &(half("sum", 32) + &half("updated", 16))));
    assert_eq!(source(body).in_step(&at(6), warp), None);
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
