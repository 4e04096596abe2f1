//! Small changes of expressions that no cause names: another index, stride, bound, mask or condition.
//!
//! Where a compiler is at hand and the right answer is known each can be tried, so none needs to be likely. A rule is a mistake that
//! beginners make, and what they meant.

use super::statements::{Function, Kind, Role};
use super::{Source, location};
use finding::{BarrierKind, Edit, Position, Remedy, SourceLocation};
use std::ops::Range;

/// How likely what stands there is not meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It is seldom meant.
    Mistake,
    /// It may be meant.
    Other,
    /// Anything may be meant.
    Any,
}

impl Source {
    /// Changes of a kernel and of what it calls, the likeliest first; `lines` are those that a finding names, and what is near them
    /// comes first. `file` is what the text is called.
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

    /// What may be meant by what begins at a token.
    fn guesses_at(&self, at: usize) -> Vec<(Rank, Remedy)> {
        let mistakes = [
            self.own_index(at),
            self.stride(at),
            self.scan_without_end(at),
            self.own_mask(at),
            self.mask_again(at),
            self.wrapped_count(at),
            self.absent_thread(at),
            self.uneven_halves(at),
            self.launch_by_all(at),
            self.launch_unready(at),
            self.count_read_again(at),
        ];
        let rank = |rank| move |edits| (rank, edits);
        let mistakes = mistakes.into_iter().flatten().map(rank(Rank::Mistake));
        let others = self.exchange(at).into_iter().chain(self.widths(at)).chain(self.rounded(at));
        let others = others.chain(self.transposed(at)).chain(self.jumped_over(at)).map(rank(Rank::Other));
        let any =
            self.comparison(at).into_iter().chain(self.one_off(at)).chain(self.other_power(at)).map(rank(Rank::Any));
        mistakes.chain(others).chain(any).collect()
    }

    fn are(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.token(at + offset) == *word)
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.token(at))
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

    /// The statement that begins at this token.
    fn begins(&self, at: usize) -> Option<usize> {
        (0..self.tree.statements.len())
            .find(|id| self.statement(*id).first == at && self.statement(*id).kind == Kind::Simple)
    }

    /// The call of such a function here: its arguments and the token after it.
    fn call_of(&self, at: usize, fits: impl Fn(&str) -> bool) -> Option<(Vec<Range<usize>>, usize)> {
        let call = self.calls(at..at + 1, fits).pop()?;
        Some((call.arguments, call.close + 1))
    }

    /// `= threadIdx.x;` of a grid with more than one block.
    fn own_index(&self, at: usize) -> Option<Remedy> {
        let is_it = self.before(at) == "=" && self.are(at, &["threadIdx", ".", "x", ";"]);
        is_it.then(|| vec![self.becomes(at..at + 3, "blockIdx.x * blockDim.x + threadIdx.x")])
    }

    /// `+= blockDim.x` in a loop of the grid's.
    fn stride(&self, at: usize) -> Option<Remedy> {
        let line = self.tokens_of(self.line(at));
        let is_it =
            self.before(at) == "+=" && self.are(at, &["blockDim", ".", "x"]) && !self.has_word(&line, "gridDim");
        is_it.then(|| vec![self.becomes(at..at + 3, "gridDim.x * blockDim.x")])
    }

    fn tokens_of(&self, line: u32) -> Range<usize> {
        let tokens = &self.scan.tokens;
        tokens.partition_point(|token| token.line < line)..tokens.partition_point(|token| token.line <= line)
    }

    /// `sum += __shfl_up_sync(...)`: lanes at the end get their own value back.
    fn scan_without_end(&self, at: usize) -> Option<Remedy> {
        let (arguments, end) = self.call_of(at + 2, |name| ["__shfl_up_sync", "__shfl_down_sync"].contains(&name))?;
        let [_, _, by] = &arguments[..] else { return None };
        let by = self.code(by.clone());
        let condition = match self.token(at + 2) {
            "__shfl_up_sync" => format!("threadIdx.x % 32 >= {by}"),
            _ => format!("threadIdx.x % 32 + {by} < 32"),
        };
        self.begins(at).filter(|_| self.token(at + 1) == "+=" && self.token(end) == ";")?;
        let other = Edit::Insert {
            statement: format!("const auto other = {};", self.code(at + 2..end)),
            at: Position::Before { at: self.place(at) },
        };
        Some(vec![other, self.becomes(at..end, format!("if ({condition}) {} += other", self.token(at)))])
    }

    /// `__any_sync(others, vote)`: each lane has a mask of its own, or one that does not name it.
    fn own_mask(&self, at: usize) -> Option<Remedy> {
        let (arguments, end) =
            self.call_of(at, |name| ["__ballot_sync", "__any_sync", "__all_sync"].contains(&name))?;
        let [mask, vote] = &arguments[..] else { return None };
        let is_own = mask.clone().any(|at| self.is_word(at) && self.code(at..at + 1).contains(char::is_lowercase));
        let ballot = format!("__ballot_sync(0xffffffff, {})", self.code(vote.clone()));
        let mask =
            if mask.len() == 1 { self.code(mask.clone()).into() } else { format!("({})", self.code(mask.clone())) };
        let meant = match self.token(at) {
            "__any_sync" => format!("(({ballot} & {mask}) != 0)"),
            "__all_sync" => format!("((~{ballot} & {mask}) == 0)"),
            _ if self.token(end) == ";" && self.before(at) == "=" => format!("{ballot} & {mask}"),
            _ => format!("({ballot} & {mask})"),
        };
        is_own.then(|| vec![self.becomes(at..end, meant)])
    }

    /// `__activemask()` where its first answer has a name.
    fn mask_again(&self, at: usize) -> Option<Remedy> {
        let call = ["__activemask", "(", ")"];
        let own = self.function_of(at)?.body.0;
        let first = (own + 2..at).find(|it| self.are(*it, &call) && self.before(*it) == "=" && self.is_word(it - 2))?;
        self.are(at, &call).then(|| vec![self.becomes(at..at + 3, self.token(first - 2))])
    }

    /// `atomicInc(count, 1)`: 1 is the bound after which it begins again.
    fn wrapped_count(&self, at: usize) -> Option<Remedy> {
        let (arguments, _) = self.call_of(at, |name| name == "atomicInc")?;
        let is_it = arguments.get(1).is_some_and(|bound| self.code(bound.clone()).trim_end_matches('u') == "1");
        is_it.then(|| vec![self.becomes(at..at + 1, "atomicAdd")])
    }

    /// `if (i == n / 4)`: the grid may have no such thread. It always has the first.
    fn absent_thread(&self, at: usize) -> Option<Remedy> {
        let is_if = self.are(at, &["if", "("]);
        let part = self.split(at + 2..self.scan.tokens.get(at + 1)?.pair, "&&").into_iter().next().filter(|_| is_if)?;
        let is_it = self.token(part.start + 1) == "==" && self.token(part.start + 2) != "0" && self.is_word(part.start);
        is_it.then(|| vec![self.becomes(part.start + 2..part.end, "0")])
    }

    /// `for (half = size / 2; half > 0; half /= 2) if (rank < half) add(rank + half);`: of an odd number of values one is left out.
    fn uneven_halves(&self, at: usize) -> Option<Remedy> {
        let id = (0..self.tree.statements.len())
            .find(|id| self.statement(*id).first == at && self.statement(*id).kind == Kind::For)?;
        let [start, until, step] = &self.split(self.statement(id).header.clone(), ";")[..] else { return None };
        let sign = self.outside_brackets(start.clone()).find(|at| self.token(*at) == "=")?;
        let half = self.token(sign - 1);
        let halves = |at: usize| self.are(at, &["/", "2"]) || self.are(at, &[">>", "1"]);
        let is_until = self.code(until.clone()) == format!("{half} > 0") || self.code(until.clone()) == half;
        let is_step =
            self.token(step.start) == half && ["/= 2", ">>= 1"].contains(&self.code(step.start + 1..step.end));
        let count = sign + 1..start.end.checked_sub(2)?;
        if !halves(count.end) || !is_until || !is_step || sign == start.start {
            return None;
        }
        let (ty, count) = (self.code(start.start..sign - 1), self.code(count));
        let mut edits = vec![
            self.becomes(start.clone(), format!("{ty} left = {count}, {half} = (left + 1) / 2")),
            self.becomes(until.clone(), "left > 1"),
            self.becomes(step.clone(), format!("left = {half}, {half} = (left + 1) / 2")),
        ];
        let body = self.statement(id).header.end..self.statement(id).last;
        let compared = body.clone().filter(|at| self.are(*at, &["<", half]) && self.is_word(at - 1));
        edits.extend(
            compared.map(|at| self.becomes(at - 1..at + 2, format!("{0} + {half} < left", self.token(at - 1)))),
        );
        (edits.len() > 3 && !self.has_word(&body, "left")).then_some(edits)
    }

    /// Where a kernel is launched: the statement.
    fn launch(&self, at: usize) -> Option<usize> {
        self.begins(at).filter(|_| self.is_word(at) && self.are(at + 1, &["<<", "<"]))
    }

    /// A launch by every thread.
    fn launch_by_all(&self, at: usize) -> Option<Remedy> {
        self.launch(at)?;
        Some(vec![Edit::Guard { at: self.place(at), condition: "threadIdx.x == 0".into() }])
    }

    /// A launch before the other threads are done.
    fn launch_unready(&self, at: usize) -> Option<Remedy> {
        let id = self.launch(at)?;
        let list = &self.tree.lists[self.statement(id).list];
        let outer = list.owner.filter(|_| list.role == Role::Then).unwrap_or(id);
        let at = Position::Before { at: self.place(self.statement(outer).first) };
        Some(vec![Edit::InsertBarrier { barrier: BarrierKind::Block, at }])
    }

    /// `atomicAdd(count, 1);`, and then `*count`.
    fn count_read_again(&self, at: usize) -> Option<Remedy> {
        let (arguments, end) = self.call_of(at, |name| name == "atomicAdd")?;
        self.begins(at)?;
        let [pointer, added] = &arguments[..] else { return None };
        let (pointer, added) = (self.code(pointer.clone()), self.code(added.clone()));
        let is_read = |at: &usize| {
            self.are(*at, &["*", pointer]) && !self.is_word(at - 1) && ![")", "]"].contains(&self.before(*at))
        };
        let read = (end..self.scan.tokens.len().min(end + 24)).find(is_read)?;
        let (end, value) = match self.are(read + 2, &["-", added]) {
            true => (read + 4, "before".into()),
            false => (read + 2, format!("(before + {added})")),
        };
        Some(vec![self.becomes(at..at + 1, "const auto before = atomicAdd"), self.becomes(read..end, value)])
    }

    /// What one lane gives the next is what all want.
    fn exchange(&self, at: usize) -> Option<Remedy> {
        let is_it = ["__shfl_down_sync", "__shfl_up_sync"].contains(&self.token(at));
        is_it.then(|| vec![self.becomes(at..at + 1, "__shfl_xor_sync")])
    }

    /// A shuffle of smaller groups, or over twice the distance.
    fn widths(&self, at: usize) -> Vec<Remedy> {
        let Some((arguments, _)) = self.call_of(at, |name| name.starts_with("__shfl")) else { return Vec::new() };
        let [_, _, by] = &arguments[..] else { return Vec::new() };
        let with = |width| vec![self.becomes(by.clone(), format!("{}, {width}", self.code(by.clone())))];
        let widths = [16, 8, 4].map(with);
        let distance = self.code(by.clone()).parse::<u32>().ok().filter(|by| *by < 16);
        let twice = distance.map(|distance| vec![self.becomes(by.clone(), (2 * distance).to_string())]);
        widths.into_iter().chain(twice).collect()
    }

    /// `n / 32` where a last part that is not full counts too.
    fn rounded(&self, at: usize) -> Option<Remedy> {
        let start = at.checked_sub(1).filter(|_| self.token(at) == "/").and_then(|end| self.chain_start(end))?;
        let end = self.operand_end(at + 1)?;
        let (all, by) = (self.code(start..at), self.code(at + 1..end));
        let is_loop_step = self.before(start) == "=" && self.token(start.wrapping_sub(2)) == all;
        (by != "2" && !is_loop_step).then(|| vec![self.becomes(start..end, format!("(({all} + {by} - 1) / {by})"))])
    }

    /// The token after a number, or a name with what belongs to it.
    fn operand_end(&self, at: usize) -> Option<usize> {
        let is_number = self.token(at).starts_with(|c: char| c.is_ascii_digit());
        if is_number { Some(at + 1) } else { self.chain_end(at, self.scan.tokens.len()) }
    }

    /// `tile[y][x]`
    fn transposed(&self, at: usize) -> Option<Remedy> {
        if self.token(at) != "[" || self.before(at) == "]" || self.token(self.pair(at) + 1) != "[" {
            return None;
        }
        let (middle, second) = (self.pair(at), self.pair(at) + 1);
        let (one, other) = (at + 1..middle, second + 1..self.pair(second));
        let (y, x) = (self.code(one), self.code(other));
        (x != y).then(|| vec![self.becomes(at..self.pair(second) + 1, format!("[{x}][{y}]"))])
    }

    /// `!=` a bound that is jumped over.
    fn jumped_over(&self, at: usize) -> Option<Remedy> {
        (self.token(at) == "!=").then(|| vec![self.becomes(at..at + 1, "<")])
    }

    /// One more or less.
    fn comparison(&self, at: usize) -> Option<Remedy> {
        let other = match self.token(at) {
            "<=" => "<",
            "<" => "<=",
            ">" => ">=",
            ">=" => ">",
            _ => return None,
        };
        // Brackets of a template have no space before them.
        self.text[..self.byte(at)].ends_with(' ').then(|| vec![self.becomes(at..at + 1, other)])
    }

    /// `n - 1`, `i + 1`: without it.
    fn one_off(&self, at: usize) -> Option<Remedy> {
        let is_it = ["+", "-"].contains(&self.token(at)) && self.token(at + 1) == "1" && at > 0;
        let is_whole = [")", "]", ";", ","].contains(&self.token(at + 2));
        let end = at.checked_sub(1).filter(|end| is_it && is_whole && self.is_word(*end))?;
        Some(vec![self.becomes(end..at + 2, self.token(end))])
    }

    /// A power of two that is not this one.
    fn other_power(&self, at: usize) -> Vec<Remedy> {
        let value = self.token(at).parse().ok().filter(|value: &u32| value.is_power_of_two() && *value > 3);
        let others = value.into_iter().flat_map(|value| [value / 2, value / 4, 2 * value]);
        others.map(|other| vec![self.becomes(at..at + 1, other.to_string())]).collect()
    }
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
        let source = Source::parse(text).unwrap();
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
            ("x = __any_sync(ALL & ~mine, y);", "x = ((__ballot_sync(0xffffffff, y) & (ALL & ~mine)) != 0);"),
            ("m = __activemask(); k = __popc(__activemask());", "m = __activemask(); k = __popc(m);"),
            ("i = atomicInc(count, 1u);", "i = atomicAdd(count, 1u);"),
            ("if (i == n / 4 && n % 4) f();", "if (i == 0 && n % 4) f();"),
            ("if (all) child<<<1, 64>>>(row);", "if (all && threadIdx.x == 0) child<<<1, 64>>>(row);"),
            ("child<<<1, 64>>>(row);", "if (threadIdx.x == 0) child<<<1, 64>>>(row);"),
            ("child<<<1, 64>>>(row);", "__syncthreads();\n    child<<<1, 64>>>(row);"),
            ("atomicAdd(p, 1); x = *p - 1;", "const auto before = atomicAdd(p, 1); x = before;"),
            ("atomicAdd(p, 1); x = *p;", "const auto before = atomicAdd(p, 1); x = (before + 1);"),
            ("x = __shfl_down_sync(~0u, y, 1);", "x = __shfl_xor_sync(~0u, y, 1);"),
            ("x = __shfl_down_sync(~0u, y, 1);", "x = __shfl_down_sync(~0u, y, 2);"),
            ("x = __shfl_xor_sync(~0u, y, by);", "x = __shfl_xor_sync(~0u, y, by, 8);"),
            ("if (lane < blockDim.x / 32) f();", "if (lane < ((blockDim.x + 32 - 1) / 32)) f();"),
            ("x = tile[t][i + 1];", "x = tile[i + 1][t];"),
            ("if (i < n - 1) f();", "if (i < n) f();"),
            ("if (first + 32 != n) f();", "if (first + 32 < n) f();"),
            ("auto g = tiled_partition<32>(b);", "auto g = tiled_partition<8>(b);"),
            (
                "sum += __shfl_up_sync(m, sum, by);",
                "const auto other = __shfl_up_sync(m, sum, by);\n    if (threadIdx.x % 32 >= by) sum += other;",
            ),
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
