//! Checks that PTX has a store for each time that the source's line stores.

use finding::SourceLocation;
use repair::patch;
use repair::source::SourceFile;

/// A kernel with one statement in a loop in line 3, and `body` as what a compiler made of it.
fn is_each_time(statement: &str, body: &str) -> bool {
    let source =
        format!("__global__ void k(int* d, int n, int t) {{\n    for (int s = n; s > 0; s /= 2)\n{statement}\n}}\n");
    let ptx = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_0)\n{{\n.reg .pred %p<9>;\n\
         .reg .b32 %r<99>;\n.reg .b64 %rd<99>;\n.loc 1 3 9\n{body}\n.loc 1 4 1\nret;\n}}\n.file 1 \"/course/k.cu\"\n"
    );
    let stored = SourceFile::parse(&source).expect("it is C++").stored_in(3).expect("the line stores");
    patch::stores_each_time(&ptx, "k", &SourceLocation { file: "k.cu".into(), line: 3, column: 9 }, stored)
}

const LOAD: &str = "ld.global.u32 %r1, [%rd1];\n";
const OTHER: &str = "ld.global.u32 %r2, [%rd1+4];\n";
const STORE: &str = "st.global.u32 [%rd1], %r3;\n";

#[test]
fn a_value_that_stays_in_a_register_over_the_rounds_of_a_loop_is_stored_too_seldom() {
    let update = "        d[t] += d[t + s];";
    let in_loop = |inside: &str, behind: &str| format!("L1:\n{inside}@%p1 bra L1;\n{behind}");
    for (body, expected) in [
        (in_loop(&[LOAD, OTHER, STORE].concat(), ""), true),
        // A thread's element is loaded before the loop.
        ([LOAD, &in_loop(&[OTHER, STORE].concat(), "")].concat(), true),
        ([LOAD, OTHER, STORE].concat().repeat(2), true),
        // Unrolled, and one store for all rounds.
        ([LOAD, OTHER, OTHER, STORE].concat(), false),
        ([LOAD, &in_loop(OTHER, STORE)].concat(), false),
        // One for every two.
        (in_loop(&[LOAD, OTHER, OTHER, STORE].concat(), ""), false),
    ] {
        assert_eq!(is_each_time(update, &body), expected, "{body}");
    }
}

#[test]
fn what_else_the_line_reads_is_counted() {
    let body = ["L1:\n", OTHER, OTHER, STORE, "@%p1 bra L1;"].concat();
    assert!(is_each_time("        d[t] = d[t + 1] + d[t + 2];", &body));
    assert!(!is_each_time("        d[t] = d[t + 1] + s;", &body));
}

#[test]
fn a_line_assigns_to_the_arrays_that_it_names_first() {
    let source = "__global__ void k(int* a, int* b, int t) {\n    a[b[t]] = 1;\n    *b = a[t];\n    t = b[t];\n}\n";
    let source = SourceFile::parse(source).expect("it is C++");
    let assigned = [2, 3, 4].map(|line| source.assigned_in(line));
    assert_eq!(assigned, [vec!["a"], vec!["b"], vec![]]);
}
