//! Small changes of expressions that no edit names: another index, stride, bound, width or condition.
//!
//! Where a compiler is at hand each can be tried, so none needs to be likely. A rule is a mistake that beginners make, and what
//! they meant.

use super::line_starts;
use super::scan::{Kind, Scan, Token, scan};
use finding::{TextEdit, TextPosition};
use std::ops::Range;

/// Changes of one file, the likeliest first; `lines` are those that a finding names, and what is near them comes first.
pub fn guesses(source: &str, lines: &[u32]) -> Vec<Vec<TextEdit>> {
    let Ok(Scan { tokens, .. }) = scan(source) else { return Vec::new() };
    let code = Code { source, tokens: &tokens, starts: line_starts(source) };
    let mut all: Vec<Guess> = (0..tokens.len()).flat_map(|at| code.at(at)).collect();
    let distance = |line: u32| lines.iter().map(|one| one.abs_diff(line)).min().unwrap_or(0);
    all.sort_by_key(|guess| (guess.rank, distance(guess.line)));
    all.into_iter().map(|guess| guess.edits.iter().map(|edit| code.edit(edit)).collect()).collect()
}

/// A range of bytes, and what takes its place.
type Replacement = (Range<usize>, String);

struct Guess {
    rank: Rank,
    line: u32,
    /// In order.
    edits: Vec<Replacement>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What stands there is seldom meant.
    Mistake,
    /// It may be meant.
    Other,
    /// Anything may be meant.
    Any,
}

struct Code<'a> {
    source: &'a str,
    tokens: &'a [Token],
    starts: Vec<usize>,
}

impl Code<'_> {
    /// What may be meant by what begins at a token.
    fn at(&self, at: usize) -> Vec<Guess> {
        let mistakes = [
            self.index(at),
            self.stride(at),
            self.scan_without_end(at),
            self.own_ballot(at),
            self.mask_again(at),
            self.launch_by_all(at),
            self.launch_unready(at),
            self.count_read_again(at),
        ];
        let guess = |rank| move |edits| Guess { rank, line: self.tokens[at].line, edits };
        let mistakes = mistakes.into_iter().flatten().map(guess(Rank::Mistake));
        let others = self.left_early(at).into_iter().chain(self.exchange(at)).chain(self.widths(at));
        let any = self.comparison(at).into_iter().chain(self.number(at));
        mistakes.chain(others.map(guess(Rank::Other))).chain(any.map(guess(Rank::Any))).collect()
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.source[token.bytes.clone()])
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |at| self.text(at))
    }

    fn bytes(&self, tokens: Range<usize>) -> Range<usize> {
        self.tokens[tokens.start].bytes.start..self.tokens[tokens.end - 1].bytes.end
    }

    fn of(&self, tokens: Range<usize>) -> &str {
        if tokens.is_empty() { "" } else { &self.source[self.bytes(tokens)] }
    }

    fn are(&self, at: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.text(at + offset) == *word)
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// A statement of a list of them begins here.
    fn begins(&self, at: usize) -> bool {
        matches!(self.before(at), ";" | "{" | "}")
    }

    fn line_has(&self, at: usize, word: &str) -> bool {
        let line = self.tokens[at].line;
        (0..self.tokens.len()).any(|other| self.tokens[other].line == line && self.text(other) == word)
    }

    /// The arguments of the call whose `(` is at `open`.
    fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        let close = self.tokens[open].pair;
        let (mut all, mut from, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            match self.text(at) {
                "(" | "[" | "{" => at = self.tokens[at].pair,
                "," => {
                    all.push(from..at);
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        all.push(from..close);
        all
    }

    /// The first `;` from here on.
    fn end(&self, at: usize) -> Option<usize> {
        (at..self.tokens.len()).find(|at| self.text(*at) == ";")
    }

    /// A new line before that of a token.
    fn line_before(&self, at: usize, code: &str) -> Replacement {
        let start = self.starts[self.tokens[at].line as usize - 1];
        let line = &self.source[start..];
        let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        (start..start, format!("{indent}{code}\n"))
    }

    fn edit(&self, (bytes, text): &Replacement) -> TextEdit {
        let position = |byte: usize| {
            let line = self.starts.partition_point(|start| *start <= byte);
            let column = self.source[self.starts[line - 1]..byte].chars().count() + 1;
            TextPosition { line: line as u32, column: column as u32 }
        };
        TextEdit { start: position(bytes.start), end: position(bytes.end), text: text.clone() }
    }

    /// `= threadIdx.x;` of a grid with more than one block.
    fn index(&self, at: usize) -> Option<Vec<Replacement>> {
        let is_it = self.before(at) == "=" && self.are(at, &["threadIdx", ".", "x", ";"]);
        is_it.then(|| vec![(self.bytes(at..at + 3), "blockIdx.x * blockDim.x + threadIdx.x".into())])
    }

    /// `+= blockDim.x` in a loop of the grid's.
    fn stride(&self, at: usize) -> Option<Vec<Replacement>> {
        let is_it = self.before(at) == "+=" && self.are(at, &["blockDim", ".", "x"]) && !self.line_has(at, "gridDim");
        is_it.then(|| vec![(self.bytes(at..at + 3), "gridDim.x * blockDim.x".into())])
    }

    /// `sum += __shfl_up_sync(...)`: lanes at the end get their own value back.
    fn scan_without_end(&self, at: usize) -> Option<Vec<Replacement>> {
        let call = at + 2;
        let condition = match self.text(call) {
            "__shfl_up_sync" => |by: &str| format!("threadIdx.x % 32 >= {by}"),
            "__shfl_down_sync" => |by: &str| format!("threadIdx.x % 32 + {by} < 32"),
            _ => return None,
        };
        if !self.begins(at) || self.text(at + 1) != "+=" || self.text(call + 1) != "(" {
            return None;
        }
        let close = self.tokens[call + 1].pair;
        let [_, _, by] = &self.arguments(call + 1)[..] else { return None };
        let (name, by) = (self.text(at), self.of(by.clone()));
        let declared = self.line_before(at, &format!("const auto other = {};", self.of(call..close + 1)));
        let guarded = format!("if ({}) {name} += other", condition(by));
        (self.text(close + 1) == ";").then(|| vec![declared, (self.bytes(at..close + 1), guarded)])
    }

    /// `__ballot_sync(others, vote)`: a mask of the lane's own.
    fn own_ballot(&self, at: usize) -> Option<Vec<Replacement>> {
        if self.text(at) != "__ballot_sync" || self.text(at + 1) != "(" {
            return None;
        }
        let [mask, _] = &self.arguments(at + 1)[..] else { return None };
        let close = self.tokens[at + 1].pair;
        let is_it = mask.len() == 1 && self.is_word(mask.start) && self.text(close + 1) == ";";
        let end = self.tokens[close].bytes.end;
        let kept = format!(" & {}", self.of(mask.clone()));
        is_it.then(|| vec![(self.bytes(mask.clone()), "0xffffffff".into()), (end..end, kept)])
    }

    /// `__activemask()` where its first answer has a name.
    fn mask_again(&self, at: usize) -> Option<Vec<Replacement>> {
        let call = ["__activemask", "(", ")"];
        let first =
            (2..at).find(|first| self.are(*first, &call) && self.before(*first) == "=" && self.is_word(first - 2))?;
        self.are(at, &call).then(|| vec![(self.bytes(at..at + 3), self.text(first - 2).to_string())])
    }

    /// Where a kernel is launched: its name, and where the statement with its condition begins.
    fn launch(&self, at: usize) -> Option<(usize, usize)> {
        if !self.is_word(at) || !self.are(at + 1, &["<<", "<"]) {
            return None;
        }
        let condition = at.checked_sub(1).filter(|close| self.text(*close) == ")").map(|close| self.tokens[close].pair);
        let begin = condition.filter(|open| self.before(*open) == "if").map_or(at, |open| open - 1);
        self.begins(begin).then_some((at, begin))
    }

    /// A launch by every thread.
    fn launch_by_all(&self, at: usize) -> Option<Vec<Replacement>> {
        let (name, begin) = self.launch(at)?;
        let start = self.tokens[name].bytes.start;
        Some(match begin == name {
            true => vec![(start..start, "if (threadIdx.x == 0) ".into())],
            false => {
                let close = self.tokens[name - 1].bytes.start;
                vec![(close..close, " && threadIdx.x == 0".into())]
            }
        })
    }

    /// A launch before the other threads are done.
    fn launch_unready(&self, at: usize) -> Option<Vec<Replacement>> {
        let (_, begin) = self.launch(at)?;
        Some(vec![self.line_before(begin, "__syncthreads();")])
    }

    /// `atomicAdd(count, 1);`, and then `*count`.
    fn count_read_again(&self, at: usize) -> Option<Vec<Replacement>> {
        if !self.begins(at) || !self.are(at, &["atomicAdd", "("]) {
            return None;
        }
        let [pointer, added] = &self.arguments(at + 1)[..] else { return None };
        let (pointer, added) = (self.of(pointer.clone()), self.of(added.clone()));
        let begin = self.end(at)? + 1;
        let read = (begin..self.tokens.len().min(begin + 24)).find(|it| {
            self.are(*it, &["*", pointer])
                && self.tokens[it - 1].kind == Kind::Sign
                && !matches!(self.before(*it), ")" | "]")
        })?;
        let is_old = self.are(read + 2, &["-", added]);
        let (end, value) = if is_old { (read + 4, "before".into()) } else { (read + 2, format!("(before + {added})")) };
        let start = self.tokens[at].bytes.start;
        Some(vec![(start..start, "const auto before = ".into()), (self.bytes(read..end), value)])
    }

    /// `if (none) return;` before something that all threads must do: they bring a 0, or do nothing else.
    fn left_early(&self, at: usize) -> Vec<Vec<Replacement>> {
        if !self.are(at, &["if", "("]) {
            return Vec::new();
        }
        let close = self.tokens[at + 1].pair;
        let line = self.tokens[at].line as usize;
        let Some(end) = self.starts.get(line).filter(|_| self.are(close + 1, &["return", ";"])) else {
            return Vec::new();
        };
        let gone = (self.starts[line - 1]..*end, String::new());
        let condition = at + 2..close;
        let brings = || {
            let end = self.end(close + 3)?;
            let assigned = (close + 3..end).find(|it| self.text(*it) == "=")?;
            let start = self.tokens[assigned + 1].bytes.start;
            Some(vec![gone.clone(), (start..start, format!("{} ? 0 : ", self.of(condition.clone())))])
        };
        let stays = || {
            let (mut edits, mut begin) = (vec![gone.clone()], close + 3);
            while self.text(begin) != "}" {
                let end = self.end(begin)?;
                // No declaration and no branch: what is one statement may become conditional.
                let is_plain =
                    !self.is_word(begin + 1) && !matches!(self.text(begin), "for" | "if" | "while" | "do" | "{");
                if !is_plain {
                    return None;
                }
                if !self.of(begin..end).contains("sync") {
                    let start = self.tokens[begin].bytes.start;
                    edits.push((start..start, format!("if ({}) ", self.otherwise(condition.clone()))));
                }
                begin = end + 1;
            }
            Some(edits)
        };
        brings().into_iter().chain(stays()).collect()
    }

    /// The condition turned into its opposite.
    fn otherwise(&self, condition: Range<usize>) -> String {
        let at = condition.start;
        match (condition.len(), self.text(at + 1)) {
            (3, ">=") => format!("{} < {}", self.text(at), self.text(at + 2)),
            (3, ">") => format!("{} <= {}", self.text(at), self.text(at + 2)),
            _ => format!("!({})", self.of(condition)),
        }
    }

    /// What one lane gives the next is what all want.
    fn exchange(&self, at: usize) -> Option<Vec<Replacement>> {
        let is_it = matches!(self.text(at), "__shfl_down_sync" | "__shfl_up_sync");
        is_it.then(|| vec![(self.bytes(at..at + 1), "__shfl_xor_sync".into())])
    }

    /// A shuffle of smaller groups.
    fn widths(&self, at: usize) -> Vec<Vec<Replacement>> {
        if !self.text(at).starts_with("__shfl") || self.text(at + 1) != "(" || self.arguments(at + 1).len() != 3 {
            return Vec::new();
        }
        let end = self.tokens[self.tokens[at + 1].pair].bytes.start;
        [16, 8, 4].map(|width| vec![(end..end, format!(", {width}"))]).into()
    }

    /// One more or less, and a bound that is jumped over.
    fn comparison(&self, at: usize) -> Option<Vec<Replacement>> {
        let bytes = self.tokens[at].bytes.clone();
        let other = match self.text(at) {
            "!=" | "<=" => "<",
            "<" => "<=",
            ">" => ">=",
            ">=" => ">",
            _ => return None,
        };
        // Brackets of a template have no space before them.
        self.source[..bytes.start].ends_with(' ').then(|| vec![(bytes, other.into())])
    }

    /// A power of two that is not this one.
    fn number(&self, at: usize) -> Vec<Vec<Replacement>> {
        let value = self.text(at).parse().ok().filter(|value: &u32| value.is_power_of_two() && *value > 3);
        let others = value.into_iter().flat_map(|value| [value / 2, value / 4, 2 * value]);
        others.map(|other| vec![(self.bytes(at..at + 1), other.to_string())]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::apply;

    /// The changed sources, the likeliest first.
    fn guessed(source: &str) -> Vec<String> {
        guesses(source, &[2]).iter().map(|edits| apply(source, edits)).collect()
    }

    #[test]
    fn what_beginners_mistake_and_what_they_meant() {
        for (written, meant) in [
            ("int i = threadIdx.x;", "int i = blockIdx.x * blockDim.x + threadIdx.x;"),
            ("for (; i < n; i += blockDim.x) f();", "for (; i < n; i += gridDim.x * blockDim.x) f();"),
            ("votes = __ballot_sync(others, x < 0);", "votes = __ballot_sync(0xffffffff, x < 0) & others;"),
            ("m = __activemask(); k = __popc(__activemask());", "m = __activemask(); k = __popc(m);"),
            ("if (all) child<<<1, 64>>>(row);", "if (all && threadIdx.x == 0) child<<<1, 64>>>(row);"),
            ("child<<<1, 64>>>(row);", "if (threadIdx.x == 0) child<<<1, 64>>>(row);"),
            ("child<<<1, 64>>>(row);", "__syncthreads();\n    child<<<1, 64>>>(row);"),
            ("atomicAdd(p, 1); int at = *p - 1;", "const auto before = atomicAdd(p, 1); int at = before;"),
            ("atomicAdd(p, 2); int at = *p;", "const auto before = atomicAdd(p, 2); int at = (before + 2);"),
            ("x = __shfl_up_sync(~0u, y, 0);", "x = __shfl_up_sync(~0u, y, 0, 8);"),
            ("x = __shfl_down_sync(~0u, y, 1);", "x = __shfl_xor_sync(~0u, y, 1);"),
            ("if (first + 32 != n) f();", "if (first + 32 < n) f();"),
            ("auto g = tiled_partition<32>(b);", "auto g = tiled_partition<8>(b);"),
            (
                "sum += __shfl_up_sync(m, sum, by);",
                "const auto other = __shfl_up_sync(m, sum, by);\n    if (threadIdx.x % 32 >= by) sum += other;",
            ),
        ] {
            let source = |body: &str| format!("__global__ void k() {{ // {{\n    {body}\n}}\n");
            let all = guessed(&source(written));
            assert!(all.contains(&source(meant)), "{written}: {all:#?}");
        }
    }

    #[test]
    fn threads_that_left_early_stay_and_bring_nothing() {
        let source =
            "void k() {\n    if (i >= n) return;\n    s[t] = in[i];\n    __syncthreads();\n    out[i] = s[0];\n}\n";
        let all = guessed(source);
        let brings = "void k() {\n    s[t] = i >= n ? 0 : in[i];\n    __syncthreads();\n    out[i] = s[0];\n}\n";
        let stays =
            "void k() {\n    if (i < n) s[t] = in[i];\n    __syncthreads();\n    if (i < n) out[i] = s[0];\n}\n";
        assert!(all.iter().any(|one| one == brings) && all.iter().any(|one| one == stays), "{all:#?}");
    }

    #[test]
    fn what_is_near_a_finding_comes_first_and_what_is_unreadable_has_none() {
        let source = "void k() {\n    a = b + 8;\n    c = d + 16;\n}\n";
        let first = apply(source, &guesses(source, &[3])[0]);
        assert_eq!(first, source.replace("16", "8"));
        assert_eq!(guesses("void k() {", &[1]), Vec::<Vec<TextEdit>>::new());
    }
}
