//! Changes written as C++ that may help near a line, by the names and numbers that stand there.

use super::bound::Subscript;
use super::guesses::named;
use super::statements::{Function, Kind, Role};
use super::{Parameter, Source, location};
use finding::{BarrierKind, Edit, Position, Remedy, SourceLocation};
use std::ops::Range;

/// Of one kind near one line, at most: each is compiled.
const MOST: usize = 4;

impl Source {
    /// The statement only where a name in one of its indices is smaller than a parameter: in `d[y * width + x]` `y` is not
    /// compared with `width`, and `x` is.
    pub fn guards(&self, at: &SourceLocation) -> Vec<Edit> {
        let mut ranked: Vec<(usize, String)> = Vec::new();
        for Subscript { element, index, .. } in self.subscripts(at) {
            let Some(function) = self.function_of(element.start) else { continue };
            ranked.extend(self.at_least(&index).map(|condition| (1, condition)));
            let counts = self.integers(function);
            let is_count = |name: &str| counts.iter().any(|count| count == name);
            let widths: Vec<&str> = index.clone().map(|at| self.token(at)).filter(|name| is_count(name)).collect();
            for name in index.clone().filter(|at| self.is_variable(*at) && !is_count(self.token(*at))) {
                let beside = [name.wrapping_sub(2), name + 2];
                let times =
                    [name.wrapping_sub(1), name + 1].into_iter().any(|at| index.contains(&at) && self.token(at) == "*");
                let is_own_width =
                    |count: &str| times && beside.into_iter().any(|at| index.contains(&at) && self.token(at) == count);
                for count in &counts {
                    let rank = match times {
                        _ if is_own_width(count) => continue,
                        true => 0,
                        false if widths.is_empty() => 2,
                        false if widths.contains(&count.as_str()) => 1,
                        false => continue,
                    };
                    let name = self.token(name);
                    if !self.is_compared(function, name, count) {
                        ranked.push((rank, format!("{name} < {count}")));
                    }
                }
            }
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut edits = Vec::new();
        for (_, condition) in ranked {
            let edit = Edit::Guard { at: at.clone(), condition };
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        edits.truncate(MOST);
        edits
    }

    /// What is read only where its index is smaller than a parameter, else 0.
    pub fn bounded_reads(&self, at: &SourceLocation) -> Vec<Edit> {
        let mut edits = Vec::new();
        for Subscript { element, index, .. } in self.subscripts(at) {
            let Some(function) = self.function_of(element.start) else { continue };
            let next = self.token(element.end);
            let before = self.token(element.start.wrapping_sub(1));
            let written = self.is_assignment(element.end) || ["++", "--"].contains(&next);
            if written || ["&", "++", "--"].contains(&before) || self.has_effects(index.clone()) {
                continue;
            }
            let is_whole = ["(", ",", "=", "return"].contains(&before) && [")", ",", ";"].contains(&next);
            let (open, close) = if is_whole { ("", "") } else { ("(", ")") };
            let old = self.code(element.clone()).to_string();
            let mut conditions: Vec<String> = self.at_least(&index).into_iter().collect();
            conditions.extend(self.integers(function).iter().map(|count| self.below(&index, count)));
            for condition in conditions {
                let new = format!("{open}{condition} ? {old} : 0{close}");
                edits.push(Edit::Rewrite { at: at.clone(), old: old.clone(), new });
            }
            // Or what is nearest inside.
            let (array, index) = (self.code(element.start..index.start), self.code(index));
            let nearest =
                |new: String| Edit::Rewrite { at: at.clone(), old: old.clone(), new: format!("{array}{new}]") };
            let last = self.integers(function).into_iter().next().map(|count| format!("min({index}, {count} - 1)"));
            edits.extend(last.map(nearest));
            edits.extend(index.contains('-').then(|| nearest(format!("max({index}, 0)"))));
        }
        edits.truncate(2 * MOST);
        edits
    }

    /// Of `a - b` that it is no less than 0, also where it has no sign.
    fn at_least(&self, index: &Range<usize>) -> Option<String> {
        let sign =
            self.outside_brackets(index.clone()).rfind(|at| self.token(*at) == "-").filter(|at| *at > index.start)?;
        Some(format!("{} >= {}", self.code(index.start..sign), self.code(sign + 1..index.end)))
    }

    /// The shared arrays that the line names, with room for one or two more, or twice as many, in one of their dimensions.
    pub fn larger(&self, at: &SourceLocation) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (_, declared) in self.shared_here(at) {
            let mut open = declared + 1;
            while self.token(open) == "[" && self.pair(open) > open + 1 {
                let size = self.code(open + 1..self.pair(open));
                for more in [format!("[{size} + 1]"), format!("[{size} + 2]"), format!("[2 * ({size})]")] {
                    edits.extend(named(vec![self.becomes(open..self.pair(open) + 1, more)], &at.file));
                }
                open = self.pair(open) + 1;
            }
        }
        edits
    }

    /// The shared variables that the line names are 0 at first, and local ones that are declared without a value.
    pub fn initialised(&self, at: &SourceLocation) -> Vec<Remedy> {
        let mut all = Vec::new();
        for (id, declared) in self.shared_here(at) {
            let sizes: Vec<&str> = self.sizes(declared);
            let name = self.token(declared);
            let statement = match &sizes[..] {
                [] => format!("if (threadIdx.x + threadIdx.y == 0) {name} = 0;"),
                [""] => continue,
                sizes => {
                    let element = match sizes.len() {
                        1 => name.to_string(),
                        more => format!("(&{name}{})", "[0]".repeat(more)),
                    };
                    let count = sizes
                        .iter()
                        .map(|size| if size.contains(' ') { format!("({size})") } else { size.to_string() });
                    let count = count.collect::<Vec<_>>().join(" * ");
                    match self.mentions("threadIdx.y") {
                        false => format!("for (int i = threadIdx.x; i < {count}; i += blockDim.x) {element}[i] = 0;"),
                        true => format!(
                            "for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < {count}; i += blockDim.x * blockDim.y) {element}[i] = 0;"
                        ),
                    }
                }
            };
            let place = Position::After { at: self.place(self.statement(id).first) };
            let barrier = Edit::InsertBarrier { barrier: BarrierKind::Block, at: place.clone() };
            all.push(named(vec![Edit::Insert { statement, at: place }, barrier], &at.file));
        }
        let words =
            self.statements_at(at).into_iter().flat_map(|id| self.own_tokens(id)).map(|at| self.token(at)).collect();
        all.extend(self.valued(at, Some(words)));
        all
    }

    /// The variables of the line's function that are declared without a value are 0 at first; of these names, if some are given.
    pub fn valued(&self, at: &SourceLocation, names: Option<Vec<&str>>) -> Vec<Remedy> {
        let plain = |id: &usize| {
            let own = self.statement(*id).first..self.statement(*id).last;
            self.statement(*id).kind == Kind::Simple
                && self.is_declaration(*id)
                && !self.outside_brackets(own.clone()).any(|at| ["=", "(", "{"].contains(&self.token(at)))
                && !["extern", "__shared__"].iter().any(|word| self.has_word(&own, word))
        };
        let here = self.function_of_line(at.line).map(|function| function.body.0..function.body.1).unwrap_or_default();
        let mut all = Vec::new();
        for id in (0..self.tree.statements.len()).filter(|id| here.contains(&self.statement(*id).first)).filter(plain) {
            for part in self.split(self.statement(id).first..self.statement(id).last, ",") {
                let name = self.declarator(&part).last().map(|name| self.token(name));
                let is_meant = name.is_some_and(|name| names.as_ref().is_none_or(|names| names.contains(&name)));
                let value = if self.token(part.end - 1) == "]" { "{}" } else { "0" };
                let code = format!("{} = {value}", self.code(part.clone()));
                all.extend(is_meant.then(|| named(vec![self.becomes(part, code)], &at.file)));
            }
        }
        all
    }

    /// Threads without an element leave the kernel of this line, if none waits for them.
    pub fn returns(&self, at: &SourceLocation) -> Vec<Edit> {
        let Some(function) = self.function_of_line(at.line) else { return Vec::new() };
        let body = function.body.0..function.body.1;
        if !self.has_word(&function.head, "__global__") || self.is_together(&body) {
            return Vec::new();
        }
        let counts = self.integers(function);
        let own = (0..self.tree.statements.len()).filter(|id| {
            let first = self.statement(*id).first;
            body.contains(&first) && self.statement(*id).kind == Kind::Simple && self.is_declaration(*id)
        });
        let parts = own.flat_map(|id| {
            self.split(self.statement(id).first..self.statement(id).last, ",").into_iter().map(move |part| (id, part))
        });
        let names: Vec<(usize, &str)> = parts
            .filter(|(_, part)| self.has_word(part, "threadIdx"))
            .filter_map(|(id, part)| Some((id, self.token(self.declarator(&part).last()?))))
            .collect();
        let mut conditions = Vec::new();
        match names[..] {
            [(id, x)] => conditions.extend(counts.iter().map(|n| (id, format!("{x} >= {n}")))),
            [(_, y), (id, x)] => {
                for (number, n) in counts.iter().enumerate() {
                    let others = counts.iter().enumerate().filter(|(other, _)| *other != number);
                    conditions.extend(others.map(|(_, m)| (id, format!("{y} >= {n} || {x} >= {m}"))));
                    conditions.push((id, format!("{y} >= {n} || {x} >= {n}")));
                }
            }
            _ => {}
        }
        let edits = conditions.into_iter().map(|(id, condition)| {
            let at = Position::After { at: location(self.at(self.byte(self.statement(id).first)), &at.file) };
            Edit::Insert { statement: format!("if ({condition}) return;"), at }
        });
        edits.take(2 * MOST).collect()
    }

    /// The statements that declare the shared variables of this line, and their names there.
    fn shared_here(&self, at: &SourceLocation) -> Vec<(usize, usize)> {
        let used: Vec<usize> = self.statements_at(at).into_iter().flat_map(|id| self.own_tokens(id)).collect();
        let is_used = |declared: usize| {
            let is_it = |at: &usize| {
                *at != declared && self.token(*at) == self.token(declared) && self.is_visible(declared, *at)
            };
            used.iter().any(is_it)
        };
        let declared = self.shared.iter().copied().filter(|declared| is_used(*declared));
        declared
            .filter_map(|declared| {
                Some((
                    (0..self.tree.statements.len()).find(|id| {
                        let own = self.statement(*id).first..self.statement(*id).last + 1;
                        self.statement(*id).kind == Kind::Simple
                            && own.contains(&declared)
                            && self.has_word(&own, "__shared__")
                    })?,
                    declared,
                ))
            })
            .collect()
    }

    /// What stands in the brackets after a declared name.
    fn sizes(&self, declared: usize) -> Vec<&str> {
        let (mut sizes, mut open) = (Vec::new(), declared + 1);
        while self.token(open) == "[" {
            sizes.push(self.code(open + 1..self.pair(open)));
            open = self.pair(open) + 1;
        }
        sizes
    }

    /// The updates that stand in a row with this line's, each split: all have read before one writes.
    pub fn in_step(&self, at: &SourceLocation, barrier: BarrierKind) -> Option<Remedy> {
        let is_update = |id: &usize| {
            let own = self.statement(*id).first..self.statement(*id).last;
            let assigned = self.assignment(*id, &own).filter(|_| self.statement(*id).kind == Kind::Simple);
            assigned.is_some_and(|(object, _, value)| {
                self.token(object.end) != "=" || self.has_word(&value, self.token(object.start))
            })
        };
        let id = self.statements_at(at).into_iter().rfind(is_update)?;
        let list = &self.tree.lists[self.statement(id).list].statements;
        let place = list.iter().position(|one| *one == id)?;
        let before = list[..place].iter().rev().take_while(|id| is_update(id)).count();
        let run: Vec<usize> = list[place - before..].iter().copied().take_while(is_update).collect();
        let edits = run.iter().flat_map(|id| {
            let at = self.place(self.statement(*id).first);
            let after = Edit::InsertBarrier { barrier, at: Position::After { at: at.clone() } };
            [Edit::SplitUpdate { at, barrier }, after]
        });
        (run.len() > 1).then(|| named(edits.collect(), &at.file))
    }

    /// The lines of this function that store to the shared variables which the line names.
    pub fn stores_beside(&self, at: &SourceLocation) -> Vec<u32> {
        let names: Vec<&str> = self.shared_here(at).into_iter().map(|(_, declared)| self.token(declared)).collect();
        let here = self.function_of_line(at.line).map(|function| function.body.0..function.body.1).unwrap_or_default();
        let own = (0..self.tree.statements.len()).filter(|id| here.contains(&self.statement(*id).first));
        let stored = own.filter_map(|id| {
            let statement = self.statement(id);
            let (object, ..) = self.assignment(id, &(statement.first..statement.last))?;
            let is_meant = statement.kind == Kind::Simple && object.clone().any(|at| names.contains(&self.token(at)));
            is_meant.then(|| self.line(object.start))
        });
        stored.collect()
    }

    fn function_of_line(&self, line: u32) -> Option<&Function> {
        let mut functions = self.tree.functions.iter();
        functions.find(|function| (self.line(function.body.0)..=self.line(function.body.1)).contains(&line))
    }

    /// `<=` becomes `<` where an `if` or a loop around the line lets one too many in.
    pub fn strict(&self, at: &SourceLocation) -> Vec<Edit> {
        let around = self.around(at.line).into_iter().map(|(id, _)| self.statement(id));
        let signs = around.filter(|outer| outer.kind != Kind::Do).flat_map(|outer| {
            self.outside_brackets(outer.header.clone()).filter(|sign| self.token(*sign) == "<=").collect::<Vec<_>>()
        });
        let edit = |sign: usize| {
            let compared = self.text[self.bytes(sign - 1..sign + 2)].to_string();
            let at = location(self.at(self.byte(sign - 1)), &at.file);
            Edit::Rewrite { at, new: compared.replacen("<=", "<", 1), old: compared }
        };
        signs.map(edit).take(MOST).collect()
    }

    /// A wait behind what starts an asynchronous copy.
    pub fn waits(&self, at: &SourceLocation) -> Vec<Edit> {
        let mut edits = Vec::new();
        for id in self.statements_at(at).into_iter().filter(|id| self.statement(*id).kind == Kind::Simple) {
            let statement = self.statement(id);
            let expression = statement.first..statement.last;
            let insert = |text: String, behind: usize| {
                let at = location(self.at(self.byte(self.statement(behind).first)), &at.file);
                Edit::Insert { statement: text, at: Position::After { at } }
            };
            for call in self.calls(expression.clone(), |name| name == "memcpy_async") {
                let prefix: String = (statement.first..call.name).map(|at| self.token(at)).collect();
                if let Some(group) = call.arguments.first().filter(|_| prefix != "cuda::") {
                    edits.push(insert(format!("{prefix}wait({});", &self.text[self.bytes(group.clone())]), id));
                }
            }
            let starts = self.calls(expression, |name| name.starts_with("__pipeline_")).into_iter().next();
            if starts.is_some() {
                // One commit takes in all that were started before it.
                let function =
                    self.function_of(statement.first).map_or(0..0, |function| function.body.0..function.body.1);
                let commits = |id: &usize| {
                    let own = self.statement(*id).first..self.statement(*id).last;
                    own.start >= statement.first
                        && function.contains(&own.start)
                        && self.statement(*id).kind == Kind::Simple
                        && self.token(own.start) == "__pipeline_commit"
                };
                let commit = (0..self.tree.statements.len()).find(commits);
                edits.extend(commit.map(|commit| insert("__pipeline_wait_prior(0);".into(), commit)));
            }
        }
        edits
    }

    /// The loop around the line begins at half of these lanes.
    pub fn halved(&self, at: &SourceLocation, lanes: u32) -> Option<Edit> {
        let around = self.around(at.line).into_iter().map(|(id, _)| self.statement(id));
        let header = around.filter(|outer| outer.kind == Kind::For).map(|outer| outer.header.clone()).next()?;
        let start = self.split(header, ";").into_iter().next()?;
        let sign = self.outside_brackets(start.clone()).find(|at| self.token(*at) == "=")?;
        let comma = self.outside_brackets(start.clone()).any(|at| self.token(at) == ",");
        if comma || sign == start.start {
            return None;
        }
        let old = self.text[self.bytes(sign - 1..start.end)].to_string();
        let new = format!("{} = {}", self.token(sign - 1), lanes / 2);
        (old != new).then(|| Edit::Rewrite { at: location(self.at(self.byte(sign - 1)), &at.file), old, new })
    }

    /// The barrier in this line behind one of the statements that follow it.
    pub fn later_barriers(&self, at: &SourceLocation) -> Vec<Remedy> {
        let here = self.statements_at(at).into_iter().filter(|id| self.is_barrier(*id));
        let mut all = Vec::new();
        for id in here {
            let barrier = match &self.text[self.bytes(self.statement(id).first..self.statement(id).last)] {
                "__syncwarp()" => BarrierKind::Warp { mask: u32::MAX },
                "__syncthreads()" => BarrierKind::Block,
                _ => continue,
            };
            let ids = &self.tree.lists[self.statement(id).list].statements;
            let behind = ids.iter().copied().filter(|other| *other > id);
            let kinds = |id: &usize| !matches!(self.statement(*id).kind, Kind::Jump | Kind::Label);
            all.extend(behind.take_while(kinds).map(|other| {
                let place = location(self.at(self.byte(self.statement(other).first)), &at.file);
                let insert = Edit::InsertBarrier { barrier, at: Position::After { at: place } };
                vec![Edit::RemoveBarrier { at: at.clone() }, insert]
            }));
        }
        all
    }

    /// Two elements of one array that the lines take one after the other, the one with the lower index first.
    pub fn in_order(&self, first: &SourceLocation, second: &SourceLocation) -> Option<Remedy> {
        let [one] = &self.subscripts(first)[..] else { return None };
        let [other] = &self.subscripts(second)[..] else { return None };
        let array = |it: &Subscript| it.element.start..it.index.start;
        if !self.same(&array(one), &array(other)) || self.same(&one.index, &other.index) {
            return None;
        }
        let text = |range: Range<usize>| &self.text[self.bytes(range)];
        let rewrite = |at: &SourceLocation, it: &Subscript, choice: &str| {
            let both = format!("{choice}({}, {})", text(one.index.clone()), text(other.index.clone()));
            let new = format!("{}{both}]", text(array(it)));
            Edit::Rewrite { at: at.clone(), old: text(it.element.clone()).to_string(), new }
        };
        Some(vec![rewrite(first, one, "min"), rewrite(second, other, "max")])
    }

    /// What only one lane has, by `if (lane == 0) x = ...;` in this line, is given to all.
    pub fn broadcasts(&self, at: &SourceLocation) -> Vec<Edit> {
        let mut edits = Vec::new();
        for id in self.statements_at(at).into_iter().filter(|id| self.statement(*id).kind == Kind::Simple) {
            let statement = self.statement(id);
            let list = &self.tree.lists[statement.list];
            let Some(branch) = list.owner.filter(|_| list.role == Role::Then) else { continue };
            let header = self.statement(branch).header.clone();
            let one_lane = header.len() > 2 && self.token(header.end - 2) == "==" && self.token(header.end - 1) == "0";
            let name = self.token(statement.first);
            if !one_lane || !self.is_variable(statement.first) || self.token(statement.first + 1) != "=" {
                continue;
            }
            let lane: String = header.clone().map(|at| self.token(at)).collect();
            let call = match lane.strip_suffix(".thread_rank()==0") {
                Some(group) => format!("{group}.shfl({name}, 0)"),
                None => format!("__shfl_sync(0xffffffff, {name}, 0)"),
            };
            let at = location(self.at(self.byte(self.statement(branch).first)), &at.file);
            edits.push(Edit::Insert { statement: format!("{name} = {call};"), at: Position::After { at } });
        }
        edits
    }

    pub(super) fn function_of(&self, token: usize) -> Option<&Function> {
        self.tree.functions.iter().find(|function| (function.body.0..function.body.1).contains(&token))
    }

    /// The names of a function's integers.
    fn integers(&self, function: &Function) -> Vec<String> {
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

    fn is_compared(&self, function: &Function, name: &str, bound: &str) -> bool {
        let is = |at: usize| {
            self.token(at) == name && ["<", ">="].contains(&self.token(at + 1)) && self.token(at + 2) == bound
        };
        (function.body.0..function.body.1).any(is)
    }
}
