//! Changes written as C++ that may help near a line, by the names and numbers that stand there.

use super::bound::Subscript;
use super::guesses::named;
use super::statements::{Function, StatementKind};
use super::{Parameter, SourceFile};
use finding::{BarrierKind, Edit, Position, Remedy, SourceLocation};
use std::ops::Range;

/// The most suggestions of one kind near one line: each is compiled.
const MOST: usize = 8;

/// Replacements for a read of an element: nothing where it is outside, or the nearest one inside.
const READS: [(&str, &str); 4] = [
    ("$a[$i - $b]", "($i >= $b ? $a[$i - $b] : 0)"),
    ("$a[$i]", "({$i} < COUNT ? $a[$i] : 0)"),
    ("$a[$i - $b]", "$a[max($i - $b, 0)]"),
    ("$a[$i]", "$a[min($i, COUNT - 1)]"),
];

impl SourceFile {
    /// The statement only where a name in one of its indices is smaller than a parameter.
    pub fn guards(&self, at: &SourceLocation) -> Vec<Edit> {
        let mut conditions: Vec<String> = Vec::new();
        for Subscript { element, index, .. } in self.subscripts(at) {
            let counts = self.function_of(element.start).map_or(Vec::new(), |function| self.integers(function));
            let names = index.clone().filter(|at| self.is_variable(*at)).map(|at| self.token(at));
            let names: Vec<&str> = names.filter(|name| counts.iter().all(|count| count != name)).collect();
            conditions.extend(self.at_least(&index));
            // The last is the fastest, and compared with the width, which comes first.
            for count in &counts {
                conditions.extend(names.iter().rev().map(|name| format!("{name} < {count}")));
            }
        }
        let mut edits = Vec::new();
        for condition in conditions {
            let edit = Edit::Guard { at: at.clone(), condition };
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        edits.truncate(MOST);
        edits
    }

    /// Returns edits that read an element only where its index is inside.
    pub fn bounded_reads(&self, at: &SourceLocation) -> Vec<Remedy> {
        let subscripts = self.subscripts(at).into_iter().map(|it| it.element).filter(|element| {
            let (before, next) = (self.token(element.start.wrapping_sub(1)), self.token(element.end));
            !self.is_assignment(element.end) && ![before, next].iter().any(|sign| ["&", "++", "--"].contains(sign))
        });
        let of_one = |element: Range<usize>| {
            READS.iter().flat_map(move |(written, meant)| self.by_rule(element.start, written, meant))
        };
        subscripts.flat_map(of_one).map(|edits| named(edits, &at.file)).take(MOST).collect()
    }

    /// Returns the condition that `a - b` is no less than 0, also where it has no sign.
    fn at_least(&self, index: &Range<usize>) -> Option<String> {
        let sign =
            self.outside_brackets(index.clone()).rfind(|at| self.token(*at) == "-").filter(|at| *at > index.start)?;
        Some(format!("{} >= {}", self.code(index.start..sign), self.code(sign + 1..index.end)))
    }

    /// The shared variables that the line names are 0 at first, and local ones that are declared without a value.
    pub fn initialised(&self, at: &SourceLocation) -> Vec<Remedy> {
        let shared = self.shared_here(at).into_iter().map(|(id, declared)| {
            let name = self.token(declared);
            let (open, close) = (declared + 1, self.pair(declared + 1));
            let by_one = |done: String| format!("if (threadIdx.x + threadIdx.y == 0) {done};");
            let statement = match (self.token(open), self.token(close + 1)) {
                ("[", "[") => by_one(format!("memset(&{name}, 0, sizeof({name}))")),
                ("[", _) => {
                    let count = self.code(open + 1..close);
                    format!("for (int i = threadIdx.x; i < {count}; i += blockDim.x) {name}[i] = 0;")
                }
                _ => by_one(format!("{name} = 0")),
            };
            let place = Position::After { at: self.place(self.statement(id).first) };
            let barrier = Edit::InsertBarrier { barrier: BarrierKind::Block, at: place.clone() };
            named(vec![Edit::Insert { statement, at: place }, barrier], &at.file)
        });
        let here = self.function_of_line(at.line).map_or(0..0, |function| function.body.0..function.body.1);
        let own = (0..self.tree.statements.len()).filter(|id| here.contains(&self.statement(*id).first));
        let declared = own.filter(|id| {
            let is_shared = ["extern", "__shared__"].iter().any(|word| self.has_word(&self.extent(*id), word));
            self.statement(*id).kind == StatementKind::Simple && self.is_declaration(*id) && !is_shared
        });
        let parts = declared.flat_map(|id| self.split(self.statement(id).first..self.statement(id).last, ","));
        let without = parts.filter(|part| !["=", "(", "{"].iter().any(|sign| self.has_word(part, sign)));
        let valued = without.map(|part| {
            let value = if self.token(part.end - 1) == "]" { "{}" } else { "0" };
            let code = format!("{} = {value}", self.code(part.clone()));
            named(vec![self.becomes(part, code)], &at.file)
        });
        shared.chain(valued).collect()
    }

    /// Threads without an element leave the kernel of this line, if none waits for them.
    pub fn returns(&self, at: &SourceLocation) -> Vec<Edit> {
        let Some(function) = self.function_of_line(at.line) else { return Vec::new() };
        let body = function.body.0..function.body.1;
        if !self.has_word(&function.head, "__global__") || self.is_together(&body) {
            return Vec::new();
        }
        let own = (0..self.tree.statements.len()).filter(|id| {
            let first = self.statement(*id).first;
            body.contains(&first) && self.statement(*id).kind == StatementKind::Simple && self.is_declaration(*id)
        });
        let of_thread = own.filter(|id| self.has_word(&self.extent(*id), "threadIdx"));
        let name = |id| Some((id, self.token(self.declarator(&self.extent(id)).last()?)));
        let names: Vec<(usize, &str)> = of_thread.filter_map(name).collect();
        let counts = self.integers(function);
        let conditions = match names[..] {
            [(id, x)] => counts.iter().map(|n| (id, format!("{x} >= {n}"))).collect(),
            [(_, y), (id, x)] => {
                let pairs = counts.iter().flat_map(|n| counts.iter().map(move |m| (n, m)));
                pairs.map(|(n, m)| (id, format!("{x} >= {n} || {y} >= {m}"))).collect()
            }
            _ => Vec::new(),
        };
        let edits = conditions.into_iter().map(|(id, condition)| {
            let after = SourceLocation { file: at.file.clone(), ..self.place(self.statement(id).first) };
            Edit::Insert { statement: format!("if ({condition}) return;"), at: Position::After { at: after } }
        });
        edits.take(MOST).collect()
    }

    /// The names of a function's integers.
    pub(super) fn integers(&self, function: &Function) -> Vec<String> {
        const TYPES: [&str; 11] = [
            "const", "int", "unsigned", "signed", "long", "short", "size_t", "int32_t", "uint32_t", "int64_t",
            "uint64_t",
        ];
        let is_integer = |parameter: &Parameter| {
            let ty = parameter.ty.replace("std::", "");
            !ty.is_empty() && ty.split(' ').all(|word| TYPES.contains(&word)) && !parameter.name.is_empty()
        };
        self.parameters_of(function).into_iter().filter(is_integer).map(|parameter| parameter.name).collect()
    }

    /// A name by itself, which is no constant's and no type's.
    fn is_variable(&self, at: usize) -> bool {
        let apart = |at: usize| [".", "->", "::"].contains(&self.token(at));
        let name = self.token(at);
        self.is_word(at)
            && !apart(at.wrapping_sub(1))
            && !apart(at + 1)
            && !["(", "["].contains(&self.token(at + 1))
            && name.contains(|c: char| c.is_lowercase())
            && !["int", "unsigned", "sizeof", "long", "size_t"].contains(&name)
    }
}
