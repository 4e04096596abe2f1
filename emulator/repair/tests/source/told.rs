//! Questions to a text: its gaps, parameters, branches and loops.

use crate::text::{barrier, before, edited, kernel};
use finding::{Position, SourceLocation};
use repair::Unfit;
use repair::source::SourceFile;

#[test]
fn gaps_lie_between_two_lines() {
    let source = kernel(
        "    a();\n    for (;;)\n        if (n) {\n            b();\n        }\n    if (n) return;\n    c();\n    \
         return;",
    );
    let source = SourceFile::parse(&source).unwrap();
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
    let text = "template <typename T = int>\n__global__ void __launch_bounds__(32) k(const int* __restrict__ in, T \
        (&v)[4],\n    unsigned long long n = 3) {\n    for (;;) {\n        if (in &&\n            n) {\n            \
        a();\n        } else if (n > 3)\n            b();\n    }\n}\n";
    let source = SourceFile::parse(text).unwrap();
    let parameters = source.parameters("k").unwrap();
    assert_eq!((parameters[0].name.as_str(), parameters[0].ty.as_str()), ("in", "const int* __restrict__"));
    assert_eq!((parameters[2].name.as_str(), parameters[2].ty.as_str()), ("n", "unsigned long long"));
    assert_eq!(source.parameters("_Z1kIiEvPKi").unwrap().len(), 3);
    assert_eq!(source.parameters("other"), None);
    let nested = "__global__ void k(cuda::std::pair<int, array<int, 3>> a, int n) {}";
    let names: Vec<String> = SourceFile::parse(nested)
        .unwrap()
        .parameters("k")
        .unwrap()
        .into_iter()
        .map(|parameter| parameter.name)
        .collect();
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
