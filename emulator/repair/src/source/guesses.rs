//! Small changes of expressions that no cause names: another index, stride, bound, mask or condition.
//!
//! Each is compiled and run before it is told, so an unlikely guess does no harm; this takes a compiler and a known
//! right answer. A rule is a mistake that beginners make, and what they meant.

use super::scan::words;
use super::statements::Function;
use super::{SourceFile, location};
use finding::{Edit, Position, Remedy, SourceLocation};
use std::ops::Range;

/// The likelihood that the text is not meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum GuessRank {
    /// It is seldom meant.
    Mistake,
    /// It may be meant.
    Other,
    /// Anything may be meant.
    Any,
}
use GuessRank::{Any, Mistake, Other};

/// The text that is written and the one that is meant, as [`SourceFile::by_rule`] reads them.
const RULES: [(GuessRank, &str, &str); 37] = [
    // The index of a thread in a grid with more than one block.
    (Mistake, "= threadIdx.x;", "= blockIdx.x * blockDim.x + threadIdx.x;"),
    (Mistake, "+= blockDim.x)", "+= gridDim.x * blockDim.x)"),
    // Lanes at the end get their own value back.
    (Mistake, "+= __shfl_up_sync($m, $v, $b)", "+= __shfl_up_sync($m, $v, $b) * (threadIdx.x % 32 >= $b)"),
    (Mistake, "+= __shfl_down_sync($m, $v, $b)", "+= __shfl_down_sync($m, $v, $b) * (threadIdx.x % 32 + $b < 32)"),
    // Each lane has a mask of its own, or one that does not name it.
    (Mistake, "__any_sync($M, $v)", "((__ballot_sync(0xffffffff, $v) & {$M}) != 0)"),
    (Mistake, "__all_sync($M, $v)", "((~__ballot_sync(0xffffffff, $v) & {$M}) == 0)"),
    (Mistake, "__ballot_sync($M, $v)", "(__ballot_sync(0xffffffff, $v) & {$M})"),
    // The second answer may be another.
    (Mistake, "$m = __activemask() ... __activemask()", "$m = __activemask() ... $m"),
    // 1 is the bound after which it begins again.
    (Mistake, "atomicInc($p, 1)", "atomicAdd($p, 1)"),
    (Mistake, "atomicInc($p, 1u)", "atomicAdd($p, 1u)"),
    // Others have added since.
    (Mistake, "atomicAdd($p, $v); ... *$p - $v", "const auto before = atomicAdd($p, $v); ... before"),
    (Mistake, "atomicAdd($p, $v); ... *$p", "const auto before = atomicAdd($p, $v); ... (before + $v)"),
    // The grid may have no such thread. It always has the first.
    (Mistake, "if ($i == $e && $c)", "if ($i == 0 && $c)"),
    (Mistake, "if ($i == $e)", "if ($i == 0)"),
    // A reduction that halves an odd number of values leaves one out.
    (
        Mistake,
        "for ($t $h = $e / 2; $h > 0; $h /= 2) ... $r < $h",
        "for ($t left = $e, $h = (left + 1) / 2; left > 1; left = $h, $h = (left + 1) / 2) ... $r + $h < left",
    ),
    // Every thread launches, or one before the others have written what the child reads.
    (Mistake, "$k<<<$C>>>($R);", "if (threadIdx.x == 0) $k<<<$C>>>($R);"),
    (Mistake, "if ($i) $k<<<$C>>>($R);", "__syncthreads(); if ($i) $k<<<$C>>>($R);"),
    // Only one lane has the answer.
    (Mistake, "if ($g.thread_rank() == 0) $x = $R;", "if ($g.thread_rank() == 0) $x = $R; $x = $g.shfl($x, 0);"),
    (Mistake, "if ($l == 0) $x = $R;", "if ($l == 0) $x = $R; $x = __shfl_sync(0xffffffff, $x, 0);"),
    // A copy is only begun.
    (Mistake, "cg::memcpy_async($g, $R);", "cg::memcpy_async($g, $R); cg::wait($g);"),
    (Mistake, "__pipeline_commit();", "__pipeline_commit(); __pipeline_wait_prior(0);"),
    (Mistake, "&$o); } __syncthreads();", "&$o); } __syncthreads(); while (!ptx::mbarrier_try_wait_parity(&$o, 0)) {}"),
    (Mistake, ", &$o, $n); ... sizeof($k), &$o);", ", &$o, $n + sizeof($k)); ... sizeof($k), &$o);"),
    // Two locks that another thread takes the other way round.
    (Mistake, "$f(&$a[$i] ... $f(&$a[$j]", "$f(&$a[min($i, $j)] ... $f(&$a[max($i, $j)]"),
    // All lanes want what one gives the next.
    (Other, "__shfl_down_sync", "__shfl_xor_sync"),
    (Other, "__shfl_up_sync", "__shfl_xor_sync"),
    // A last part that is not full counts too.
    (Other, "$e / $d", "(($e + $d - 1) / $d)"),
    (Other, "$a[$y][$x]", "$a[$x][$y]"),
    (Other, "__shfl_down_sync($m, $v, 1)", "__shfl_down_sync($m, $v, 2)"),
    // No room for the last.
    (Other, "__shared__ $t $a[$e]", "__shared__ $t $a[$e + 1]"),
    // A bound that is jumped over.
    (Other, "!=", "<"),
    (Any, " <=", "<"),
    (Any, " <", "<="),
    (Any, " >=", ">"),
    (Any, " >", ">="),
    (Any, "$e - 1", "$e"),
    (Any, "$e + 1", "$e"),
];

/// The number of tokens that may stand between the two parts of a rule.
const BETWEEN: usize = 80;

/// The tokens that the names of a rule stand for.
type BoundNames<'r> = Vec<(&'r str, Range<usize>)>;

impl SourceFile {
    /// Changes of a kernel and of what it calls, the likeliest first; `lines` are those that a finding names, and what
    /// is near them comes first. `file` is what the text is called.
    pub fn guesses(&self, kernel: &str, file: &str, lines: &[u32]) -> Vec<Remedy> {
        let tokens = self.reached(kernel).into_iter().flat_map(|function| function.body.0..function.body.1);
        let guesses = tokens.flat_map(|at| self.guesses_at(at).into_iter().map(move |guess| (at, guess)));
        let distance = |at: usize| lines.iter().map(|line| line.abs_diff(self.line(at))).min().unwrap_or(0);
        let mut all: Vec<_> = guesses.map(|(at, (rank, edits))| (rank, distance(at), edits)).collect();
        all.sort_by_key(|(rank, distance, _)| (*rank, *distance));
        let mut told: Vec<Remedy> = Vec::new();
        for (_, _, edits) in all {
            let edits = named(edits, file);
            if !told.contains(&edits) {
                told.push(edits);
            }
        }
        told
    }

    /// A kernel and the functions of this file that it may call; all, where it is not here.
    pub(super) fn reached(&self, kernel: &str) -> Vec<&Function> {
        let plain = finding::plain_name(kernel);
        let functions = &self.tree.functions;
        let mut kept: Vec<bool> = functions.iter().map(|it| it.name == kernel || it.name == plain).collect();
        if !kept.contains(&true) {
            return functions.iter().collect();
        }
        while let Some(next) = (0..functions.len()).find(|next| {
            let calls = |it: &Function| self.has_word(&(it.body.0..it.body.1), &functions[*next].name);
            !kept[*next] && functions.iter().zip(&kept).any(|(it, kept)| *kept && calls(it))
        }) {
            kept[next] = true;
        }
        functions.iter().zip(kept).filter_map(|(function, kept)| kept.then_some(function)).collect()
    }

    /// Returns what may be meant by the text that begins at a token.
    fn guesses_at(&self, at: usize) -> Vec<(GuessRank, Remedy)> {
        let rules = RULES.iter().map(|(rank, written, meant)| (*rank, self.by_rule(at, written, meant)));
        let mut all: Vec<(GuessRank, Remedy)> =
            rules.flat_map(|(rank, remedies)| remedies.into_iter().map(move |remedy| (rank, remedy))).collect();
        // A shuffle of smaller groups.
        if self.token(at).starts_with("__shfl") {
            let width = |width| vec![Edit::ChangeWidth { at: self.place(at), width }];
            all.extend([16, 8, 4].map(|lanes| (Other, width(lanes))));
        }
        // A power of two that is not this one.
        let value = self.token(at).parse().ok().filter(|value: &u32| value.is_power_of_two() && *value > 3);
        let others = value.into_iter().flat_map(|value| [value / 2, value / 4, 2 * value]);
        all.extend(others.map(|other| (Any, vec![self.becomes(at..at + 1, other.to_string())])));
        all
    }

    /// Returns the remedies that write `meant` for `written`, if that begins at this token. A `$` and a letter stand
    /// for a name or a number. Where something follows, they stand for all up to that; a capital stands for commas too.
    /// `$M` holds a name that is no constant's. Between two parts, which `...` separates, there may be other code.
    /// `COUNT` is each integer that the function is given in turn.
    pub(super) fn by_rule(&self, at: usize, written: &str, meant: &str) -> Vec<Remedy> {
        let (mut bound, mut starts, mut parts) = (BoundNames::new(), at..at + 1, Vec::new());
        for (written, meant) in written.split(" ... ").zip(meant.split(" ... ")) {
            let found = starts.find_map(|start| Some((start, self.matched(start, written, &bound)?)));
            let Some((start, (end, more))) = found else { return Vec::new() };
            (bound, starts) = (more, end..end + BETWEEN);
            parts.push((start..end, meant));
        }
        let edits = |count: &str| {
            let text = |meant: &str| self.with_names(&meant.replace("COUNT", count), &bound);
            let texts = parts.iter().map(|(tokens, meant)| (tokens.clone(), text(meant)));
            texts
                .filter(|(tokens, new)| self.code(tokens.clone()) != new)
                .map(|(tokens, new)| self.changed(tokens, &new))
                .collect()
        };
        match (meant.contains("COUNT"), self.function_of(at)) {
            (false, _) => vec![edits("")],
            (true, None) => Vec::new(),
            (true, Some(function)) => self.integers(function).iter().map(|count| edits(count)).collect(),
        }
    }

    /// Returns the edit to `new`. An addition before or behind a statement that stays is a statement or a condition by
    /// itself.
    fn changed(&self, tokens: Range<usize>, new: &str) -> Edit {
        let (old, at) = (self.code(tokens.clone()), self.place(tokens.start));
        let insert = |statement: &str, at| Edit::Insert { statement: statement.trim().to_string(), at };
        match (new.strip_prefix(old), new.strip_suffix(old)) {
            (Some(behind), _) if behind.ends_with(';') => return insert(behind, Position::After { at }),
            (_, Some(before)) if before.ends_with("; ") => return insert(before, Position::Before { at }),
            (_, Some(before)) if let Some(condition) = in_brackets(before, "if (", ") ") => {
                return Edit::Guard { at, condition: condition.to_string() };
            }
            _ => {}
        }
        let (before, behind) = (self.token(tokens.start.wrapping_sub(1)), self.token(tokens.end));
        let is_all = ["(", ",", "=", "return"].contains(&before) && [")", ",", ";"].contains(&behind);
        self.becomes(tokens, in_brackets(new, "(", ")").filter(|_| is_all).unwrap_or(new))
    }

    /// A rule's text with what its names stand for; in braces, with parentheses where it needs them.
    fn with_names(&self, text: &str, bound: &BoundNames) -> String {
        let mut text = text.to_string();
        for (name, tokens) in bound {
            let code = self.code(tokens.clone());
            let whole = if self.is_loose(tokens) { format!("({code})") } else { code.to_string() };
            text = text.replace(&format!("{{{name}}}"), &whole).replace(name, code);
        }
        text
    }

    /// Returns the end of a part of a rule that begins at this token, and what its names stand for.
    fn matched<'r>(&self, start: usize, rule: &'r str, bound: &BoundNames<'r>) -> Option<(usize, BoundNames<'r>)> {
        // Brackets of a template have no space before them.
        if rule.starts_with(' ') && !self.text[..self.scan.tokens.get(start)?.bytes.start].ends_with(' ') {
            return None;
        }
        let (words, mut at, mut bound) = (words(rule), start, bound.clone());
        for (number, word) in words.iter().enumerate() {
            if !word.starts_with('$') {
                at = (self.token(at) == *word).then_some(at + 1)?;
                continue;
            }
            if let Some((_, known)) = bound.iter().find(|(name, _)| name == word) {
                at = self.same(known, &(at..at + known.len())).then_some(at + known.len())?;
                continue;
            }
            let end = match words.get(number + 1) {
                None => self.operand_end(at)?,
                Some(next) if number > 0 && !next.starts_with('$') => {
                    self.up_to(at, next, word.contains(char::is_uppercase))?
                }
                Some(_) => self.path_end(at)?,
            };
            bound.push((word, at..end));
            at = end;
        }
        let is_constant = |tokens: &Range<usize>| {
            !tokens.clone().any(|at| self.is_word(at) && self.token(at).contains(char::is_lowercase))
        };
        (!bound.iter().any(|(name, tokens)| *name == "$M" && is_constant(tokens))).then_some((at, bound))
    }

    /// The first such sign outside brackets, before any that ends an expression.
    fn up_to(&self, at: usize, sign: &str, over_commas: bool) -> Option<usize> {
        let ends = [sign, ";", ")", "]", "}", if over_commas { sign } else { "," }];
        let end = self
            .outside_brackets(at..self.scan.tokens.len().min(at + BETWEEN))
            .find(|at| ends.contains(&self.token(*at)))?;
        (end > at && self.token(end) == sign).then_some(end)
    }

    /// The token after a name and the members behind it, if none stands before it.
    fn path_end(&self, at: usize) -> Option<usize> {
        let is_member = |at: usize| [".", "->", "::"].contains(&self.token(at));
        let mut end = (self.is_word(at) && !is_member(at.wrapping_sub(1))).then_some(at + 1)?;
        while is_member(end) && self.is_word(end + 1) {
            end += 2;
        }
        Some(end)
    }

    /// The token after a number, or a name with what belongs to it.
    fn operand_end(&self, at: usize) -> Option<usize> {
        let is_number = self.token(at).starts_with(|c: char| c.is_ascii_digit());
        if is_number { Some(at + 1) } else { self.chain_end(at, self.scan.tokens.len()) }
    }

    pub(super) fn code(&self, tokens: Range<usize>) -> &str {
        if tokens.is_empty() { "" } else { &self.text[self.bytes(tokens)] }
    }

    pub(super) fn place(&self, token: usize) -> SourceLocation {
        location(self.at(self.byte(token)), "")
    }

    pub(super) fn becomes(&self, tokens: Range<usize>, new: impl Into<String>) -> Edit {
        Edit::Rewrite { at: self.place(tokens.start), old: self.code(tokens).to_string(), new: new.into() }
    }
}

fn in_brackets<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// With the name of the file in all places.
pub(super) fn named(mut edits: Remedy, file: &str) -> Remedy {
    let of_file = |at: &mut SourceLocation| at.file = file.into();
    edits.iter_mut().flat_map(Edit::locations_mut).for_each(of_file);
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::apply;

    /// The changed sources, the likeliest first.
    fn guessed(text: &str) -> Vec<String> {
        let source = SourceFile::parse(text).unwrap();
        let edits =
            source.guesses("k", "k.cu", &[2]).into_iter().filter_map(|guess| source.text_edits("k", &guess).ok());
        edits.map(|edits| apply(text, &edits)).collect()
    }

    #[test]
    fn what_beginners_mistake_and_what_they_meant() {
        for (written, meant) in [
            ("int i = threadIdx.x;", "int i = blockIdx.x * blockDim.x + threadIdx.x;"),
            ("for (; i < n; i += blockDim.x) f();", "for (; i < n; i += gridDim.x * blockDim.x) f();"),
            ("votes = __ballot_sync(others, x < 0);", "votes = __ballot_sync(0xffffffff, x < 0) & others;"),
            ("x = __any_sync(ALL & ~mine, y);", "x = (__ballot_sync(0xffffffff, y) & (ALL & ~mine)) != 0;"),
            ("m = __activemask(); k = __popc(__activemask());", "m = __activemask(); k = __popc(m);"),
            ("i = atomicInc(count, 1u);", "i = atomicAdd(count, 1u);"),
            ("if (i == n / 4 && n % 4) f();", "if (i == 0 && n % 4) f();"),
            ("if (all) child<<<1, 64>>>(row);", "if (all && threadIdx.x == 0) child<<<1, 64>>>(row);"),
            ("if (all) child<<<1, 64>>>(row);", "__syncthreads();\n    if (all) child<<<1, 64>>>(row);"),
            ("child<<<1, 64>>>(row);", "if (threadIdx.x == 0) child<<<1, 64>>>(row);"),
            ("cg::memcpy_async(g, d, p, n);", "cg::memcpy_async(g, d, p, n);\n    cg::wait(g);"),
            ("f();\n    __pipeline_commit();", "f();\n    __pipeline_commit();\n    __pipeline_wait_prior(0);"),
            ("if (t.thread_rank() == 0) x = f();", "if (t.thread_rank() == 0) x = f();\n    x = t.shfl(x, 0);"),
            ("if (lane == 0) x = f();", "if (lane == 0) x = f();\n    x = __shfl_sync(0xffffffff, x, 0);"),
            ("lock(&l[a]); lock(&l[b]);", "lock(&l[min(a, b)]); lock(&l[max(a, b)]);"),
            ("__shared__ int s[SIZE];", "__shared__ int s[SIZE + 1];"),
            ("atomicAdd(p, 1); x = *p - 1;", "const auto before = atomicAdd(p, 1); x = before;"),
            ("atomicAdd(p, 1); x = *p;", "const auto before = atomicAdd(p, 1); x = before + 1;"),
            ("x = __shfl_down_sync(~0u, y, 1);", "x = __shfl_xor_sync(~0u, y, 1);"),
            ("x = __shfl_down_sync(~0u, y, 1);", "x = __shfl_down_sync(~0u, y, 2);"),
            ("x = __shfl_xor_sync(~0u, y, by);", "x = __shfl_xor_sync(~0u, y, by, 8);"),
            ("if (lane < blockDim.x / 32) f();", "if (lane < ((blockDim.x + 32 - 1) / 32)) f();"),
            ("x = tile[t][i + 1];", "x = tile[i + 1][t];"),
            ("if (i < n - 1) f();", "if (i < n) f();"),
            ("if (first + 32 != n) f();", "if (first + 32 < n) f();"),
            ("auto g = tiled_partition<32>(b);", "auto g = tiled_partition<8>(b);"),
            ("sum += __shfl_up_sync(m, sum, by);", "sum += __shfl_up_sync(m, sum, by) * (threadIdx.x % 32 >= by);"),
            (
                "for (int half = n / 2; half > 0; half /= 2) if (t < half) x += s[t + half];",
                "for (int left = n, half = (left + 1) / 2; left > 1; left = half, half = (left + 1) / 2) \
                 if (t + half < left) x += s[t + half];",
            ),
        ] {
            let source = |body: &str| format!("__global__ void k() {{ // {{\n    {body}\n}}\n");
            let all = guessed(&source(written));
            assert!(all.contains(&source(meant)), "{written}: {all:#?}");
        }
    }

    #[test]
    fn what_is_near_a_finding_comes_first_and_of_what_the_kernel_does_not_call_there_is_none() {
        let text = "void k() {\n    a = b + 16;\n    c = d + 16;\n}\nvoid other() {\n    e = f + 16;\n}\n";
        let all = guessed(text);
        assert_eq!(all[0], text.replacen("16", "8", 1));
        assert!(all.iter().all(|one| one.contains("e = f + 16;")));
    }
}
