//! Changed versions of right answers: what a student forgets, narrows, moves or assumes.

use crate::operators;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// A right answer.
pub struct MutantQuery {
    pub text: String,
    /// The file as it is handed out: a line that it has, too, is no work of a student's, and stays as it is.
    pub shipped: String,
    /// The values that may be assumed, by the word for them: `blockDim.x` is 64, `n` is 512.
    pub assumed: BTreeMap<String, String>,
    /// The exercise has a budget of barriers or fences.
    pub is_costed: bool,
}

impl MutantQuery {
    /// Each block has one thread.
    pub fn blocks_are_threads(&self) -> bool {
        self.assumed.get("blockDim.x").is_some_and(|threads| threads == "1")
    }
}

#[derive(Clone)]
pub struct Mutant {
    pub operator: &'static str,
    /// The line that changes, from 1, and what it holds.
    pub line: usize,
    pub site: String,
    pub text: String,
}

/// Returns the text with spaces for each `__cluster_dims__(4)`, which the grammar does not have.
fn without_cluster_shapes(text: &str) -> String {
    const WORD: &str = "__cluster_dims__(";
    let mut text = text.to_string();
    while let Some(start) = text.find(WORD) {
        let length = text[start..].find(')').map_or(WORD.len(), |end| end + 1);
        text.replace_range(start..start + length, &" ".repeat(length));
    }
    text
}

/// Each changed text once: a statement that moves down is its neighbour that moves up.
pub fn mutants(asked: &MutantQuery) -> Result<Vec<Mutant>, String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_cuda::LANGUAGE.into()).map_err(|error| error.to_string())?;
    let text = asked.text.as_str();
    let tree = parser.parse(without_cluster_shapes(text), None).ok_or("tree-sitter gives no tree")?;
    if tree.root_node().has_error() {
        return Err(format!("tree-sitter cannot read {:?}", text.lines().next().unwrap_or_default()));
    }
    let known: HashSet<String> = asked.shipped.lines().map(bare).collect();
    let mut seen = HashSet::from([code(text)]);
    let mut all = Vec::new();
    for change in operators::all(asked, tree.root_node()) {
        let at = change.edits[0].0.start;
        let line = text[..at].matches('\n').count();
        let whole = text.lines().nth(line).unwrap_or_default();
        if !change.is_added && known.contains(&bare(whole)) {
            continue;
        }
        let changed = apply(text, change.edits);
        if seen.insert(code(&changed)) {
            all.push(Mutant {
                operator: change.operator,
                line: line + 1,
                site: whole.trim().to_string(),
                text: changed,
            });
        }
    }
    Ok(all)
}

/// Without comments, spaces and lines that hold an empty statement.
fn code(text: &str) -> String {
    text.lines().map(bare).filter(|line| line != ";").collect()
}

/// Without its comment and its spaces.
fn bare(line: &str) -> String {
    line.split("//").next().unwrap_or_default().split_whitespace().collect()
}

fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(at, _)| at.start);
    let mut changed = String::new();
    let mut done = 0;
    for (at, new) in edits {
        changed += &text[done..at.start];
        changed += &new;
        done = at.end;
    }
    changed + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, shipped: &str) -> Vec<(String, String)> {
        let assumed = [("blockDim.x", "64"), ("n", "512")].map(|(name, value)| (name.to_string(), value.to_string()));
        let assumed = BTreeMap::from(assumed);
        let all =
            mutants(&MutantQuery { text: text.into(), shipped: shipped.into(), assumed, is_costed: true }).unwrap();
        all.into_iter().map(|mutant| (mutant.operator.to_string(), mutant.text)).collect()
    }

    fn kernel(body: &str) -> String {
        format!("extern \"C\" __global__ void k(int* a, int n) {{\n{body}\n}}\n")
    }

    #[track_caller]
    fn has(before: &str, operator: &str, after: &str) {
        let all = made(&kernel(before), "");
        assert!(all.contains(&(operator.to_string(), kernel(after))), "{all:#?}");
    }

    #[test]
    fn a_kernel_of_a_cluster_can_be_read() {
        let text = kernel("cluster.sync();").replace("void k", "void __cluster_dims__(4) k");
        let removed = text.replace("cluster.sync();", ";");
        assert!(made(&text, "").contains(&("removed".to_string(), removed)));
    }

    #[test]
    fn neighbours_change_places_once() {
        let all = made(&kernel("atomicSub(a, 1);\natomicAdd(a, 1);"), "");
        let moved: Vec<&str> =
            all.iter().map(|(name, _)| name.as_str()).filter(|name| name.starts_with("moved")).collect();
        assert_eq!(moved, ["moved-down"]);
    }

    #[test]
    fn a_barrier_is_forgotten_doubled_narrowed_and_moved() {
        has("a[0] = 1;\n__syncthreads();\na[1] = 2;", "removed", "a[0] = 1;\n;\na[1] = 2;");
        has("a[0] = 1;\n__syncthreads();\na[1] = 2;", "moved-up", "__syncthreads(); a[0] = 1;\n;\na[1] = 2;");
        has("a[0] = 1;\n__syncthreads();\na[1] = 2;", "moved-down", "a[0] = 1;\n;\na[1] = 2; __syncthreads();");
        has("__syncthreads();", "doubled", "__syncthreads(); __syncthreads();");
        has("__syncthreads();", "narrowed", "__syncwarp();");
        has("if (n) { __syncthreads(); }", "moved-out", "if (n) { ; } __syncthreads();");
        has("__syncthreads();\nif (n) { a[0] = 1; }", "moved-in", ";\nif (n) {__syncthreads();  a[0] = 1; }");
    }

    #[test]
    fn guards_bounds_atomics_and_shapes_are_mistaken() {
        has("if (n > 3) a[0] = 1;", "guard-removed", "if (true) a[0] = 1;");
        has("if (n > 3) a[0] = 1;", "bound", "if (n >= 3) a[0] = 1;");
        has("if (n > 3 && a[0]) return;", "guard-removed", "if (n > 3) return;");
        has("int old = atomicAdd(a, 2);", "not-atomic", "int old = ((*(a) += (2)) - (2));");
        has("atomicAdd(a, 2);", "narrowed", "atomicAdd_block(a, 2);");
        has("a[blockDim.x] = 1;", "assumed", "a[64] = 1;");
        has("a[0] = __shfl_sync(0xffffffff, n, 0);", "mask", "a[0] = __shfl_sync(0x0000ffff, n, 0);");
        has("*a = cudaGetLastError();", "error-ignored", "*a = cudaSuccess;");
    }

    #[test]
    fn sizes_are_mistaken_at_a_warp_a_last_block_and_a_round() {
        has("__syncthreads();", "guarded-by-size", "if (n > 32) __syncthreads();");
        let narrowed = "if (n > 32 && n <= 64) { __syncwarp(); } else { __syncthreads(); }";
        has("__syncthreads();", "narrowed-at-size", narrowed);
        let turns = "for (int turn = 0; turn < 32; ++turn) if ((threadIdx.x & 31) == turn) \
                     atomicExch(a, atomicAdd(a, 0) + (2));";
        has("atomicAdd(a, 2);", "in-two-steps", turns);
        let at_size = format!("if (n > 32 && n <= 64) {{ {turns} }} else {{ atomicAdd(a, 2); }}");
        has("atomicAdd(a, 2);", "in-two-steps", &at_size);
        let (left, width) = ("n - (int)blockIdx.x * 64", "64");
        let last = format!("a[0] = ({left} > {width} ? {width} : n % {width});");
        has(&format!("a[0] = min({width}, {left});"), "last-by-remainder", &last);
        let mask = "((t) / 32 > (n - 1) / 32 ? 0u : (t) / 32 == (n - 1) / 32 ? (1u << n % 32) - 1 : 0xffffffffu)";
        let ballot = "int t = 0; a[0] = __ballot_sync(0xffffffff, t < n);";
        has(ballot, "last-by-remainder", &format!("int t = 0; a[0] = {mask};"));
        has(
            "for (int i = 0; i < n; i += 64) a[i] = 1;",
            "round-lost",
            "for (int i = 0; i + (64) < n; i += 64) a[i] = 1;",
        );
        for parts in ["(n + 63) / 64", "(n + 64 - 1) / 64"] {
            has(&format!("a[0] = {parts};"), "one-part-more", "a[0] = (n / 64 + 1);");
        }
        has(
            "for (int i = threadIdx.x; i < n; i += 64) a[i] = 1;",
            "asked-too-late",
            "{ int i = threadIdx.x; do { a[i] = 1; i += 64; } while (i < n); }",
        );
        let all = made(&kernel("for (int i = 0; i < n; i += 64) a[i] = 1;"), "");
        assert!(all.iter().all(|(operator, _)| operator != "asked-too-late"), "{all:?}");
    }

    #[test]
    fn a_wait_gives_up_even_where_it_was_handed_out() {
        let waits = "while (a[0] == 0) {}";
        let gives_up = [20, 200]
            .map(|most| format!("for (int tries = 0; tries < {most} && (a[0] == 0); ++tries) {{}}"))
            .map(|text| ("gives-up".to_string(), kernel(&text)));
        assert_eq!(made(&kernel(waits), waits), gives_up);
        let works = made(&kernel("while (a[0] == 0) { n--; }"), "");
        assert!(works.iter().all(|(operator, _)| operator != "gives-up"), "{works:?}");
    }

    #[test]
    fn lines_of_the_shipped_file_stay_and_no_text_comes_twice() {
        let text = kernel("__syncthreads(); // all\na[0] = 1;");
        let all = made(&text, "  __syncthreads();\n");
        assert!(all.iter().all(|(_, text)| text.contains("// all") && text.contains("\n__syncthreads(); ")), "{all:?}");
        let texts: HashSet<&String> = all.iter().map(|(_, text)| text).collect();
        assert!(!all.is_empty() && texts.len() == all.len());
    }
}
