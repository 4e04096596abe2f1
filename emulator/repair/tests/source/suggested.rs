//! Suggestions from a line's own words.

use crate::text::{at, becomes, kernel};
use finding::{Edit, Position};
use repair::source::SourceFile;

#[track_caller]
fn source(body: &str) -> SourceFile {
    SourceFile::parse(&kernel(body)).unwrap()
}

#[test]
fn names_in_an_index_are_compared_with_parameters() {
    let guards = |body: &str| source(body).guards_of(2);
    assert_eq!(guards("    d[i] = p[i];"), ["i < n", "i < m"]);
    assert_eq!(guards("    d[y * n + x] = 1;"), ["x < n", "y < n", "x < m", "y < m"]);
    assert_eq!(guards("    d[SIZE + threadIdx.x] = f(n);"), [""; 0]);
}

trait Conditions {
    fn guards_of(&self, line: u32) -> Vec<String>;
}

impl Conditions for SourceFile {
    fn guards_of(&self, line: u32) -> Vec<String> {
        let condition = |edit| match edit {
            Edit::Guard { condition, .. } => condition,
            other => panic!("{other:?}"),
        };
        SourceFile::guards(self, &at(line)).into_iter().map(condition).collect()
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
    let reads = |body: &str| texts(source(body).bounded_reads(&at(2)).concat());
    assert_eq!(
        reads("    f(p[i]);"),
        [
            "p[i] -> i < n ? p[i] : 0",
            "p[i] -> i < m ? p[i] : 0",
            "p[i] -> p[min(i, n - 1)]",
            "p[i] -> p[min(i, m - 1)]"
        ]
    );
    assert_eq!(
        reads("    d[0] = 1 + p[i & 3];"),
        [
            "p[i & 3] -> ((i & 3) < n ? p[i & 3] : 0)",
            "p[i & 3] -> ((i & 3) < m ? p[i & 3] : 0)",
            "p[i & 3] -> p[min(i & 3, n - 1)]",
            "p[i & 3] -> p[min(i & 3, m - 1)]"
        ]
    );
    assert!(reads("    f(p[i - 1]);").starts_with(&["p[i - 1] -> i >= 1 ? p[i - 1] : 0".to_string()]));
    assert!(reads("    f(p[i - 1]);").contains(&"p[i - 1] -> p[max(i - 1, 0)]".to_string()));
    assert_eq!(reads("    d[i] = 1;"), [""; 0]);
}

#[test]
fn threads_stay_instead_of_leaving() {
    let together = |body: &str, line| source(body).together(&at(line));
    let body = "    for (;;) {\n        if (i >= n) break; // done\n        d[i] = 1;\n        __syncwarp();\n        \
        d[i]++;\n    }";
    let want = "    for (;;) {\n        if (i < n) d[i] = 1;\n        __syncwarp();\n        if (i < n) d[i]++;\n    }";
    becomes(body, &together(body, 5)[0], want);
    // A barrier on the way is still reached by all.
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
    let body = "    for (int i = threadIdx.x; i < n; i += 64) {\n        d[i] = sum();\n        x = \
        __shfl_down_sync(m, x, 1);\n        p[i] = __shfl_down_sync(m, x, 2);\n    }";
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
}
